/* Stacks are taken by following frame pointers, which code built with deadheat keeps. The walk
 * reads only between the current frame and the top of the thread's stack, upwards, so it cannot
 * fault and it ends; where the chain is broken (code without frame pointers) it may pick up a word
 * that is no return address, and reports check for that before they believe it. */
#include "rt/depot.h"
#include "rt/state.h"

/* The next frame of a walk: *frame and *lowest move up. 0: there is none. */
static inline uintptr_t step_up(struct dh_thread const *self, uintptr_t *frame, uintptr_t *lowest) {
    uintptr_t at = *frame;
    if (at <= *lowest || at + 16 > self->stack_high || at % 8 != 0) return 0;
    uintptr_t pc = ((uintptr_t const *)at)[1];
    *lowest = at;
    *frame = ((uintptr_t const *)at)[0];
    return pc < 4096 ? 0 : pc; /* the bottom frame's */
}

uint64_t dh_stack_callers(struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    uint64_t hash = DH_DEPOT_SEED;
    uintptr_t frame = here.frame, lowest = (uintptr_t)__builtin_frame_address(0), pc;
    for (int i = 1; self && i < DH_STACK_MAX && (pc = step_up(self, &frame, &lowest)) != 0; i++)
        hash = dh_depot_mix(hash, pc);
    return hash;
}

DH_COLD dh_stack_id dh_stack_before_slow(struct dh_thread *self, struct dh_here here,
                                         uint64_t hash) {
    uint64_t pcs[DH_STACK_MAX];
    uint32_t count = 1;
    pcs[0] = here.pc;
    uintptr_t frame = here.frame, lowest = (uintptr_t)__builtin_frame_address(0), pc;
    while (count < DH_STACK_MAX && (pc = step_up(self, &frame, &lowest)) != 0)
        pcs[count++] = pc;
    struct dh_stack_cache *cached = &self->stack_cache[hash % DH_STACK_CACHE];
    dh_critical_enter();
    dh_stack_id id = dh_depot_name(&dh_stacks_depot, hash, pcs, count);
    cached->hash = 0; /* a signal handler must not see the new hash with the old number */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    cached->id = id;
    cached->hash = hash;
    dh_critical_leave();
    return id;
}

dh_stack_id dh_stack_capture(struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    return self ? dh_stack_before(self, here, dh_stack_callers(here)) : 0;
}

uintptr_t const *dh_stack_pcs(dh_stack_id id, uint32_t *count) {
    return (uintptr_t const *)dh_depot_values(&dh_stacks_depot, id, count);
}
