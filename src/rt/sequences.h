/* The clocks of atomic objects, as operations change them under the lock of the record
 * (rt/atomics.c).
 *
 * The clock of a location is its release sequences (core/heads.h): one head for each release
 * operation that a load reading the present value synchronises with. A store starts over: with its
 * own clock if it releases, with that of an earlier release fence if there was one. In C a later
 * store by the same thread continues its sequences; in C++20 it does not. A read-modify-write
 * continues all sequences, and adds its own head if it releases. A relaxed load puts the clock
 * aside for a later acquire fence.
 *
 * Most objects have one head at most, at all their bytes. That is kept in the record itself
 * (rt/last.h), and there is no list to look at. It moves to a list when another joins it, and back
 * when a store has ended all but one.
 */
#ifndef DEADHEAT_RT_SEQUENCES_H
#define DEADHEAT_RT_SEQUENCES_H

#include "rt/footprint.h"
#include "rt/last.h"
#include "rt/state.h"

#define INLINED static inline __attribute__((always_inline))

static inline bool acquires(uint32_t order) {
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL
           || order == __ATOMIC_SEQ_CST;
}
static inline bool releases(uint32_t order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* ---- lists ---- */

/* Then it has nothing to teach (rt/clocks.h). */
INLINED bool is_known(struct dh_thread const *self, struct dh_epoch at) {
    return at.slot == self->slot || at.tick <= dh_vc_tick(self->vc, at.slot);
}

/* It is not known. */
static void load_head(struct dh_thread *self, struct dh_snapshot const *head, uint32_t order) {
    if (acquires(order & DH_ORDER_MASK))
        dh_thread_learn(self, head);
    else if (dh_vc_tick(self->fence_acquire, head->at.slot) < head->at.tick)
        dh_vc_learn(&self->fence_acquire, head->vc, head->at);
}

static void load_clock(struct dh_thread *self, struct dh_record *r, unsigned bytes,
                       uint32_t order) {
    if (!r->sync || self->ignoring_sync) return;
    struct dh_heads const *heads = &r->sync->releases;
    for (uint32_t i = 0; i < heads->count; i++) {
        struct dh_snapshot const *head = &heads->list[i];
        if (head->bytes & bytes && !is_known(self, head->at)) load_head(self, head, order);
    }
}

/* A store or read-modify-write of this order publishes something. */
static inline bool publishes(struct dh_thread const *self, uint32_t order) {
    return !self->ignoring_sync && (releases(order & DH_ORDER_MASK) || self->fence_released);
}

/* What that is; false: nothing. */
static bool own_head(struct dh_thread *self, uint32_t order, struct dh_snapshot *head) {
    if (self->ignoring_sync) return false;
    if (releases(order & DH_ORDER_MASK)) {
        *head = dh_thread_publish(self);
        return true;
    }
    if (!self->fence_released) return false;
    *head = self->fence_release;
    dh_vc_ref(head->vc);
    return true;
}

/* A store ends all release sequences of its bytes but, in C, the running thread's own. */
static void start_over(struct dh_thread *self, struct dh_record *r, unsigned bytes,
                       uint32_t order) {
    if (!r->sync) return;
    uint32_t continuing = order & DH_ORDER_CXX20 ? DH_NO_THREAD : self->number;
    dh_heads_end(&r->sync->releases, bytes, continuing);
}

/* The head that a read-modify-write of the running thread which releases at these bytes takes the
 * place of, and no other: its own. Null: the general way. */
static struct dh_snapshot *replaced(struct dh_thread const *self, struct dh_heads *heads,
                                    unsigned bytes) {
    struct dh_snapshot *found = 0;
    for (uint32_t i = 0; i < heads->count; i++) {
        struct dh_snapshot *head = &heads->list[i];
        if (head->thread != self->number && head->at.slot != self->slot) continue;
        if (found || head->thread != self->number || head->bytes != bytes) return 0;
        found = head;
    }
    return found;
}

/* dh_heads_add for a release that changes the list in one place only, as most do. There the clock
 * is a copy: the thread goes on writing its own when it learns. */
static bool release_in_place(struct dh_thread *self, struct dh_record *r, unsigned bytes,
                             uint32_t order) {
    if (!r->sync || self->ignoring_sync || !releases(order & DH_ORDER_MASK)) return false;
    struct dh_snapshot *head = replaced(self, &r->sync->releases, bytes);
    if (!head) return false;
    dh_footprint_must_be_empty(self);
    /* What it knew then it still knows, and nothing else (rt/last.h). */
    bool same = head->thread == self->number && head->at.slot == self->slot
                && head->at.tick >= self->learnt_at;
    if (!same) dh_vc_assign(&head->vc, self->vc);
    head->at = dh_thread_epoch(self);
    head->thread = self->number;
    dh_thread_released(self);
    return true;
}

/* ---- the only head ----
 * The same where the record has no heads in lists: the one of the object, if there is one, is
 * `last`. */

/* A relaxed load puts it aside. */
static __attribute__((noinline, preserve_most)) void only_put_aside(struct dh_thread *self,
                                                                    struct dh_record *r) {
    struct dh_epoch at = dh_last_epoch(r->last);
    if (dh_vc_tick(self->fence_acquire, at.slot) < at.tick)
        dh_vc_learn(&self->fence_acquire, r->last_vc, at);
}
/* It is learnt. The thread has not released since the operation began, so it need not tick.
 * These keep the registers, as all does that is called from the middle of an operation. */
static __attribute__((noinline, preserve_most)) void only_learn(struct dh_thread *self,
                                                                struct dh_record *r) {
    dh_footprint_must_be_empty(self);
    dh_vc_learn(&self->vc, r->last_vc, dh_last_epoch(r->last));
    self->learnt_at = self->tick;
}

/* `orders`: the thread does not ignore what orders. */
INLINED void only_load(struct dh_thread *self, struct dh_record *r, uint32_t order, bool orders) {
    if (r->last == 0 || is_known(self, dh_last_epoch(r->last)) || DH_UNLIKELY(!orders)) return;
    if (acquires(order & DH_ORDER_MASK))
        only_learn(self, r);
    else
        only_put_aside(self, r);
}

INLINED void only_release(struct dh_thread *self, struct dh_record *r, uint64_t object,
                          struct dh_epoch was) {
    dh_footprint_must_be_empty(self);
    /* What it knew then it still knows, and nothing else (rt/last.h). */
    if (was.slot != self->slot || was.tick < self->learnt_at) dh_vc_assign(&r->last_vc, self->vc);
    r->last = dh_last_of_object(object, dh_thread_epoch(self));
    dh_thread_released(self);
}

/* What an earlier release fence published. */
static __attribute__((noinline, preserve_most)) bool
only_fence(struct dh_thread *self, struct dh_record *r, uint64_t object, struct dh_epoch was) {
    struct dh_snapshot const *fence = &self->fence_release;
    if (fence->at.slot != self->slot) return false;
    if (was.tick != 0 && was.slot == self->slot) {
        if (was.tick == fence->at.tick) return true;
        if (was.tick > fence->at.tick) return false;
    }
    dh_vc_assign(&r->last_vc, fence->vc);
    r->last = dh_last_of_object(object, fence->at);
    return true;
}

/* A store that publishes nothing ends it, but for the thread's own, in C. */
static __attribute__((noinline, preserve_most)) void only_end(struct dh_thread *self,
                                                              struct dh_record *r, uint32_t order) {
    if (order & DH_ORDER_CXX20 || dh_thread_at(dh_last_epoch(r->last))->number != self->number)
        r->last = 0;
}

/* A write's part. False: nothing was done, and it takes the lists. */
INLINED bool only_write(struct dh_thread *self, struct dh_record *r, uint64_t object,
                        uint32_t order, bool store, bool orders) {
    uint64_t last = r->last;
    struct dh_epoch was = dh_last_epoch(last);
    bool releasing = releases(order & DH_ORDER_MASK);
    if (orders && (releasing || self->fence_released)) {
        /* A read-modify-write continues what another began: then there are two. */
        if (!store && last != 0 && was.slot != self->slot) return false;
        if (!releasing) return only_fence(self, r, object, was);
        only_release(self, r, object, was);
    } else if (store && last != 0) {
        only_end(self, r, order);
    }
    return true;
}

#endif
