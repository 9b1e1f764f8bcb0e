/* Wide strings: how much of them is accessed. */
#ifndef DEADHEAT_RT_INTERCEPT_WIDE_H
#define DEADHEAT_RT_INTERCEPT_WIDE_H

#include "rt/intercept/table.h"

#include <wchar.h>

static inline size_t dh_wide_length(wchar_t const *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static inline size_t dh_wide_length_within(wchar_t const *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

/* Characters up to and including the terminating null, of the first `limit`. */
static inline size_t dh_wide_size_within(wchar_t const *s, size_t limit) {
    size_t n = dh_wide_length_within(s, limit);
    return n < limit ? n + 1 : limit;
}

#define READS_WIDE(s, count) READS_BYTES(s, (count) * sizeof(wchar_t))
#define WRITES_WIDE(s, count) WRITES_BYTES(s, (count) * sizeof(wchar_t))
#define READS_TEXT(s) READS_WIDE(s, dh_wide_length(s) + 1)

#endif
