/* Reader-writer locks. A reader learns what writers have published, a writer what both have; which
 * of the two an unlock ends, the runtime knows from the list of locks held. */
#include "rt/intercept/table.h"

#include <pthread.h>

static int locked(void const *lock, bool reader, int failed, struct dh_here here) {
    if (!failed) dh_lock_acquired(lock, reader, here);
    return failed;
}

static int ended(void const *lock, int failed) {
    if (!failed) dh_sync_gone(lock);
    return failed;
}

INTERCEPT(int, pthread_rwlock_init, (pthread_rwlock_t * lock, pthread_rwlockattr_t const *attr)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(attr)
    return ended(lock, REAL(pthread_rwlock_init)(lock, attr));
}

INTERCEPT(int, pthread_rwlock_destroy, (pthread_rwlock_t * lock)) {
    return ended(lock, REAL(pthread_rwlock_destroy)(lock));
}

INTERCEPT(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock)) {
    return locked(lock, true, REAL(pthread_rwlock_rdlock)(lock), DH_HERE);
}

INTERCEPT(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock)) {
    return locked(lock, true, REAL(pthread_rwlock_tryrdlock)(lock), DH_HERE);
}

INTERCEPT(int, pthread_rwlock_timedrdlock,
          (pthread_rwlock_t * lock, struct timespec const *until)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(until)
    return locked(lock, true, REAL(pthread_rwlock_timedrdlock)(lock, until), here);
}

INTERCEPT(int, pthread_rwlock_clockrdlock,
          (pthread_rwlock_t * lock, clockid_t clock, struct timespec const *until)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(until)
    return locked(lock, true, REAL(pthread_rwlock_clockrdlock)(lock, clock, until), here);
}

INTERCEPT(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock)) {
    return locked(lock, false, REAL(pthread_rwlock_wrlock)(lock), DH_HERE);
}

INTERCEPT(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * lock)) {
    return locked(lock, false, REAL(pthread_rwlock_trywrlock)(lock), DH_HERE);
}

INTERCEPT(int, pthread_rwlock_timedwrlock,
          (pthread_rwlock_t * lock, struct timespec const *until)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(until)
    return locked(lock, false, REAL(pthread_rwlock_timedwrlock)(lock, until), here);
}

INTERCEPT(int, pthread_rwlock_clockwrlock,
          (pthread_rwlock_t * lock, clockid_t clock, struct timespec const *until)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(until)
    return locked(lock, false, REAL(pthread_rwlock_clockwrlock)(lock, clock, until), here);
}

INTERCEPT(int, pthread_rwlock_unlock, (pthread_rwlock_t * lock)) {
    dh_lock_releasing(lock);
    return REAL(pthread_rwlock_unlock)(lock);
}
