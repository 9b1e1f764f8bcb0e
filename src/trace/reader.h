/* What the readers of the three forms share, and what each provides. Private to src/trace. */
#ifndef DEADHEAT_TRACE_READER_H
#define DEADHEAT_TRACE_READER_H

#include "trace/sites.h"
#include "trace/source.h"
#include "trace/trace.h"
#include "trace/wellformed.h"

/* A form's reader begins with this and is freed as one piece after `close`. `next` gives the next
 * event of the file, be it possible or not, and says in offset and line where it stands; its
 * results are those of dh_trace_next. */
struct dh_trace_reader {
    int (*next)(struct dh_trace_reader *reader, struct dh_trace_event *event,
                struct dh_trace_error *error);
    void (*close)(struct dh_trace_reader *reader); /* all but the source; may be null */
    struct dh_source source;
    struct dh_site_texts sites;
    struct dh_wellformed wellformed;
    uint64_t done;         /* how many bytes were read */
    uint64_t offset, line; /* of the last event */
    int result;            /* when it is over: what dh_trace_next says from then on */
    struct dh_trace_error error;
};

/* The readers of the forms, or null with *error. The source is the caller's until they succeed. */
struct dh_trace_reader *dh_binary_reader(struct dh_source const *source,
                                         struct dh_trace_error *error);
struct dh_trace_reader *dh_text_reader(struct dh_source const *source);
struct dh_trace_reader *dh_std_reader(struct dh_source const *source);

/* Fills the error in. Always -1. */
__attribute__((format(printf, 4, 5))) int
dh_trace_bad(struct dh_trace_error *error, uint64_t offset, uint64_t line, char const *format, ...);

/* Zeroed memory; out of memory ends the tool. */
void *dh_trace_memory(size_t size);
/* realloc for `count` items of which one more is needed. */
void *dh_trace_grow(void *items, size_t count, size_t *room, size_t size);

#endif
