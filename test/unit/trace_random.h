/* Random traces that are well-formed, for unit tests and for what fuzzing begins with. */
#ifndef TRACE_RANDOM_H
#define TRACE_RANDOM_H

#include "trace/format.h"
#include "trace/wellformed.h"

#include <stdlib.h>

struct events {
    struct dh_trace_event *list;
    size_t count, room;
};

static inline void add_event(struct events *events, struct dh_trace_event event) {
    if (events->count == events->room) {
        events->room = events->room ? 2 * events->room : 64;
        events->list = realloc(events->list, events->room * sizeof event);
        if (!events->list) abort();
    }
    events->list[events->count++] = event;
}

static inline uint64_t draw(uint64_t *seed, uint64_t below) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (*seed >> 11) % below;
}

/* Any event, mostly of plain kinds, that may or may not be possible. Exits are so rare that there
 * are threads left. */
static inline struct dh_trace_event random_event(uint64_t *seed, uint32_t threads,
                                                 size_t exits_rare) {
    struct dh_trace_event e = {.thread = (uint32_t)draw(seed, threads)};
    e.op = (uint8_t)draw(seed, draw(seed, 3) ? 2 : DH_OP_COUNT);
    if (draw(seed, 2)) e.site = (uint32_t)draw(seed, draw(seed, 10) ? 8 : UINT32_MAX);
    if (dh_op_has(e.op, 'a')) {
        e.size = UINT64_C(1) << draw(seed, 5);
        e.address = e.size * draw(seed, draw(seed, 20) ? 64 : UINT32_MAX);
        if (draw(seed, 50) == 0 && !dh_op_has(e.op, 'm')) e.size = 1 + draw(seed, 1 << 30);
    }
    if (dh_op_has(e.op, 'o')) e.address = draw(seed, 6);
    if (dh_op_has(e.op, 't')) e.address = draw(seed, threads);
    if (dh_op_has(e.op, 'm'))
        e.order = (uint8_t)draw(seed, 6) | (draw(seed, 4) ? 0 : DH_TRACE_CXX20);
    if (dh_op_has(e.op, 'k')) e.kind = (uint8_t)draw(seed, DH_KINDS);
    if (e.op == DH_OP_EXIT && draw(seed, exits_rare)) e.op = DH_OP_FENCE;
    return e;
}

static inline struct events random_trace(uint64_t seed, size_t count, uint32_t threads) {
    struct events events = {0};
    struct dh_wellformed w;
    dh_wellformed_begin(&w);
    seed = seed * 0x9e3779b97f4a7c15u + 1;
    for (size_t tries = 0; events.count < count && tries < 100 * count; tries++) {
        struct dh_trace_event e = random_event(&seed, threads, 2 + count / 64);
        if (!dh_wellformed_step(&w, &e)) add_event(&events, e);
    }
    dh_wellformed_end(&w);
    return events;
}

#endif
