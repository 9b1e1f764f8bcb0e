/* Thousands of threads at once, for the tests in this directory. */
#ifndef DEADHEAT_TEST_MANY_H
#define DEADHEAT_TEST_MANY_H

#include "test.h"

enum { ALIVE = 4096 };

/* Returns when all threads have called it. The detector does not know. */
static inline void all_here(void) { step(); }

static inline void run_all(void *(*routine)(void *)) {
    static pthread_t threads[ALIVE];
    pthread_attr_t attributes;
    steps(ALIVE);
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, 256 << 10) == 0);
    for (long i = 0; i < ALIVE; i++) {
        int error = pthread_create(&threads[i], &attributes, routine, (void *)i);
        if (error != 0) {
            fprintf(stderr, "this machine has no room for %d threads: error %d at %ld\n", ALIVE, error, i);
            exit(77);
        }
    }
    for (int i = 0; i < ALIVE; i++)
        join(threads[i]);
}

#endif
