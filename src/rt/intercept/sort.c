/* Sorting and searching. The comparisons are the program's own code; what libc moves is not seen
 * otherwise. */
#include "rt/intercept/table.h"

#include <search.h>
#include <stdlib.h>

typedef int (*compare)(void const *, void const *);
typedef int (*compare_with)(void const *, void const *, void *);

INTERCEPT(void, qsort, (void *list, size_t count, size_t size, compare f)) {
    if (dh_checking()) dh_range_write(list, count * size, DH_HERE);
    REAL(qsort)(list, count, size, f);
}

INTERCEPT(void, qsort_r, (void *list, size_t count, size_t size, compare_with f, void *context)) {
    if (dh_checking()) dh_range_write(list, count * size, DH_HERE);
    REAL(qsort_r)(list, count, size, f, context);
}

/* The key is added where it is not found. */
INTERCEPT(void *, lsearch, (void const *key, void *list, size_t *count, size_t size, compare f)) {
    size_t before = *count;
    void *result = REAL(lsearch)(key, list, count, size, f);
    if (!dh_checking()) return result;
    dh_range_read(count, sizeof *count, DH_HERE);
    if (*count == before) return result;
    dh_range_read(key, size, DH_HERE);
    dh_range_write(result, size, DH_HERE);
    dh_range_write(count, sizeof *count, DH_HERE);
    return result;
}
