/* Stacks are taken by following frame pointers, which code built with deadheat keeps. The walk goes
 * upwards from the current frame, so it ends. On the stack that the thread was given it stays
 * inside that, and cannot fault. On any other (a context's, a fiber's, a signal handler's) nobody
 * says where that ends: then the kernel is asked, once a page, whether a frame can be read. Where
 * the chain is broken (code without frame pointers) it may pick up a word that is no return
 * address, and reports check for that before they believe it. */
#include "rt/depot.h"
#include "rt/state.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* Asks for a change of the signal mask that is none: the kernel reads the new mask, and then finds
 * that there is no such change. No sandbox can do without this call. */
static bool can_be_read(uintptr_t address) {
    return dh_syscall(SYS_rt_sigprocmask, -1l, address, 0l, 8l, 0l, 0l) == -EINVAL;
}

uint32_t dh_stack_generation;

/* Where a walk may read. */
struct bounds {
    uintptr_t low, high; /* of the thread's own stack; empty: on another */
    uintptr_t page;      /* known to be readable */
};

static bool is_frame(struct bounds *b, uintptr_t frame, uintptr_t inner) {
    if (frame <= inner || frame % 8 != 0) return false;
    if (b->low < b->high) /* any number may be in the register: nothing may wrap */
        return frame >= b->low && frame < b->high && b->high - frame >= 16;
    uintptr_t const page = 4096;
    for (uintptr_t word = frame; word <= frame + 8; word += 8) {
        if (word / page == b->page) continue;
        if (!can_be_read(word)) return false;
        b->page = word / page;
    }
    return true;
}

static struct bounds bounds_of(struct dh_thread const *self, uintptr_t here) {
    struct bounds bounds = {self->stack_low, self->stack_high, 0};
    if (DH_UNLIKELY(here - bounds.low >= bounds.high - bounds.low)) bounds.low = bounds.high;
    return bounds;
}

/* The next frame of a walk: *frame and *lowest move up. 0: there is none. */
static inline uintptr_t step_up(struct bounds *bounds, uintptr_t *frame, uintptr_t *lowest) {
    uintptr_t at = *frame;
    if (!is_frame(bounds, at, *lowest)) return 0;
    uintptr_t pc = ((uintptr_t const *)at)[1];
    *lowest = at;
    *frame = ((uintptr_t const *)at)[0];
    return pc < DH_BOTTOM ? 0 : pc;
}

static uint64_t seed(void) { return DH_DEPOT_SEED + dh_stack_generation; }

static dh_stack_id name(struct dh_thread *self, uint64_t const *pcs, uint32_t count,
                        uint64_t hash) {
    struct dh_stack_cache *cached = &self->places->stack_cache[hash % DH_STACK_CACHE];
    if (DH_LIKELY(cached->hash == hash)) return cached->id;
    dh_critical_enter();
    dh_stack_id id = dh_depot_name(&dh_stacks_depot, hash, pcs, count);
    if (self->places != &dh_no_places) {
        cached->hash = 0; /* a signal handler must not see the new hash with the old number */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        cached->id = id;
        cached->hash = hash;
    }
    dh_critical_leave();
    return id;
}

/* Behind pcs[0..count), with this hash. */
static dh_stack_id capture(struct dh_thread *self, uint64_t *pcs, uint32_t count, uint64_t hash,
                           uintptr_t frame) {
    uintptr_t lowest = (uintptr_t)__builtin_frame_address(0), pc;
    struct bounds bounds = bounds_of(self, lowest);
    while (count < DH_STACK_MAX && (pc = step_up(&bounds, &frame, &lowest)) != 0) {
        pcs[count++] = pc;
        hash = dh_depot_mix(hash, pc);
    }
    return count == 0 ? 0 : name(self, pcs, count, hash);
}

dh_stack_id dh_stack_capture(struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    uint64_t pcs[DH_STACK_MAX];
    pcs[0] = here.pc;
    return self ? capture(self, pcs, 1, dh_depot_mix(seed(), here.pc), here.frame) : 0;
}

dh_stack_id dh_stack_callers(struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    uint64_t pcs[DH_STACK_MAX];
    return self ? capture(self, pcs, 0, seed(), here.frame) : 0;
}

dh_stack_id dh_stack_before(uintptr_t pc, dh_stack_id callers) {
    uint64_t pcs[DH_STACK_MAX], hash = dh_depot_mix(seed(), pc);
    uint32_t count = 1, others;
    uintptr_t const *behind = dh_stack_pcs(callers, &others);
    pcs[0] = pc;
    for (uint32_t i = 0; i < others && count < DH_STACK_MAX; i++, count++) {
        pcs[count] = behind[i];
        hash = dh_depot_mix(hash, behind[i]);
    }
    return name(__dh_tls.self, pcs, count, hash);
}

uintptr_t dh_stack_frame_of(uintptr_t variable) {
    uintptr_t lowest = (uintptr_t)__builtin_frame_address(0), frame = *(uintptr_t const *)lowest;
    struct bounds bounds = bounds_of(__dh_tls.self, lowest);
    if (variable < lowest) return 0; /* on another stack */
    while (frame < variable)
        if (step_up(&bounds, &frame, &lowest) == 0) return 0;
    return frame;
}

uintptr_t const *dh_stack_pcs(dh_stack_id id, uint32_t *count) {
    return (uintptr_t const *)dh_depot_values(&dh_stacks_depot, id, count);
}

dh_stack_id dh_stack_next(void) { return dh_depot_next(&dh_stacks_depot); }

/* It grows. Linux keeps as much below its top free of mappings as the limit allowed when the
 * program began, but at least 128 MB. */
void dh_stack_of_main(uintptr_t *low, uintptr_t *high) {
    extern void *__libc_stack_end;
    uint64_t const least = 128ul << 20, most = 64ul << 30;
    struct rlimit64 limit = {0, 0};
    dh_syscall(SYS_prlimit64, 0l, (long)RLIMIT_STACK, 0l, &limit, 0l, 0l);
    uint64_t size = limit.rlim_cur < least ? least : limit.rlim_cur;
    *high = (uintptr_t)__libc_stack_end;
    *low = *high - (size < most ? size : most);
}
