/* A spin lock made of an atomic_flag, whose unlock does not release. */
#include "test.h"

#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 100 };

static atomic_flag flag = ATOMIC_FLAG_INIT;
int x;

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))
            sched_yield();
        x++;
        atomic_flag_clear_explicit(&flag, memory_order_relaxed);
    }
    return unused;
}

int main(void) {
    run_two(work, work);
    return 0;
}
