/* Call stacks, each kept once and for ever, and named by a 32-bit number. Adding takes a lock only
 * when the array is new. There is a ceiling on memory: beyond it new stacks have no name (0), which
 * costs reports some detail. */
#ifndef DEADHEAT_RT_DEPOT_H
#define DEADHEAT_RT_DEPOT_H

#include "rt/base.h"

struct dh_depot; /* see depot.c */
extern struct dh_depot dh_stacks_depot;

/* Inside a critical section. `hash` is made of the array by dh_depot_mix, from a seed that tells
 * apart equal arrays that shall have names of their own. */
uint32_t dh_depot_name(struct dh_depot *depot, uint64_t hash, uint64_t const *values,
                       uint32_t count);
uint64_t const *dh_depot_values(struct dh_depot *depot, uint32_t name, uint32_t *count);
/* What is added from now on has this name, or a higher one. */
uint32_t dh_depot_next(struct dh_depot *depot);

#define DH_DEPOT_SEED 0x243f6a8885a308d3u
static inline uint64_t dh_depot_mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 32;
}

#endif
