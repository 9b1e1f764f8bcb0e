/* Footprints: checks of accesses that come one after the other, put off until they can be made as
 * one.
 *
 * Code built for slimstate or slimcard calls __dh_foot_* at an access. What one place of the code
 * accesses side by side becomes a *run*, a range that is pending and grows; a place that does
 * something else has its checks made at once, as ever. A run is committed, that is judged as the
 * range that it is, when the place goes elsewhere, and before the thread does anything that orders
 * it with others.
 *
 *   Invariant: between an access of a pending run and its commit the thread neither releases nor
 * acquires. So the check covers the accesses, and is legitimate for them (docs/recording.md).
 *
 * Whatever publishes or learns calls dh_footprint_commit first, outside critical sections:
 * rt/sync.c, rt/atomics.c, rt/barrier.c, rt/threads.c. So do births and deaths of memory, whose
 * history a late check would get wrong. All of these are held to it by the runtime that tests build
 * (DH_CHECKED).
 *
 * A thread's trail (rt/trails.h) is committed with them.
 *
 * A run keeps the stack of its first access: at the commit the frame may be gone. Accesses from
 * another frame, or called from elsewhere, do not continue it.
 */
#ifndef DEADHEAT_RT_FOOTPRINT_H
#define DEADHEAT_RT_FOOTPRINT_H

#include "rt/state.h"

/* Whether checks are put off at all: not before the first one is, nor when the process is about to
 * end (rt/ending.h). Changed inside a critical section, and with the world stopped. */
extern enum dh_footprints {
    DH_FOOTPRINTS_NONE,
    DH_FOOTPRINTS_SOME,
    DH_FOOTPRINTS_OVER
} dh_footprints;

/* The first check is about to be put off. Outside critical sections. */
void dh_footprints_begin(void);

void dh_footprint_commit_slow(struct dh_thread *self);

/* Outside critical sections. */
static inline void dh_footprint_commit(struct dh_thread *self) {
    if (DH_UNLIKELY(self->pending != 0)) dh_footprint_commit_slow(self);
}

/* The thread is about to publish or to learn. */
static inline void dh_footprint_must_be_empty(struct dh_thread const *self) {
#ifdef DH_CHECKED
    if (self->pending != 0) dh_die("a footprint is still pending: a bug of Deadheat's");
#else
    (void)self;
#endif
}

/* The thread has ended. */
void dh_footprint_free(struct dh_thread *self);

#endif
