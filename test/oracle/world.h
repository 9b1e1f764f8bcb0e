/* Which events can come next in a well-formed trace (docs/traces.md), for the makers of traces.
 * Small, and copied by assignment. Names of locks, barriers and blocks are numbers below
 * WORLD_NAMES. */
#ifndef DEADHEAT_TEST_WORLD_H
#define DEADHEAT_TEST_WORLD_H

#include "trace/event.h"

#include <stdbool.h>

enum { WORLD_THREADS = 16, WORLD_NAMES = 8 };

struct world {
    uint8_t threads; /* made so far; thread 0 always is */
    uint16_t exited;
    uint8_t owner[WORLD_NAMES]; /* of a lock: the thread + 1, or 0 */
    uint16_t readers[WORLD_NAMES];
    uint16_t arrived[WORLD_NAMES], departed[WORLD_NAMES];
    struct {
        uint64_t address, size; /* of live blocks; size 0: none */
    } blocks[WORLD_NAMES];
};

void world_begin(struct world *w);

/* Whether the event can happen; if so it does. */
bool world_step(struct world *w, struct dh_trace_event const *event);

/* The trace in its text form, to standard output. */
void world_print(struct dh_trace_event const *trace, uint32_t count);

#endif
