/* Another thread's store ends a release sequence, even if it stores the same value. */
#include "test.h"

#include <stdatomic.h>

static atomic_int flag;
int x;

static void *first(void *unused) {
    x = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    step();
    return unused;
}

static void *third(void *unused) {
    step();
    step();
    CHECK(atomic_load_explicit(&flag, memory_order_acquire) == 1);
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
