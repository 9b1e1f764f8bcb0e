/* Sites: numbers for the places in the code that events come from, and what they stand for. */
#ifndef DEADHEAT_RT_TAPE_SITES_H
#define DEADHEAT_RT_TAPE_SITES_H

#include "rt/base.h"

void dh_tape_sites_init(void);

/* The number of a return address, the same for all threads; 0 for address 0, or when there are too
 * many. No lock: a table that only grows. */
uint32_t dh_tape_site_slow(uintptr_t pc);

#define DH_TAPE_SITES (1u << 18)
extern uintptr_t *dh_tape_sites;

static inline uint32_t dh_tape_site_hash(uintptr_t pc) {
    return (uint32_t)(pc * 0x9e3779b97f4a7c15u >> 46);
}

static inline uint32_t dh_tape_site(uintptr_t pc) {
    uint32_t at = dh_tape_site_hash(pc);
    if (DH_LIKELY(__atomic_load_n(&dh_tape_sites[at], __ATOMIC_RELAXED) == pc && pc != 0))
        return at + 1;
    return dh_tape_site_slow(pc);
}

/* Puts all of them into words, on the tape. The caller has the turn to report. */
void dh_tape_sites_write(void);

#endif
