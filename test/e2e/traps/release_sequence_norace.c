/* Release sequences: a read-modify-write by whoever, of whatever order, goes on with all there are. */
#include "test.h"

#include <stdatomic.h>

static atomic_int flag;
int x, y;

static void *first(void *unused) {
    x = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    step();
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    y = 1;
    atomic_fetch_add_explicit(&flag, 1, memory_order_release);
    step();
    atomic_fetch_or_explicit(&flag, 4, memory_order_relaxed);
    step();
    return unused;
}

static void *third(void *unused) {
    step();
    step();
    step();
    CHECK(atomic_load_explicit(&flag, memory_order_acquire) == 6);
    x = 2;
    y = 2;
    return unused;
}

int main(void) {
    steps(3);
    pthread_t a = spawn(first, NULL), b = spawn(second, NULL), c = spawn(third, NULL);
    join(a);
    join(b);
    join(c);
    return 0;
}
