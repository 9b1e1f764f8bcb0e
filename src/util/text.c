#include "util/text.h"

#include "util/diag.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 63 };

char *dh_text_format(char const *format, ...) {
    char *text;
    va_list values;
    va_start(values, format);
    int length = vasprintf(&text, format, values);
    va_end(values);
    if (length < 0) dh_fail("out of memory");
    return text;
}

bool dh_text_equal(char const *a, char const *b) { return strcmp(a, b) == 0; }

char const *dh_text_after(char const *text, char const *prefix) {
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

bool dh_text_ends(char const *text, char const *suffix) {
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Optimal string alignment: row i holds the distances from a's first i characters to each prefix of
 * b. */
size_t dh_text_distance(char const *a, char const *b) {
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST_NAME || b_length > LONGEST_NAME) return SIZE_MAX;

    size_t rows[3][LONGEST_NAME + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *oldest = before;
        before = above;
        above = row;
        row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replace, 1 + least(above[j], row[j - 1]));
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = least(row[j], 1 + before[j - 2]);
        }
    }
    return row[b_length];
}

char const *dh_text_nearest(char const *wrong, char const *const *names, size_t count,
                            size_t stride) {
    char const *nearest = NULL;
    size_t reach = (strlen(wrong) + 2) / 3;
    for (size_t i = 0; i < count; i++) {
        char const *name = *(char const *const *)((char const *)names + i * stride);
        size_t distance = dh_text_distance(wrong, name);
        if (distance > reach || (nearest && distance == reach)) continue;
        nearest = name;
        reach = distance;
    }
    return nearest;
}
