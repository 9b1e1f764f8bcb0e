/* A thread that does nothing but take signals. */
#ifndef DEADHEAT_TEST_INSTALLED_H
#define DEADHEAT_TEST_INSTALLED_H

#include "test.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int ended;

static void *take_signals(void *unused) {
    while (!atomic_load_explicit(&ended, memory_order_relaxed))
        sched_yield();
    return unused;
}

static inline pthread_t waiting_thread(void) { return spawn(take_signals, NULL); }

static inline void end_thread(pthread_t thread) {
    atomic_store_explicit(&ended, 1, memory_order_relaxed);
    join(thread);
}

#endif
