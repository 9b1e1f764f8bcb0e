/* Synchronisation: who is ordered before whom. docs/happens-before.md has the table of edges; these
 * are the moves it is made of. C is the running thread's clock, L(p) that of the object at address
 * p.
 *
 * An object's clock must change in the same order as the object itself, or the clock could disagree
 * with what the program saw. For a lock that follows from where interceptors call: release before
 * the real unlock, acquire after the real lock.
 *
 * While the process has never had a second thread all of these do nothing.
 */
#ifndef DEADHEAT_RT_SYNC_H
#define DEADHEAT_RT_SYNC_H

#include "rt/access.h"

struct dh_thread;

void dh_acquire(void const *p);      /* C := C |_| L(p) */
void dh_release(void const *p);      /* L(p) := C, C ticks: for objects with one owner at a time */
void dh_release_join(void const *p); /* L(p) := L(p) |_| C, C ticks: several may release together */
void dh_sync_gone(void const *p);    /* the object at p ends: L(p) is forgotten */

/* Locks: the same edges, and the report's list of what is held. A lock that the thread holds
 * already (recursive, or read twice) is counted; the innermost unlock of several releases nothing.
 */
void dh_lock_acquired(void const *p, bool reader, struct dh_here here);
void dh_lock_releasing(void const *p); /* just before the real unlock, of any mode */
/* For the unlock inside a condition wait, which gives up all levels of a recursive mutex at once:
 * the number given up is returned by dh_lock_wait_begin and restored by dh_lock_wait_end. */
uint32_t dh_lock_wait_begin(void const *p);
void dh_lock_wait_end(void const *p, uint32_t levels, struct dh_here here);

/* The running thread's locks as they are, for a tape that begins now (rt/tape.h). */
void dh_locks_tape(struct dh_thread *self);

/* Barriers: each generation has a clock of its own, so that a fast thread's next round orders
 * nothing for a slow thread's last one. */
struct dh_barrier_round; /* one generation; counted references */
void dh_barrier_init(void const *p, uint32_t count);
struct dh_barrier_round *
dh_barrier_arrive(void const *p);                      /* before the real wait; may return null */
void dh_barrier_leave(struct dh_barrier_round *round); /* after it */

#endif
