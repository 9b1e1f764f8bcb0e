#include "rt/own.h"

#include <sys/syscall.h>

enum { TOGETHER = 64 }; /* granules: one barrier for a megabyte */

static bool is_others(uint32_t owner) {
    return owner != 0 && !dh_own_settled(owner) && owner != (__dh_critical.owner | DH_OWNER_ENDING);
}

/* Ends the ownership of other threads in at most TOGETHER granules. Whoever finds it ending helps:
 * the thread that began may be in the parent of a fork. What is found to be ending after the
 * barrier is another's business, whose barrier is still to come. */
static void end_together(uint32_t *granule, size_t count) {
    uint32_t ending[TOGETHER];
    bool any = false;
    uint64_t signals = dh_signals_block();
    for (size_t i = 0; i < count; i++) {
        uint32_t found = __atomic_load_n(&granule[i], __ATOMIC_ACQUIRE);
        ending[i] = is_others(found) ? found | DH_OWNER_ENDING : 0;
        if (ending[i] == 0) continue;
        if (found != ending[i]
            && !__atomic_compare_exchange_n(&granule[i], &found, ending[i], false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED))
            ending[i] = 0;
        any |= ending[i] != 0;
    }
    if (any) dh_barrier_everywhere();
    for (size_t i = 0; any && i < count; i++) {
        if (ending[i] == 0) continue;
        struct dh_thread *thread = dh_thread_by_number((ending[i] & ~DH_OWNER_ENDING) - 1);
        while (thread && dh_thread_inside(thread))
            dh_syscall(SYS_sched_yield, 0l, 0l, 0l, 0l, 0l, 0l);
        __atomic_compare_exchange_n(&granule[i], &ending[i], DH_OWNER_SHARED, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    }
    dh_signals_restore(signals);
}

static void settle(uint32_t *granule) {
    uint32_t me = __dh_critical.owner;
    for (;;) {
        uint32_t owner = __atomic_load_n(granule, __ATOMIC_ACQUIRE);
        if (dh_own_settled(owner)) return;
        if (owner == (me | DH_OWNER_ENDING))
            return; /* ours is ending; we are outside, so it has ended */
        if (owner == 0) {
            if (__atomic_compare_exchange_n(granule, &owner, me, false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED))
                return;
        } else {
            end_together(granule, 1);
        }
    }
}

void dh_own_end_others(uintptr_t address, size_t size) {
    uintptr_t g = address >> DH_GRANULE_SHIFT, end = ((address + size - 1) >> DH_GRANULE_SHIFT) + 1;
    while (g < end) {
        uintptr_t count = end - g < TOGETHER ? end - g : TOGETHER;
        if (is_others(__atomic_load_n(&DH_OWNERS[g], __ATOMIC_RELAXED)))
            end_together(&DH_OWNERS[g], count);
        else
            count = 1;
        g += count;
    }
}

DH_COLD void dh_own_settle_slow(uintptr_t address, size_t size) {
    uintptr_t last = (address + size - 1) >> DH_GRANULE_SHIFT;
    dh_own_end_others(address, size);
    for (uintptr_t g = address >> DH_GRANULE_SHIFT; g <= last; g++)
        settle(&DH_OWNERS[g]);
}

void dh_own_forget(uintptr_t from, uintptr_t to) {
    uintptr_t const granule = (uintptr_t)1 << DH_GRANULE_SHIFT;
    for (uintptr_t g = (from + granule - 1) >> DH_GRANULE_SHIFT; g < to >> DH_GRANULE_SHIFT; g++)
        if (DH_OWNERS[g] != 0) __atomic_store_n(&DH_OWNERS[g], 0, __ATOMIC_SEQ_CST);
}
