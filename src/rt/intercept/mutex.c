/* Mutexes, POSIX's and C11's. An unlock publishes before the real one, a lock learns after the real
 * one, and what fails orders nothing.
 *
 * A mutex needs no init to be known (static initialisers); init and destroy end whatever was at the
 * address before. pthread_mutex_consistent orders nothing: the lock that returned EOWNERDEAD did.
 */
#include "rt/intercept/table.h"
#include "rt/locks.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <threads.h>

/* ---- who holds it ---- */

/* Bits of a mutex's kind, as glibc keeps them since 2.4; they are part of its binary interface. */
enum { TYPE = 3, ROBUST = 16, INHERITS_PRIORITY = 32 };

bool dh_mutex_refuses(void const *mutex) {
    pthread_mutex_t const *m = mutex;
    int kind = __atomic_load_n(&m->__data.__kind, __ATOMIC_RELAXED), type = kind & TYPE;
    if (DH_LIKELY((kind & (TYPE | ROBUST | INHERITS_PRIORITY)) == 0)) return false;
    if (dh_alone_now || !__dh_tls.self) return false;
    bool in_lock =
        kind & (ROBUST | INHERITS_PRIORITY); /* the kernel knows the owner: it is in the futex */
    if (!in_lock && type != PTHREAD_MUTEX_RECURSIVE && type != PTHREAD_MUTEX_ERRORCHECK)
        return false;
    int owner = in_lock ? __atomic_load_n(&m->__data.__lock, __ATOMIC_RELAXED) & FUTEX_TID_MASK
                        : __atomic_load_n(&m->__data.__owner, __ATOMIC_RELAXED);
    return (uint64_t)owner != __dh_tls.self->os_id;
}

/* Those are on the list that the kernel walks when the thread is gone. A set low bit is the
 * kernel's mark for the kind that inherits priority. */
void dh_mutex_abandon_all(void) {
    struct robust_list_head *head = 0;
    size_t size;
    if (dh_syscall(SYS_get_robust_list, 0l, &head, &size, 0l, 0l, 0l) != 0 || !head) return;
    struct robust_list *at = (struct robust_list *)((uintptr_t)head->list.next & ~(uintptr_t)1);
    for (; at && at != &head->list;
         at = (struct robust_list *)((uintptr_t)at->next & ~(uintptr_t)1))
        dh_release((char *)at - offsetof(pthread_mutex_t, __data.__list.__next));
}

/* ---- pthread_mutex ---- */

static int locked(void const *mutex, int result, struct dh_here here) {
    if (result == 0 || result == EOWNERDEAD) dh_lock_acquired(mutex, false, here);
    return result;
}

static int ended(void const *mutex, int failed) {
    if (!failed) dh_sync_gone(mutex);
    return failed;
}

INTERCEPT(int, pthread_mutex_init, (pthread_mutex_t * mutex, pthread_mutexattr_t const *attr)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(attr)
    return ended(mutex, REAL(pthread_mutex_init)(mutex, attr));
}

INTERCEPT(int, pthread_mutex_destroy, (pthread_mutex_t * mutex)) {
    return ended(mutex, REAL(pthread_mutex_destroy)(mutex));
}

/* With a result that is not 0. */
DH_COLD static int locked_oddly(void const *frame, pthread_mutex_t const *mutex, int result,
                                dh_stack_id stack) {
    if (result == EOWNERDEAD)
        dh_lock_acquired_slow(frame, mutex, false, stack);
    else
        dh_lock_failed(frame);
    return result;
}

INTERCEPT(int, pthread_mutex_lock, (pthread_mutex_t * mutex)) {
    dh_stack_id stack = dh_lock_stack(DH_FRAME); /* before it is held, when nobody waits for it */
    int result = REAL(pthread_mutex_lock)(mutex);
    if (DH_UNLIKELY(result != 0)) return locked_oddly(DH_FRAME, mutex, result, stack);
    dh_lock_acquired_in(DH_FRAME, mutex, false, stack);
    return 0;
}

INTERCEPT(int, pthread_mutex_trylock, (pthread_mutex_t * mutex)) {
    return locked(mutex, REAL(pthread_mutex_trylock)(mutex), DH_HERE);
}

INTERCEPT(int, pthread_mutex_timedlock, (pthread_mutex_t * mutex, struct timespec const *until)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(until)
    return locked(mutex, REAL(pthread_mutex_timedlock)(mutex, until), here);
}

INTERCEPT(int, pthread_mutex_clocklock,
          (pthread_mutex_t * mutex, clockid_t clock, struct timespec const *until)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(until)
    return locked(mutex, REAL(pthread_mutex_clocklock)(mutex, clock, until), here);
}

INTERCEPT(int, pthread_mutex_unlock, (pthread_mutex_t * mutex)) {
    if (DH_LIKELY(!dh_mutex_refuses(mutex))) dh_lock_releasing_quick(mutex);
    return REAL(pthread_mutex_unlock)(mutex);
}

/* ---- mtx: the same object inside, reached by libc without the names above ---- */

static int mtx_locked(mtx_t const *mutex, int result, struct dh_here here) {
    if (result == thrd_success) dh_lock_acquired(mutex, false, here);
    return result;
}

INTERCEPT(int, mtx_init, (mtx_t * mutex, int type)) {
    int result = REAL(mtx_init)(mutex, type);
    if (result == thrd_success) dh_sync_gone(mutex);
    return result;
}

INTERCEPT(void, mtx_destroy, (mtx_t * mutex)) {
    REAL(mtx_destroy)(mutex);
    dh_sync_gone(mutex);
}

INTERCEPT(int, mtx_lock, (mtx_t * mutex)) {
    dh_stack_id stack = dh_lock_stack(DH_FRAME);
    int result = REAL(mtx_lock)(mutex);
    if (DH_LIKELY(result == thrd_success))
        dh_lock_acquired_in(DH_FRAME, mutex, false, stack);
    else
        dh_lock_failed(DH_FRAME);
    return result;
}

INTERCEPT(int, mtx_trylock, (mtx_t * mutex)) {
    return mtx_locked(mutex, REAL(mtx_trylock)(mutex), DH_HERE);
}

INTERCEPT(int, mtx_timedlock, (mtx_t * mutex, struct timespec const *until)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(until)
    return mtx_locked(mutex, REAL(mtx_timedlock)(mutex, until), here);
}

INTERCEPT(int, mtx_unlock, (mtx_t * mutex)) {
    if (!dh_mutex_refuses(mutex)) dh_lock_releasing(mutex);
    return REAL(mtx_unlock)(mutex);
}
