/* A thread that ignores its accesses goes on being ordered by its atomics. */
#include "test.h"

#include <deadheat.h>
#include <stdatomic.h>

static atomic_int flag;
int x, y;

static void *first(void *unused) {
    x = 1;
    deadheat_ignore_begin();
    y = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    deadheat_ignore_end();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    deadheat_ignore_begin();
    y = 2;
    CHECK(atomic_load_explicit(&flag, memory_order_acquire) == 1);
    deadheat_ignore_end();
    x = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
