/* Contexts: calls of functions, as a thread tells them apart: by the frame, what it was called from,
 * and the moment. So the frames are followed once for each call, and not for each access or lock in
 * it. Two stacks that agree in all of these and differ further out, at one moment, are taken for
 * one. At the next moment they are compared with what they were, which is mostly the same.
 *
 * A frame pointer may be any number. What a context says of a frame was found by a walk inside the
 * thread's own stack: where the same number comes again, the words that are compared can be read.
 */
#ifndef DEADHEAT_RT_CONTEXTS_H
#define DEADHEAT_RT_CONTEXTS_H

#include "rt/state.h"

static inline struct dh_context *dh_context_of(struct dh_places *places, uintptr_t frame) {
    return &places->contexts[frame / 16 % DH_CONTEXTS];
}
/* The same where much is done with it: or clang would find each part of it anew. */
static inline struct dh_context *dh_context_kept(struct dh_places *places, uintptr_t frame) {
    struct dh_context *c = dh_context_of(places, frame);
    __asm__("" : "+r"(c));
    return c;
}

/* It is of the running call. The outer frame was one then: it can be read. */
static inline __attribute__((always_inline)) bool dh_context_is_of(struct dh_context const *c,
                                                                   uintptr_t frame) {
    return DH_LIKELY(c->frame == frame) && DH_LIKELY(((uintptr_t const *)frame)[1] == c->caller)
           && DH_LIKELY(*c->outer == c->outer_caller);
}

/* It is of the running call, and was so at this moment. */
static inline bool dh_context_is_now(struct dh_thread const *self, struct dh_context const *c,
                                     uintptr_t frame) {
    return c->moment == self->moment && dh_context_is_of(c, frame);
}

/* The same call goes on at another moment: all frames hold what they did. Those that were frames on
 * this stack then can be read now, also where others lead elsewhere by now. Most stacks are short,
 * and the first few links are compared without a loop: then little else needs a register. */
#define DH_CONTEXT_FIRST 4
static inline bool dh_link_holds(struct dh_link const *then, uintptr_t frame) {
    struct dh_link const *now = (struct dh_link const *)frame;
    return DH_LIKELY(now->caller == then->caller) && DH_LIKELY(now->outer == then->outer);
}
/* The same from so many links on. Keeps all registers. */
__attribute__((preserve_most)) bool dh_context_goes_on_from(struct dh_context const *c,
                                                            uint32_t links);
static inline __attribute__((always_inline)) bool dh_context_goes_on(struct dh_context const *c,
                                                                     uintptr_t frame) {
    uint32_t const links = c->whole;
    if (DH_UNLIKELY(c->frame != frame) || DH_UNLIKELY(links == 0)) return false;
#pragma clang loop unroll(full)
    for (uint32_t i = 0; i < DH_CONTEXT_FIRST; i++) {
        if (!dh_link_holds(&c->link[i], i == 0 ? frame : c->link[i - 1].outer)) return false;
        if (links == i + 1) return true;
    }
    return dh_context_goes_on_from(c, DH_CONTEXT_FIRST);
}

/* The stack at `here`, if it was asked for there the last time that it was in this context. 0: it
 * is not known. */
static inline __attribute__((always_inline)) dh_stack_id
dh_context_stack(struct dh_context const *c, struct dh_here here) {
    return DH_LIKELY(c->pc == here.pc) && dh_context_goes_on(c, here.frame) ? c->stack : 0;
}

/* With the lock that the caller is about to take a moment begins, and the call goes on at its
 * beginning. The first epoch of that moment is the running one, or the next if this one was
 * released: whether the thread learns anything makes no difference. */
static inline void dh_context_expect_lock(struct dh_context *c, struct dh_thread const *self) {
    c->next_moment = self->moment + 1 + self->released;
}

/* What the context says of the frame, its callers above all, becomes what is so now. Where the frame
 * is none on the thread's stack, `links` is 0 then, and nothing will be in this context again.
 * Inside a critical section, in a thread that keeps contexts. */
__attribute__((preserve_most)) void dh_context_begin(struct dh_context *c, uintptr_t frame);
/* That is so already. Where the moment began when it was the same call, this one is taken for it if
 * its innermost callers are the same: as ever within a moment. */
static inline __attribute__((always_inline)) bool
dh_context_is_known(struct dh_thread const *self, struct dh_context const *c, uintptr_t frame) {
    return (DH_LIKELY(c->next_moment == self->moment) && dh_context_is_of(c, frame))
           || DH_LIKELY(dh_context_goes_on(c, frame));
}
static inline void dh_context_learn(struct dh_thread const *self, struct dh_context *c,
                                    uintptr_t frame) {
    if (!dh_context_is_known(self, c, frame)) dh_context_begin(c, frame);
}

/* Threads without a history keep none. */
static inline bool dh_contexts_kept(struct dh_thread const *self) {
    return DH_LIKELY(self->places != &dh_no_places);
}

/* The running thread's stack, for which there is less to do where the caller's context is known.
 * Outside critical sections. */
dh_stack_id dh_context_capture(struct dh_here here);

/* With the world stopped: none of the thread's contexts goes on. */
void dh_contexts_interrupt(struct dh_thread *thread);

#endif
