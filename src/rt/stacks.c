/* Stacks are taken by following frame pointers, which code built with deadheat keeps. The walk
 * reads only between the current frame and the top of the thread's stack, upwards, so it cannot
 * fault and it ends; where the chain is broken (code without frame pointers) it may pick up a word
 * that is no return address, and reports check for that before they believe it. */
#include "rt/depot.h"
#include "rt/state.h"

dh_stack_id dh_stack_capture(struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    if (!self) return 0;
    uint64_t pcs[DH_STACK_MAX];
    uint32_t count = 1;
    pcs[0] = here.pc;
    uint64_t hash = dh_depot_mix(DH_DEPOT_SEED, here.pc);
    uintptr_t frame = here.frame, top = self->stack_high;
    uintptr_t lowest = (uintptr_t)__builtin_frame_address(0);
    while (count < DH_STACK_MAX && frame > lowest && frame + 16 <= top && frame % 8 == 0) {
        uintptr_t pc = ((uintptr_t const *)frame)[1];
        if (pc < 4096) break; /* the bottom frame's */
        pcs[count++] = pc;
        hash = dh_depot_mix(hash, pc);
        lowest = frame;
        frame = ((uintptr_t const *)frame)[0];
    }
    struct dh_stack_cache *cached = &self->stack_cache[hash % DH_STACK_CACHE];
    if (DH_LIKELY(cached->hash == hash)) return cached->id;
    dh_critical_enter();
    dh_stack_id id = dh_depot_name(&dh_stacks_depot, hash, pcs, count);
    cached->hash = 0; /* a signal handler must not see the new hash with the old number */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    cached->id = id;
    cached->hash = hash;
    dh_critical_leave();
    return id;
}

uintptr_t const *dh_stack_pcs(dh_stack_id id, uint32_t *count) {
    return (uintptr_t const *)dh_depot_values(&dh_stacks_depot, id, count);
}
