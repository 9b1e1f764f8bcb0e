/* Semaphores, named ones too: all that counts is the address. A successful wait is ordered after
 * all posts that the value it saw came from; since every operation reads and changes the value,
 * that is all posts so far. */
#include "rt/intercept/table.h"

#include <semaphore.h>
#include <stdarg.h>

static int waited(sem_t *sem, int failed) {
    if (!failed) dh_acquire(sem);
    return failed;
}

static int ended(sem_t *sem, int failed) {
    if (!failed) dh_sync_gone(sem);
    return failed;
}

INTERCEPT(int, sem_init, (sem_t * sem, int shared, unsigned value)) {
    return ended(sem, REAL(sem_init)(sem, shared, value));
}

INTERCEPT(int, sem_destroy, (sem_t * sem)) { return ended(sem, REAL(sem_destroy)(sem)); }

INTERCEPT(int, sem_post, (sem_t * sem)) {
    dh_release_join(sem);
    return REAL(sem_post)(sem);
}

INTERCEPT(int, sem_wait, (sem_t * sem)) { return waited(sem, REAL(sem_wait)(sem)); }

INTERCEPT(int, sem_trywait, (sem_t * sem)) { return waited(sem, REAL(sem_trywait)(sem)); }

INTERCEPT(int, sem_timedwait, (sem_t * sem, struct timespec const *until)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(until)
    return waited(sem, REAL(sem_timedwait)(sem, until));
}

INTERCEPT(int, sem_clockwait, (sem_t * sem, clockid_t clock, struct timespec const *until)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS(until)
    return waited(sem, REAL(sem_clockwait)(sem, clock, until));
}

/* ---- names and values ---- */

ROW(int, sem_getvalue, (sem_t * sem, int *value), (sem, value), , if (result == 0) WRITES(value))
ROW(int, sem_unlink, (char const *name), (name), READS_STRING(name), )

/* Mode and value are there if the flags say so; passing on words that are not there does no
 * harm. */
INTERCEPT(sem_t *, sem_open, (char const *name, int flags, ...)) {
    struct dh_here here = DH_HERE;
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    unsigned value = va_arg(rest, unsigned);
    va_end(rest);
    if (dh_checking()) {
        READS_STRING(name)
    }
    return REAL(sem_open)(name, flags, mode, value);
}
