/* Condition variables. A wait unlocks its mutex and locks it again, and that is all that it orders:
 * a signal says that something may have changed, and the mutex is what makes the change visible. So
 * signal and broadcast, and destroy, go straight to libc; what init reads are attributes.
 *
 * A thread that is cancelled while it waits holds the mutex when its cleanup handlers run. Ours is
 * the innermost, so it comes first.
 */
#include "rt/intercept/table.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>

struct wait {
    void const *mutex;
    bool counts; /* false: the real call will refuse, and unlock nothing */
    uint32_t levels;
    struct dh_here here;
};

static struct wait wait_begin(void const *mutex, struct dh_here here) {
    struct wait w = {mutex, !dh_mutex_refuses(mutex), 0, here};
    if (w.counts) w.levels = dh_lock_wait_begin(mutex);
    return w;
}

static void wait_end(void *wait) {
    struct wait const *w = wait;
    if (w->counts) dh_lock_wait_end(w->mutex, w->levels, w->here);
}

/* Calls `real`, an expression of type int, as a wait on `mutex`; `reads` comes before. */
#define WAIT(mutex_waited, reads, real)                                                        \
    struct dh_here here = DH_HERE;                                                             \
    if (dh_checking()) {                                                                       \
        reads                                                                                  \
    }                                                                                          \
    struct wait w = wait_begin(mutex_waited, here);                                            \
    int result;                                                                                \
    pthread_cleanup_push(wait_end, &w);                                                        \
    result = real;                                                                             \
    if (result == ENOTRECOVERABLE) w.counts = false; /* the mutex could not be locked again */ \
    pthread_cleanup_pop(1);                                                                    \
    return result

ROW_VERSION(int, pthread_cond_init, "GLIBC_2.3.2",
            (pthread_cond_t * condition, pthread_condattr_t const *attr), (condition, attr),
            READS(attr), )

INTERCEPT_VERSION(int, pthread_cond_wait, "GLIBC_2.3.2",
                  (pthread_cond_t * condition, pthread_mutex_t *mutex)) {
    WAIT(mutex, , REAL(pthread_cond_wait)(condition, mutex));
}

INTERCEPT_VERSION(int, pthread_cond_timedwait, "GLIBC_2.3.2",
                  (pthread_cond_t * condition, pthread_mutex_t *mutex,
                   struct timespec const *until)) {
    WAIT(mutex, READS(until), REAL(pthread_cond_timedwait)(condition, mutex, until));
}

INTERCEPT(int, pthread_cond_clockwait,
          (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock,
           struct timespec const *until)) {
    WAIT(mutex, READS(until), REAL(pthread_cond_clockwait)(condition, mutex, clock, until));
}

INTERCEPT(int, cnd_wait, (cnd_t * condition, mtx_t *mutex)) {
    WAIT(mutex, , REAL(cnd_wait)(condition, mutex));
}

INTERCEPT(int, cnd_timedwait, (cnd_t * condition, mtx_t *mutex, struct timespec const *until)) {
    WAIT(mutex, READS(until), REAL(cnd_timedwait)(condition, mutex, until));
}
