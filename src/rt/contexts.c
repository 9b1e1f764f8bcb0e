#include "rt/contexts.h"
#include "rt/history.h"
#include "rt/locks.h"
#include "rt/options.h"

enum { CALLERS = 8 /* are learnt with a call, at most */ };

struct dh_places dh_no_places DH_TABLE;

static uintptr_t const no_link[2] = {0, 0};
struct dh_context const dh_nowhere = {
    .frame = (uintptr_t)no_link,
    .caller = 1,
    .outer = no_link,
    .event = DH_EVENT_PAST,
};

static bool is_frame(struct dh_thread const *self, uintptr_t frame, uintptr_t inner) {
    uintptr_t top = self->stack_high; /* any number may be in the register: nothing may wrap */
    return frame > inner && frame >= self->stack_low && frame < top && top - frame >= 16
           && frame % 8 == 0;
}

static void nowhere(struct dh_context *c) {
    c->frame = dh_nowhere.frame;
    c->caller = dh_nowhere.caller;
    c->outer = dh_nowhere.outer;
    c->outer_caller = dh_nowhere.outer_caller;
    c->moment = c->next_moment = 0;
    c->links = c->whole = 0;
}

/* What each access compares. */
static void innermost(struct dh_thread *self, struct dh_context *c) {
    uint64_t const number = (uint64_t)(c - self->places->contexts);
    struct dh_link const *link = c->link;
    bool const two = c->links > 1;
    c->event = number << DH_EVENT_CONTEXT_SHIFT;
    c->caller = link[0].caller;
    c->outer = (uintptr_t const *)(two ? link[0].outer : c->frame) + 1;
    c->outer_caller = link[two].caller;
    if (c->links == 0) nowhere(c);
}

static dh_stack_id stack_of_call(struct dh_thread *self, uintptr_t pc, dh_stack_id callers) {
    struct dh_call *call =
        &self->places
             ->calls[(pc ^ (uint64_t)callers << 32) * 0x9e3779b97f4a7c15u >> (64 - DH_CALLS_BITS)];
    if (DH_UNLIKELY(call->pc != pc || call->callers != callers))
        *call = (struct dh_call){pc, callers, dh_stack_before(pc, callers)};
    return call->stack;
}

/* The frames are followed. */
static void walk(struct dh_thread *self, struct dh_context *c, uintptr_t frame) {
    uintptr_t inner = (uintptr_t)__builtin_frame_address(0);
    c->callers = dh_stack_callers((struct dh_here){.frame = frame});
    c->links = 0;
    while (c->links < DH_CONTEXT_LINKS && is_frame(self, frame, inner)) {
        inner = frame;
        c->link[c->links++] = *(struct dh_link const *)frame;
        frame = *(uintptr_t const *)frame;
    }
    c->whole = is_frame(self, frame, inner) ? 0 : c->links;
}

/* The caller's frame and all behind it are as its own context says: this call adds itself. */
static void join(struct dh_thread *self, struct dh_context *c, struct dh_link link,
                 struct dh_context const *outer) {
    uint32_t const links = outer->links < DH_CONTEXT_LINKS ? outer->links : DH_CONTEXT_LINKS - 1;
    c->callers = stack_of_call(self, link.caller, outer->callers);
    c->link[0] = link;
    for (uint32_t i = 0; i < links; i++)
        c->link[i + 1] = outer->link[i];
    c->links = (uint16_t)(links + 1);
    c->whole = outer->whole == links ? c->links : 0;
}

/* The context of the function that has called the one with this frame; null if there is none to go
 * by. Of the callers that are not known either, up to so many are learnt first. */
static void begin(struct dh_thread *self, struct dh_context *c, uintptr_t frame, uint32_t callers);
static struct dh_context const *outer_of(struct dh_thread *self, struct dh_context const *c,
                                         uintptr_t frame, uint32_t callers) {
    struct dh_link const *link = (struct dh_link const *)frame;
    if (!is_frame(self, frame, (uintptr_t)__builtin_frame_address(0))
        || !is_frame(self, link->outer, frame) || link->caller < DH_BOTTOM)
        return 0;
    struct dh_context *outer = dh_context_of(self->places, link->outer);
    if (outer == c) return 0;
    if (dh_context_is_now(self, outer, link->outer)
        || dh_context_is_known(self, outer, link->outer))
        return outer;
    if (callers == 0) return 0;
    begin(self, outer, link->outer, callers - 1);
    return outer->links != 0 ? outer : 0;
}

static void begin(struct dh_thread *self, struct dh_context *c, uintptr_t frame, uint32_t callers) {
    struct dh_context const *outer = outer_of(self, c, frame, callers);
    c->frame = frame;
    c->moment = c->pc = c->next_moment = 0;
    if (outer)
        join(self, c, *(struct dh_link const *)frame, outer);
    else
        walk(self, c, frame);
    innermost(self, c);
}

__attribute__((noinline, preserve_most)) void dh_context_begin(struct dh_context *c,
                                                               uintptr_t frame) {
    begin(__dh_tls.self, c, frame, CALLERS);
    __dh_tls.self->places->contexts_used = true;
}

__attribute__((noinline, preserve_most)) bool dh_context_goes_on_from(struct dh_context const *c,
                                                                      uint32_t links) {
    for (uint32_t i = links; i < c->whole; i++)
        if (!dh_link_holds(&c->link[i], c->link[i - 1].outer)) return false;
    return true;
}

/* ---- stacks ---- */

/* Of a stack that has more frames than a context, or none that can be followed, nothing is
 * known. */
static __attribute__((noinline)) dh_stack_id stack_slow(struct dh_here here, bool lock) {
    struct dh_thread *self = __dh_tls.self;
    if (DH_UNLIKELY(!self || !dh_contexts_kept(self))) return dh_stack_capture(here);
    dh_stack_id stack = 0;
    dh_critical_enter();
    struct dh_context *c = dh_context_of(self->places, here.frame);
    bool known = dh_context_goes_on(c, here.frame);
    if (DH_UNLIKELY(!known) && (c->frame != here.frame || c->whole == c->links)) {
        dh_context_begin(c, here.frame);
        known = c->whole != 0;
    }
    if (DH_LIKELY(known)) {
        c->stack = stack = stack_of_call(self, here.pc, c->callers);
        c->pc = here.pc;
        if (lock) dh_context_expect_lock(c, self);
    }
    dh_critical_leave();
    return stack ? stack : dh_stack_capture(here);
}

dh_stack_id dh_context_capture(struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    if (DH_UNLIKELY(!self)) return 0;
    dh_critical_enter();
    dh_stack_id stack = dh_context_stack(dh_context_of(self->places, here.frame), here);
    dh_critical_leave();
    return DH_LIKELY(stack != 0) ? stack : stack_slow(here, false);
}

/* Adopts a thread that is not known yet: what it locks has a stack, too. */
dh_stack_id dh_lock_stack_slow(void const *frame) {
    if (!dh_options.enabled) return 0;
    dh_self();
    return stack_slow(dh_here_in(frame), true);
}

void dh_lock_failed(void const *frame) {
    struct dh_thread *self = __dh_tls.self;
    if (!self || !dh_contexts_kept(self)) return;
    dh_critical_enter();
    dh_context_of(self->places, dh_here_in(frame).frame)->next_moment = 0;
    dh_critical_leave();
}

/* Without touching what was never used: threads that sleep should take no memory. */
void dh_contexts_interrupt(struct dh_thread *thread) {
    dh_moment_begins(thread);
    for (uint32_t i = 0; i < DH_CONTEXTS; i++) {
        struct dh_context *c = &thread->places->contexts[i];
        if (c->frame != 0) nowhere(c);
    }
    if (thread->places->contexts_used)
        dh_fill(thread->places->calls, 0, sizeof thread->places->calls);
}
