/* What the tests of traces share: random traces that are well-formed, writing and reading in
 * memory. */
#ifndef TRACE_TOOLS_H
#define TRACE_TOOLS_H

#include "trace/format.h"
#include "trace/trace.h"
#include "trace/wellformed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct bytes {
    char *data;
    size_t size;
};

struct events {
    struct dh_trace_event *list;
    size_t count, room;
};

static inline void add_event(struct events *events, struct dh_trace_event event) {
    if (events->count == events->room) {
        events->room = events->room ? 2 * events->room : 64;
        events->list = realloc(events->list, events->room * sizeof event);
        assert_non_null(events->list);
    }
    events->list[events->count++] = event;
}

static inline uint64_t draw(uint64_t *seed, uint64_t below) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (*seed >> 11) % below;
}

/* Any event, mostly of plain kinds, that may or may not be possible. */
static inline struct dh_trace_event random_event(uint64_t *seed, uint32_t threads) {
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
    /* Or the trace would soon have no threads. */
    if (e.op == DH_OP_EXIT && draw(seed, 8)) e.op = DH_OP_FENCE;
    return e;
}

static inline struct events random_trace(uint64_t seed, size_t count, uint32_t threads) {
    struct events events = {0};
    struct dh_wellformed w;
    dh_wellformed_begin(&w);
    seed = seed * 0x9e3779b97f4a7c15u + 1;
    for (size_t tries = 0; events.count < count && tries < 100 * count; tries++) {
        struct dh_trace_event e = random_event(&seed, threads);
        if (!dh_wellformed_step(&w, &e)) add_event(&events, e);
    }
    dh_wellformed_end(&w);
    return events;
}

static inline void check_same(struct dh_trace_event const *a, struct dh_trace_event const *b) {
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->op, b->op);
    assert_int_equal(a->order, b->order);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->site, b->site);
    assert_int_equal(a->address, b->address);
    assert_int_equal(a->size, b->size);
}

static inline struct bytes write_events(struct events const *events, enum dh_trace_form form) {
    struct bytes bytes;
    FILE *to = open_memstream(&bytes.data, &bytes.size);
    assert_non_null(to);
    struct dh_trace_writer *writer = dh_trace_create(to, form);
    for (size_t i = 0; i < events->count; i++)
        assert_int_equal(dh_trace_put(writer, &events->list[i]), 0);
    assert_int_equal(dh_trace_finish(writer), 0);
    fclose(to);
    return bytes;
}

/* Reads to the end: its result is 0 or -1, and the events before it are in *events. */
static inline int read_events(void const *data, size_t size, struct events *events,
                              struct dh_trace_error *error) {
    *events = (struct events){0};
    struct dh_trace_reader *reader = dh_trace_open_memory(data, size, error);
    if (!reader) return -1;
    struct dh_trace_event event;
    int result;
    while ((result = dh_trace_next(reader, &event, error)) > 0)
        add_event(events, event);
    assert_int_equal(dh_trace_next(reader, &event, error), result);
    dh_trace_close(reader);
    return result;
}

#endif
