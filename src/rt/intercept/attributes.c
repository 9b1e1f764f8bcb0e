/* Attributes of threads and of what they synchronise by. An object of attributes is memory like any
 * other, which who makes a thread or a lock reads; the objects made by it are not (mutex.c). What
 * libc keeps where inside is its own affair: to set one attribute is a write to all of them. */
#include "rt/intercept/table.h"

#include <pthread.h>
#include <signal.h>
#include <sys/types.h>

#define MAKE(kind)                                          \
    ROW(int, kind##_init, (kind##_t * a), (a), WRITES(a), ) \
    ROW(int, kind##_destroy, (kind##_t * a), (a), WRITES(a), )
#define SET(kind, name, type) \
    ROW(int, kind##_set##name, (kind##_t * a, type value), (a, value), WRITES(a), )
#define SET_FROM(kind, name, type) \
    ROW(int, kind##_set##name, (kind##_t * a, type const *from), (a, from), READS(from) WRITES(a), )
#define GET(kind, name, type)                                                    \
    ROW(int, kind##_get##name, (kind##_t const *a, type *to), (a, to), READS(a), \
        if (result == 0) WRITES(to))
#define BOTH(kind, name, type) SET(kind, name, type) GET(kind, name, type)

/* ---- threads ---- */

MAKE(pthread_attr)
BOTH(pthread_attr, detachstate, int)
BOTH(pthread_attr, guardsize, size_t)
BOTH(pthread_attr, inheritsched, int)
BOTH(pthread_attr, schedpolicy, int)
BOTH(pthread_attr, scope, int)
BOTH(pthread_attr, stacksize, size_t)
BOTH(pthread_attr, stackaddr, void *)
SET_FROM(pthread_attr, schedparam, struct sched_param)
GET(pthread_attr, schedparam, struct sched_param)
ROW(int, pthread_attr_setstack, (pthread_attr_t * a, void *low, size_t size), (a, low, size),
    WRITES(a), )
ROW(int, pthread_attr_getstack, (pthread_attr_t const *a, void **low, size_t *size), (a, low, size),
    READS(a), if (result == 0){WRITES(low) WRITES(size)})
ROW(int, pthread_attr_setaffinity_np, (pthread_attr_t * a, size_t size, cpu_set_t const *from),
    (a, size, from), READS_BYTES(from, size) WRITES(a), )
ROW(int, pthread_attr_getaffinity_np, (pthread_attr_t const *a, size_t size, cpu_set_t *to),
    (a, size, to), READS(a), if (result == 0) WRITES_BYTES(to, size))
SET_FROM(pthread_attr, sigmask_np, sigset_t)
/* Without a mask, which is no failure, all of it is written as well. */
ROW(int, pthread_attr_getsigmask_np, (pthread_attr_t const *a, sigset_t *to), (a, to), READS(a),
    if (result == 0 || result == PTHREAD_ATTR_NO_SIGMASK_NP) WRITES(to))

ROW(int, pthread_getattr_np, (pthread_t thread, pthread_attr_t *to), (thread, to), WRITES(to), )
ROW(int, pthread_getattr_default_np, (pthread_attr_t * to), (to), WRITES(to), )
ROW(int, pthread_setattr_default_np, (pthread_attr_t const *from), (from), READS(from), )

/* ---- mutexes, conditions, reader-writer locks, barriers ---- */

MAKE(pthread_mutexattr)
BOTH(pthread_mutexattr, prioceiling, int)
BOTH(pthread_mutexattr, protocol, int)
BOTH(pthread_mutexattr, pshared, int)
BOTH(pthread_mutexattr, robust, int)
BOTH(pthread_mutexattr, type, int)
ROW(int, pthread_mutex_getprioceiling, (pthread_mutex_t const *mutex, int *to), (mutex, to), ,
    if (result == 0) WRITES(to))
ROW(int, pthread_mutex_setprioceiling, (pthread_mutex_t * mutex, int value, int *old),
    (mutex, value, old), , if (result == 0) WRITES(old))

MAKE(pthread_condattr)
BOTH(pthread_condattr, clock, clockid_t)
BOTH(pthread_condattr, pshared, int)

MAKE(pthread_rwlockattr)
BOTH(pthread_rwlockattr, kind_np, int)
BOTH(pthread_rwlockattr, pshared, int)

MAKE(pthread_barrierattr)
BOTH(pthread_barrierattr, pshared, int)

/* ---- whether a thread may be cancelled ---- */

ROW(int, pthread_setcancelstate, (int state, int *old), (state, old), ,
    if (result == 0) WRITES(old))
