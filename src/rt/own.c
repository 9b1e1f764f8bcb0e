#include "rt/own.h"

#include <sys/syscall.h>

/* Ends the ownership of another thread. Whoever finds it ending helps: the thread that began may be
 * in the parent of a fork. */
static void end_ownership(uint32_t *granule, uint32_t found) {
    uint64_t signals = dh_signals_block();
    uint32_t owner = found & ~DH_OWNER_ENDING, ending = owner | DH_OWNER_ENDING;
    if (found == ending
        || __atomic_compare_exchange_n(granule, &found, ending, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_RELAXED)) {
        struct dh_thread *thread = dh_thread_by_number(owner - 1);
        dh_barrier_everywhere();
        while (thread && dh_thread_inside(thread))
            dh_syscall(SYS_sched_yield, 0l, 0l, 0l, 0l, 0l, 0l);
        __atomic_compare_exchange_n(granule, &ending, DH_OWNER_SHARED, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_RELAXED);
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
            end_ownership(granule, owner);
        }
    }
}

DH_COLD void dh_own_settle_slow(uintptr_t address, size_t size) {
    uintptr_t last = (address + size - 1) >> DH_GRANULE_SHIFT;
    for (uintptr_t g = address >> DH_GRANULE_SHIFT; g <= last; g++)
        settle(&DH_OWNERS[g]);
}

void dh_own_forget(uintptr_t from, uintptr_t to) {
    uintptr_t const granule = (uintptr_t)1 << DH_GRANULE_SHIFT;
    for (uintptr_t g = (from + granule - 1) >> DH_GRANULE_SHIFT; g < to >> DH_GRANULE_SHIFT; g++)
        if (DH_OWNERS[g] != 0) __atomic_store_n(&DH_OWNERS[g], 0, __ATOMIC_SEQ_CST);
}
