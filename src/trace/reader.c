#include "trace/reader.h"

#include "trace/format.h"
#include "trace/lines.h"
#include "util/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int dh_trace_bad(struct dh_trace_error *error, uint64_t offset, uint64_t line, char const *format,
                 ...) {
    error->offset = offset;
    error->line = line;
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return -1;
}

void *dh_trace_memory(size_t size) {
    void *memory = calloc(1, size);
    if (!memory) dh_fail("out of memory");
    return memory;
}

void *dh_trace_grow(void *items, size_t count, size_t *room, size_t size) {
    if (count < *room) return items;
    *room = *room ? 2 * *room : 4;
    items = reallocarray(items, *room, size);
    if (!items) dh_fail("out of memory");
    return items;
}

/* ---- Which form it is ---- */

static bool begins(char const *bytes, size_t size, char const *with) {
    size_t length = strlen(with);
    return memcmp(bytes, with, size < length ? size : length) == 0;
}

/* Null with the error set, unless it is one of the three. What is shorter than the mark of its form
 * is given to that form, which says that it is cut short. */
static struct dh_trace_reader *recognise(struct dh_source const *source,
                                         struct dh_trace_error *error) {
    char head[DH_LINE_MAX];
    size_t size;
    int trouble = dh_source_read(source, 0, head, sizeof head, &size);
    if (trouble) {
        dh_trace_bad(error, 0, 0, "%s", strerror(trouble));
        return NULL;
    }
    if (size == 0) {
        dh_trace_bad(error, 0, 0, "the file is empty");
        return NULL;
    }
    if (begins(head, size, DH_TRACE_MAGIC)) return dh_binary_reader(source, error);
    if (begins(head, size, DH_TEXT_FIRST)) return dh_text_reader(source);
    if (dh_looks_like_std(head, size)) return dh_std_reader(source);
    dh_trace_bad(error, 0, 0, "this is no trace: neither binary, nor text, nor in STD form");
    return NULL;
}

static struct dh_trace_reader *open_source(struct dh_source *source, struct dh_trace_error *error) {
    struct dh_trace_reader *reader = recognise(source, error);
    if (reader)
        dh_wellformed_begin(&reader->wellformed);
    else
        dh_source_close(source);
    return reader;
}

struct dh_trace_reader *dh_trace_open(char const *path, struct dh_trace_error *error) {
    struct dh_source source;
    int trouble = dh_source_open(&source, path);
    if (trouble) {
        dh_trace_bad(error, 0, 0, "%s", strerror(trouble));
        return NULL;
    }
    return open_source(&source, error);
}

struct dh_trace_reader *dh_trace_open_memory(void const *bytes, size_t size,
                                             struct dh_trace_error *error) {
    struct dh_source source = {.bytes = size ? bytes : "", .size = size};
    return open_source(&source, error);
}

/* ---- Reading ---- */

/* Takes the place of a reader's `next` when reading is over: the same again, for ever. */
static int next_after_end(struct dh_trace_reader *reader, struct dh_trace_event *event,
                          struct dh_trace_error *error) {
    if (reader->result < 0) *error = reader->error;
    return reader->result;
}

__attribute__((noinline)) static int end_with(struct dh_trace_reader *reader, int result,
                                              struct dh_trace_error *error) {
    reader->next = next_after_end;
    reader->result = result;
    if (result < 0) reader->error = *error;
    return result;
}

/* For what is not a plain access: is it possible? */
__attribute__((noinline)) static int next_slow(struct dh_trace_reader *reader,
                                               struct dh_trace_event const *event,
                                               struct dh_trace_error *error) {
    char const *wrong = dh_wellformed_step(&reader->wellformed, event);
    if (!wrong) return 1;
    dh_trace_bad(error, reader->offset, reader->line, "%s", wrong);
    return end_with(reader, -1, error);
}

int dh_trace_next(struct dh_trace_reader *reader, struct dh_trace_event *event,
                  struct dh_trace_error *error) {
    int result = reader->next(reader, event, error);
    if (result <= 0) return end_with(reader, result, error);
    if (dh_wellformed_plain(&reader->wellformed, event)) return 1;
    return next_slow(reader, event, error);
}

void dh_trace_progress(struct dh_trace_reader const *reader, uint64_t *done, uint64_t *size) {
    *done = reader->done;
    *size = reader->source.size;
}

char const *dh_trace_site(struct dh_trace_reader const *reader, uint32_t site) {
    return dh_site_texts_get(&reader->sites, site);
}

void dh_trace_close(struct dh_trace_reader *reader) {
    if (reader->close) reader->close(reader);
    dh_site_texts_free(&reader->sites);
    dh_wellformed_end(&reader->wellformed);
    dh_source_close(&reader->source);
    free(reader);
}
