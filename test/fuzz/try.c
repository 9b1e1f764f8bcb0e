#include "try.h"

#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 1 << 14 }; /* more are read, and not written again */

static struct dh_trace_event events[EVENTS];

static void must(bool holds, char const *what) {
    if (holds) return;
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

static bool same(struct dh_trace_event const *a, struct dh_trace_event const *b) {
    return a->op == b->op && a->order == b->order && a->kind == b->kind && a->thread == b->thread
           && a->site == b->site && a->address == b->address && a->size == b->size;
}

static void write_again(size_t count, enum dh_trace_form form) {
    char *bytes;
    size_t size;
    FILE *to = open_memstream(&bytes, &size);
    if (!to) abort();
    struct dh_trace_writer *writer = dh_trace_create(to, form);
    for (size_t i = 0; i < count; i++)
        must(dh_trace_put(writer, &events[i]) == 0, "what was read cannot be written");
    must(dh_trace_finish(writer) == 0, "writing does not end");
    fclose(to);
    struct dh_trace_error error;
    struct dh_trace_reader *reader = dh_trace_open_memory(bytes, size, &error);
    must(reader != NULL, "what was written cannot be opened");
    struct dh_trace_event event;
    for (size_t i = 0; i < count; i++) {
        must(dh_trace_next(reader, &event, &error) == 1, "what was written cannot be read");
        must(same(&event, &events[i]), "what was written is read as something else");
    }
    must(dh_trace_next(reader, &event, &error) == 0, "there is more than was written");
    dh_trace_close(reader);
    free(bytes);
}

void try_trace(void const *bytes, size_t size) {
    struct dh_trace_error error;
    struct dh_trace_reader *reader = dh_trace_open_memory(bytes, size, &error);
    if (!reader) return;
    struct dh_trace_event event;
    size_t count = 0;
    int result;
    while ((result = dh_trace_next(reader, &event, &error)) > 0) {
        dh_trace_site(reader, event.site);
        if (count < EVENTS) events[count] = event;
        count++;
    }
    must(result == 0 || error.offset <= size, "an error beyond the end");
    must(result == 0 || strlen(error.message) > 0, "an error without words");
    dh_trace_close(reader);
    if (count > EVENTS) return;
    /* Also after an error: what came before it was well-formed. */
    write_again(count, DH_TRACE_TEXT);
    write_again(count, DH_TRACE_BINARY);
}

void try_trace_after(char const *first, void const *bytes, size_t size) {
    size_t length = strlen(first);
    char *whole = malloc(length + size);
    if (!whole) abort();
    memcpy(whole, first, length);
    if (size) memcpy(whole + length, bytes, size);
    try_trace(whole, length + size);
    free(whole);
}
