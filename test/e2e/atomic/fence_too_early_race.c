/* An acquire fence speaks of loads that came before it. */
#include "test.h"

#include <stdatomic.h>

static atomic_int flag;
int x;

static void *first(void *unused) {
    x = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    atomic_thread_fence(memory_order_acquire);
    CHECK(atomic_load_explicit(&flag, memory_order_relaxed) == 1);
    x = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
