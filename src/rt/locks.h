/* What most locks and unlocks are: of a lock that the thread does not hold yet, or holds once, for
 * writing, and was itself the last to release. Then only the list of what is held changes, and the
 * tick of the last release (rt/last.h). The same steps as rt/sync.c, without the detours, inlined
 * where it counts. Whatever else there is goes the long way.
 *
 * The stack of a lock is that of the last one from the same place, if all frames hold what they did
 * then. It cannot be put off until somebody asks for it: the function that takes a lock for its
 * caller has returned by then.
 */
#ifndef DEADHEAT_RT_LOCKS_H
#define DEADHEAT_RT_LOCKS_H

#include "rt/contexts.h"
#include "rt/last.h"

/* The long ways. */
void dh_lock_acquired_slow(void const *frame, void const *p, bool reader, dh_stack_id stack);
void dh_lock_releasing_slow(void const *p);
dh_stack_id dh_lock_stack_slow(void const *frame);
/* After dh_lock_stack: it was not locked. */
void dh_lock_failed(void const *frame);

static inline struct dh_held *dh_held_find(struct dh_thread *self, void const *p) {
    for (uint32_t i = self->held_count; i-- > 0;)
        if (self->held[i].lock.address == (uintptr_t)p) return &self->held[i];
    return 0;
}

/* Where there is room. */
static inline __attribute__((always_inline)) struct dh_held *dh_held_put(struct dh_thread *self,
                                                                         void const *p, bool reader,
                                                                         uint32_t levels,
                                                                         dh_stack_id stack) {
    struct dh_held *held = &self->held[self->held_count++];
    held->lock = (struct dh_raw_lock){(uintptr_t)p, stack, reader};
    held->levels = levels;
    held->object_levels = 0;
    dh_moment_begins(self);
    return held;
}

/* Inside: what the last release of the lock that was just put on the list says may be news. */
void dh_lock_learn(struct dh_thread *self, void const *p, bool reader);

/* The next two go another way where they would have to wait for the world, and enter without asking
 * whether the thread is known: one that has room for another lock, or holds one, is. Where they are
 * inlined, what is rare is told the frame instead of what is in it (dh_here_in): nothing is kept
 * for it in a register. */

/* The lock was locked just now, by a call of the function with this frame. The stack is what
 * dh_lock_stack said. */
static inline __attribute__((always_inline)) void
dh_lock_acquired_in(void const *frame, void const *p, bool reader, dh_stack_id stack) {
    struct dh_thread *self = __dh_tls.self;
    if (DH_UNLIKELY(!self) || DH_UNLIKELY(self->not_plain != 0)) {
        dh_lock_acquired_slow(frame, p, reader, stack);
    } else if (!dh_critical_enter_try() || DH_UNLIKELY(self->held_count >= self->held_room)
               || (DH_UNLIKELY(self->held_count != 0) && dh_held_find(self, p))) {
        dh_critical_leave();
        dh_lock_acquired_slow(frame, p, reader, stack);
    } else {
        dh_held_put(self, p, reader, 1, stack);
        if (DH_UNLIKELY(!dh_last_is_own(self, p))) dh_lock_learn(self, p, reader);
        dh_critical_leave();
    }
}

/* It is about to be unlocked. */
static inline __attribute__((always_inline)) void dh_lock_releasing_quick(void const *p) {
    struct dh_thread *self = __dh_tls.self;
    if (DH_UNLIKELY(!self) || DH_UNLIKELY(self->not_plain != 0)) {
        dh_lock_releasing_slow(p);
        return;
    }
    bool may = dh_critical_enter_try();
    uint32_t const count = self->held_count;
    struct dh_held *held = &self->held[count - 1];
    if (DH_UNLIKELY(!may) || DH_UNLIKELY(count == 0)
        || DH_UNLIKELY(held->lock.address != (uintptr_t)p) || DH_UNLIKELY(held->levels != 1)
        || DH_UNLIKELY(held->lock.reader)
        || (DH_UNLIKELY(!dh_last_renew(self, p)) && !dh_alone_now)) {
        dh_critical_leave();
        dh_lock_releasing_slow(p);
        return;
    }
    self->held_count = count - 1;
    dh_moment_begins(self);
    dh_critical_leave();
}

/* Where the function with this frame, which is about to lock something, was called. Outside
 * critical sections: a signal handler has other frames, so that what it does to the context is
 * seen. */
static inline __attribute__((always_inline)) dh_stack_id dh_lock_stack(void const *frame) {
    struct dh_here const here = dh_here_in(frame);
    struct dh_thread *self = __dh_tls.self;
    if (DH_UNLIKELY(!self)) return dh_lock_stack_slow(frame);
    struct dh_context *c = dh_context_kept(self->places, here.frame);
    if (DH_UNLIKELY(c->pc != here.pc) || !dh_context_goes_on(c, here.frame))
        return dh_lock_stack_slow(frame);
    dh_stack_id stack = c->stack;
    dh_context_expect_lock(c, self);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return DH_LIKELY(c->frame == here.frame) ? stack : dh_lock_stack_slow(frame);
}

#endif
