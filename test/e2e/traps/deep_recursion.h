/* Recursion far beyond 65,000 frames, on a stack that has room for it. */
#ifndef DEADHEAT_TEST_DEEP_RECURSION_H
#define DEADHEAT_TEST_DEEP_RECURSION_H

#include "test.h"

enum { DEPTH = 400000 };

/* Calls `bottom` that deep. Nothing here can be turned into a loop. */
static __attribute__((noinline)) int deep(int depth, void (*bottom)(void)) {
    int volatile own = depth;
    if (depth == 0)
        bottom();
    else
        own += deep(depth - 1, bottom);
    return own;
}

static inline pthread_t spawn_deep(void *(*routine)(void *)) {
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, 256 << 20) == 0);
    CHECK(pthread_create(&thread, &attributes, routine, NULL) == 0);
    return thread;
}

#endif
