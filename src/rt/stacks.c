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

static dh_stack_id name(struct dh_thread *self, uint64_t const *pcs, uint32_t count,
                        uint64_t hash) {
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

/* Behind pcs[0..count), with this hash. */
static dh_stack_id capture(struct dh_thread *self, uint64_t *pcs, uint32_t count, uint64_t hash,
                           uintptr_t frame) {
    uintptr_t lowest = (uintptr_t)__builtin_frame_address(0), pc;
    while (count < DH_STACK_MAX && (pc = step_up(self, &frame, &lowest)) != 0) {
        pcs[count++] = pc;
        hash = dh_depot_mix(hash, pc);
    }
    return count == 0 ? 0 : name(self, pcs, count, hash);
}

dh_stack_id dh_stack_capture(struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    uint64_t pcs[DH_STACK_MAX];
    pcs[0] = here.pc;
    return self ? capture(self, pcs, 1, dh_depot_mix(DH_DEPOT_SEED, here.pc), here.frame) : 0;
}

dh_stack_id dh_stack_callers(struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    uint64_t pcs[DH_STACK_MAX];
    return self ? capture(self, pcs, 0, DH_DEPOT_SEED, here.frame) : 0;
}

dh_stack_id dh_stack_before(uintptr_t pc, dh_stack_id callers) {
    uint64_t pcs[DH_STACK_MAX], hash = dh_depot_mix(DH_DEPOT_SEED, pc);
    uint32_t count = 1, others;
    uintptr_t const *behind = dh_stack_pcs(callers, &others);
    pcs[0] = pc;
    for (uint32_t i = 0; i < others && count < DH_STACK_MAX; i++, count++) {
        pcs[count] = behind[i];
        hash = dh_depot_mix(hash, behind[i]);
    }
    return name(__dh_tls.self, pcs, count, hash);
}

uintptr_t const *dh_stack_pcs(dh_stack_id id, uint32_t *count) {
    return (uintptr_t const *)dh_depot_values(&dh_stacks_depot, id, count);
}
