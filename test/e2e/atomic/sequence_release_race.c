/* A releasing store of another thread ends the sequence too, and starts one that knows only its own past. */
#include "test.h"

#include <stdatomic.h>

static atomic_int flag;
int x, y;

static void *first(void *unused) {
    x = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    y = 1;
    atomic_store_explicit(&flag, 2, memory_order_release);
    step();
    return unused;
}

static void *third(void *unused) {
    step();
    step();
    CHECK(atomic_load_explicit(&flag, memory_order_acquire) == 2);
    y = 2;
    x = 2;
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
