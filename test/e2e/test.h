/* What the test programs share: threads in pairs, and steps that put events of several threads into one
 * order without ordering them for the detector.
 *
 * Variables that a race is about are not static: the optimiser drops stores that nobody reads. */
#ifndef DEADHEAT_TEST_H
#define DEADHEAT_TEST_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
/* A barrier that the detector does not see. */
void __tsan_testonly_barrier_init(unsigned volatile *barrier, unsigned count);
void __tsan_testonly_barrier_wait(unsigned volatile *barrier);
#ifdef __cplusplus
}
#endif

static unsigned volatile test_steps;

/* Says how many threads take part in each step. */
static inline void steps(unsigned threads) { __tsan_testonly_barrier_init(&test_steps, threads); }
/* What comes before in any of them happens before what comes after in all; the detector does not know. */
static inline void step(void) { __tsan_testonly_barrier_wait(&test_steps); }

/* The program itself is wrong if this fails: neither verdict fits. */
#define CHECK(condition)                                                                               \
    do {                                                                                               \
        if (!(condition)) {                                                                            \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);              \
            abort();                                                                                   \
        }                                                                                              \
    } while (0)

static inline pthread_t spawn(void *(*routine)(void *), void *argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, routine, argument) == 0);
    return thread;
}

static inline void join(pthread_t thread) { CHECK(pthread_join(thread, NULL) == 0); }

/* Two threads that meet at steps. */
static inline void run_two(void *(*first)(void *), void *(*second)(void *)) {
    steps(2);
    pthread_t a = spawn(first, NULL), b = spawn(second, NULL);
    join(a);
    join(b);
}

#endif
