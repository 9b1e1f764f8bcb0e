/* Threads with the smallest stack that there is. */
#ifndef DEADHEAT_TEST_SMALL_H
#define DEADHEAT_TEST_SMALL_H

#include "test.h"
#include <limits.h>
#include <unistd.h>

static inline pthread_t spawn_small(void *(*routine)(void *), void *argument) {
    pthread_attr_t attr;
    pthread_t thread;
    CHECK(pthread_attr_init(&attr) == 0);
    CHECK(pthread_attr_setstacksize(&attr, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0);
    CHECK(pthread_create(&thread, &attr, routine, argument) == 0);
    pthread_attr_destroy(&attr);
    return thread;
}

#endif
