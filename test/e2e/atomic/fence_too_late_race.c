/* A release fence speaks of what came before it: not of what lies between it and the store. */
#include "test.h"

#include <stdatomic.h>

static atomic_int flag;
int x;

static void *first(void *unused) {
    atomic_thread_fence(memory_order_release);
    x = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    CHECK(atomic_load_explicit(&flag, memory_order_relaxed) == 1);
    atomic_thread_fence(memory_order_acquire);
    x = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
