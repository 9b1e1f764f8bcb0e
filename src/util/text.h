/* Small services on null-terminated text. */
#ifndef DEADHEAT_UTIL_TEXT_H
#define DEADHEAT_UTIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* printf into memory of its own, never freed; out of memory ends the tool. */
__attribute__((format(printf, 1, 2))) char *dh_text_format(char const *format, ...);

bool dh_text_equal(char const *a, char const *b);

/* What follows `prefix` in `text`, or null if it does not begin with it. */
char const *dh_text_after(char const *text, char const *prefix);

bool dh_text_ends(char const *text, char const *suffix);

/* How many single-character slips (insert, delete, replace, swap of neighbours) lie between a and
 * b. Names longer than 63 characters count as infinitely far. */
size_t dh_text_distance(char const *a, char const *b);

/* The name that `wrong` was probably meant to be: the nearest within a third of its length, the
 * first of equals; null if none is near. Names are `count` pointers, `stride` bytes apart. */
char const *dh_text_nearest(char const *wrong, char const *const *names, size_t count,
                            size_t stride);

#endif
