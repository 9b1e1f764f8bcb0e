/* pthread_once, call_once: the end of the routine is ordered before every return. The real call
 * knows whose turn it is; it runs our routine, which runs the program's and publishes before the
 * others are let go. A routine that is cancelled, or leaves by an exception, publishes nothing. */
#include "rt/intercept/intercept.h"

#include <pthread.h>
#include <threads.h>

struct once {
    void const *control;
    void (*routine)(void);
    struct once *outer;
};

/* The innermost call of the running thread. */
static _Thread_local struct once *current;

static void run(void) {
    struct once const *once = current;
    once->routine();
    dh_release(once->control);
}

static void once_end(struct once *once) {
    current = once->outer;
    dh_acquire(once->control);
}

INTERCEPT(int, pthread_once, (pthread_once_t * control, void (*routine)(void))) {
    struct once once = {control, routine, current};
    current = &once;
    int failed = REAL(pthread_once)(control, run);
    once_end(&once);
    return failed;
}

INTERCEPT(void, call_once, (once_flag * flag, void (*routine)(void))) {
    struct once once = {flag, routine, current};
    current = &once;
    REAL(call_once)(flag, run);
    once_end(&once);
}
