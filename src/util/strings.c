#include "util/strings.h"

#include "util/diag.h"

#include <stdlib.h>

void dh_strings_push(struct dh_strings *strings, char const *item) {
    if (strings->count + 1 >= strings->capacity) {
        size_t capacity = strings->capacity ? 2 * strings->capacity : 32;
        void *items = reallocarray(strings->items, capacity, sizeof *strings->items);
        if (!items) dh_fail("out of memory");
        strings->items = items;
        strings->capacity = capacity;
    }
    strings->items[strings->count++] = item;
    strings->items[strings->count] = NULL;
}
