/* What the tests of traces share: random traces that are well-formed, writing and reading in
 * memory. */
#ifndef TRACE_TOOLS_H
#define TRACE_TOOLS_H

#include "trace_random.h"

#include "trace/trace.h"

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

static inline void check_same(struct dh_trace_event const *a, struct dh_trace_event const *b) {
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->op, b->op);
    assert_int_equal(a->order, b->order);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->site, b->site);
    assert_int_equal(a->address, b->address);
    assert_int_equal(a->size, b->size);
}

static inline void check_prefix(struct events const *all, struct events const *read) {
    assert_true(read->count <= all->count);
    for (size_t i = 0; i < read->count; i++)
        check_same(&read->list[i], &all->list[i]);
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
