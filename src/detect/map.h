/* A map from numbers to numbers, in an arena: synchronisation objects to what is kept for them.
 * Open addressing; a value is never 0. */
#ifndef DEADHEAT_DETECT_MAP_H
#define DEADHEAT_DETECT_MAP_H

#include "util/arena.h"

struct dh_map {
    struct dh_map_entry {
        uint64_t key, value; /* value 0: free */
    } * entries;
    uint32_t count, room; /* room is 0 or a power of two; count stays below three quarters of it */
};

/* The value of the key, or 0. */
uint64_t dh_map_find(struct dh_map const *table, uint64_t key);

/* The value of the key, to be set if it is 0. Valid until the next call. */
uint64_t *dh_map_at(struct dh_map *table, struct dh_arena *memory, uint64_t key);

#endif
