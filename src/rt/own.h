/* Ownership of shadow: an interlocked instruction costs more than all the rest of recording an
 * access, and most memory is used by one thread for a long time. So each granule of 16 kB has an
 * owner, the first thread that records an access in it, and the owner changes cells with plain
 * stores. The first access by another thread ends that for ever: from then on the granule is
 * shared, and everybody exchanges.
 *
 *   Rule: a plain store to a cell happens inside a critical section, after finding there that the
 * granule is one's own. Every other change of a cell is an exchange, in a granule that is one's own
 * or shared.
 *
 * Ending ownership: the new thread marks the granule, has a memory barrier executed by all threads
 * (membarrier(2)), and waits until the owner is outside critical sections. A section that the owner
 * enters after the barrier finds the mark; one that it had entered before is over. Then the granule
 * is shared. The wait happens outside critical sections, with signals blocked, and the owner never
 * waits inside one for anybody who could be waiting here: nobody waits in a circle.
 */
#ifndef DEADHEAT_RT_OWN_H
#define DEADHEAT_RT_OWN_H

#include "rt/layout.h"
#include "rt/state.h"

#define DH_OWNER_SHARED UINT32_MAX
#define DH_OWNER_ENDING 0x80000000u /* with the owner's number: it is being told */

/* DH_OWNERS, by granule: 0: nobody's yet, else number of the thread plus one. */

/* Outside critical sections, before the running thread changes cells in this memory other than by
 * dh_quick: sees to it that every granule is its own or shared. */
void dh_own_settle_slow(uintptr_t address, size_t size);

static inline uint32_t dh_owner_of(uintptr_t address) {
    return __atomic_load_n(&DH_OWNERS[address >> DH_GRANULE_SHIFT], __ATOMIC_RELAXED);
}
static inline bool dh_own_settled(uint32_t owner) {
    return owner == __dh_critical.owner || owner == DH_OWNER_SHARED;
}
static inline void dh_own_settle(uintptr_t address, size_t size) {
    bool within = (address ^ (address + size - 1)) >> DH_GRANULE_SHIFT == 0;
    if (DH_LIKELY(within && dh_own_settled(dh_owner_of(address)))) return;
    dh_own_settle_slow(address, size);
}

/* Outside, too, in memory that has shadow: granules that are others' become shared. What is about
 * to be used is better asked for at once, with one barrier. */
void dh_own_end_others(uintptr_t address, size_t size);

/* The memory is new to everybody: its whole granules are nobody's again. */
void dh_own_forget(uintptr_t from, uintptr_t to);

#endif
