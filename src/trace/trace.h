/* Reading and writing traces, whatever their form.
 *
 * A reader gives events one after the other and checks that each is possible after those before it
 * (trace/wellformed.h): a detector need not. Whoever reads bad input gets an error with the place
 * where it was noticed, and nothing is allocated because of a number that the input claims.
 */
#ifndef DEADHEAT_TRACE_TRACE_H
#define DEADHEAT_TRACE_TRACE_H

#include "trace/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct dh_trace_error {
    uint64_t offset; /* in bytes, from the start of the file */
    uint64_t line;   /* of text forms, from 1; 0: not a text */
    char message[200];
};

/* ---- Reading ---- */
struct dh_trace_reader;

/* Opens a trace of any form: binary by its magic number; else text by its first line, or the STD
 * form of the RAPID tools. Null: *error says why. */
struct dh_trace_reader *dh_trace_open(char const *path, struct dh_trace_error *error);
struct dh_trace_reader *dh_trace_open_memory(void const *bytes, size_t size,
                                             struct dh_trace_error *error);

/* 1: *event is the next one. 0: the end. -1: *error says what is wrong, and reading is over. */
int dh_trace_next(struct dh_trace_reader *reader, struct dh_trace_event *event,
                  struct dh_trace_error *error);

/* How much of the file was read, for progress bars; size 0: not known. */
void dh_trace_progress(struct dh_trace_reader const *reader, uint64_t *done, uint64_t *size);

/* What a site stands for ("file.c:12 function"), or null; valid until the reader is closed. */
char const *dh_trace_site(struct dh_trace_reader const *reader, uint32_t site);

void dh_trace_close(struct dh_trace_reader *reader);

/* ---- Writing ---- 0 or an errno. What was written can be read: an event that is not possible
 * after those before is refused with EINVAL and not written. The sequence is kept by both forms. */
struct dh_trace_writer;
enum dh_trace_form { DH_TRACE_TEXT, DH_TRACE_BINARY };
struct dh_trace_writer *dh_trace_create(FILE *to, enum dh_trace_form form);
int dh_trace_put(struct dh_trace_writer *writer, struct dh_trace_event const *event);

/* What a site stands for, once for each: at most 1,024 bytes, no control characters, else EINVAL.
 */
int dh_trace_put_site(struct dh_trace_writer *writer, uint32_t site, char const *text);

/* Writes what is left, frees, does not close. */
int dh_trace_finish(struct dh_trace_writer *writer);

#endif
