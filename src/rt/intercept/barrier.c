/* Barriers. What the waiting threads did before is ordered before what any of them does after,
 * round by round (rt/barrier.c). */
#include "rt/intercept/table.h"

#include <pthread.h>

INTERCEPT(int, pthread_barrier_init,
          (pthread_barrier_t * barrier, pthread_barrierattr_t const *attr, unsigned count)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(attr)
    int failed = REAL(pthread_barrier_init)(barrier, attr, count);
    if (!failed) dh_barrier_init(barrier, count);
    return failed;
}

INTERCEPT(int, pthread_barrier_destroy, (pthread_barrier_t * barrier)) {
    int failed = REAL(pthread_barrier_destroy)(barrier);
    if (!failed) dh_sync_gone(barrier);
    return failed;
}

INTERCEPT(int, pthread_barrier_wait, (pthread_barrier_t * barrier)) {
    struct dh_barrier_round *round = dh_barrier_arrive(barrier);
    int result = REAL(pthread_barrier_wait)(barrier);
    dh_barrier_leave(round); /* the barrier itself may be gone by now */
    return result;
}
