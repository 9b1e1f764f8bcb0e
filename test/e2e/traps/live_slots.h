/* Three hundred threads, alive together; each writes its own variable, and then its neighbour's, in code of its
 * own: like reports are folded. */
#ifndef DEADHEAT_TEST_LIVE_SLOTS_H
#define DEADHEAT_TEST_LIVE_SLOTS_H

#include "test.h"

#include <deadheat.h>

#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define HUNDRED(X, n)                                                                                   \
    TEN(X, n##0) TEN(X, n##1) TEN(X, n##2) TEN(X, n##3) TEN(X, n##4)                                    \
    TEN(X, n##5) TEN(X, n##6) TEN(X, n##7) TEN(X, n##8) TEN(X, n##9)
#define ALL(X) HUNDRED(X, 1) HUNDRED(X, 2) HUNDRED(X, 3)
enum { THREADS = 300 };

int variables[THREADS];
#define WRITE(n)                                                                                        \
    static __attribute__((noinline)) void write_##n(long i) { variables[i % THREADS] = n; }
ALL(WRITE)
#define LIST(n) write_##n,
static void (*const writes[THREADS])(long) = {ALL(LIST)};

static inline void run_all(void *(*routine)(void *)) {
    static pthread_t threads[THREADS];
    steps(THREADS);
    for (long i = 0; i < THREADS; i++)
        threads[i] = spawn(routine, (void *)i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
}

#endif
