/* Text and numbers into a sink: what the formatters share. */
#ifndef DEADHEAT_REPORT_OUT_H
#define DEADHEAT_REPORT_OUT_H

#include "report/race.h"

struct out {
    dh_sink *sink;
    void *to;
};

static inline void out_bytes(struct out *o, char const *text, size_t length) {
    if (length > 0) o->sink(o->to, text, length);
}

static inline size_t out_length(char const *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

static inline void out_text(struct out *o, char const *text) {
    out_bytes(o, text, out_length(text));
}

/* At least `width` digits, with zeros in front. */
static inline void out_number(struct out *o, uint64_t value, unsigned base, unsigned width) {
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0 || sizeof digits - at < width);
    out_bytes(o, digits + at, sizeof digits - at);
}

static inline void out_decimal(struct out *o, uint64_t value) { out_number(o, value, 10, 1); }

static inline void out_hex(struct out *o, uint64_t value) {
    out_text(o, "0x");
    out_number(o, value, 16, 1);
}

static inline bool out_same(char const *a, char const *b) {
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

/* The last part of a path. */
static inline char const *out_basename(char const *path) {
    char const *base = path;
    for (; *path; path++)
        if (*path == '/' && path[1]) base = path + 1;
    return base;
}

#endif
