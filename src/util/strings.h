/* A growing vector of strings that is always a valid argv: items[count] is null.
 * It borrows its strings. The tools run briefly, so neither is ever freed; out of memory ends the
 * tool.
 */
#ifndef DEADHEAT_UTIL_STRINGS_H
#define DEADHEAT_UTIL_STRINGS_H

#include <stddef.h>

struct dh_strings {
    char const **items; /* null while nothing was ever pushed */
    size_t count;
    size_t capacity; /* count < capacity once items is set: there is room for the null */
};

void dh_strings_push(struct dh_strings *strings, char const *item);

#endif
