/* The bytes of a trace, at any offset: a file, or memory. */
#ifndef DEADHEAT_TRACE_SOURCE_H
#define DEADHEAT_TRACE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct dh_source {
    unsigned char const *bytes; /* null: it is a file */
    int file;
    uint64_t size;
};

/* 0 or an errno. What cannot be read twice (a pipe) is copied to a temporary file. */
int dh_source_open(struct dh_source *source, char const *path);
void dh_source_close(struct dh_source *source);

/* Fills `to` as far as there are bytes; *got says how far. 0 or an errno. */
int dh_source_read(struct dh_source const *source, uint64_t offset, void *to, size_t size,
                   size_t *got);

#endif
