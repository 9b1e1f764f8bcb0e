/* Spin locks. pthread_spinlock_t is a volatile int, which the runtime never touches itself. */
#include "rt/intercept/intercept.h"

#include <pthread.h>

static int locked(pthread_spinlock_t *lock, int failed, struct dh_here here) {
    if (!failed) dh_lock_acquired((void const *)lock, false, here);
    return failed;
}

static int ended(pthread_spinlock_t *lock, int failed) {
    if (!failed) dh_sync_gone((void const *)lock);
    return failed;
}

INTERCEPT(int, pthread_spin_init, (pthread_spinlock_t * lock, int shared)) {
    return ended(lock, REAL(pthread_spin_init)(lock, shared));
}

INTERCEPT(int, pthread_spin_destroy, (pthread_spinlock_t * lock)) {
    return ended(lock, REAL(pthread_spin_destroy)(lock));
}

INTERCEPT(int, pthread_spin_lock, (pthread_spinlock_t * lock)) {
    return locked(lock, REAL(pthread_spin_lock)(lock), DH_HERE);
}

INTERCEPT(int, pthread_spin_trylock, (pthread_spinlock_t * lock)) {
    return locked(lock, REAL(pthread_spin_trylock)(lock), DH_HERE);
}

INTERCEPT(int, pthread_spin_unlock, (pthread_spinlock_t * lock)) {
    dh_lock_releasing((void const *)lock);
    return REAL(pthread_spin_unlock)(lock);
}
