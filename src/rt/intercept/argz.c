/* Vectors of strings, one behind the other in one block. What is put behind the others is written,
 * and what has to make room, or moves up; if all of it has to move, realloc says so. */
#include "rt/intercept/table.h"

#include <argz.h>
#include <envz.h>

static void list_read(char *const *list, struct dh_here here) {
    size_t count = 0;
    for (; list[count]; count++)
        READS_STRING(list[count])
    READS_BYTES(list, (count + 1) * sizeof *list)
}

/* From there on. */
static void changed(char **to, size_t *size, size_t from, struct dh_here here) {
    WRITES(to)
    WRITES(size)
    if (*to && *size > from) WRITES_BYTES(*to + from, *size - from)
}
#define MADE \
    if (result == 0) changed(to, size, 0, here);

ROW(error_t, argz_create, (char *const list[], char **to, size_t *size), (list, to, size),
    list_read(list, here);
    , MADE)
ROW(error_t, argz_create_sep, (char const *s, int between, char **to, size_t *size),
    (s, between, to, size), READS_STRING(s), MADE)
ROW(size_t, argz_count, (char const *v, size_t size), (v, size), READS_BYTES(v, size), )
ROW_VOID(argz_extract, (char const *v, size_t size, char **to), (v, size, to), READS_BYTES(v, size),
         WRITES_BYTES(to, (REAL(argz_count)(v, size) + 1) * sizeof *to))

/* All nulls but the last. */
static void joins(char *v, size_t size, struct dh_here here) {
    READS_BYTES(v, size)
    for (size_t i = 0; i + 1 < size; i++)
        if (!v[i]) WRITES_BYTES(v + i, 1)
}
ROW_VOID(argz_stringify, (char *v, size_t size, int between), (v, size, between),
         joins(v, size, here);
         , )

/* ---- longer and shorter ---- */

/* `from` is where the change begins, before it is made. */
#define CHANGE(name, parameters, arguments, from, reads)                  \
    INTERCEPT(error_t, name, parameters) {                                \
        struct dh_here here = DH_HERE;                                    \
        size_t first = from;                                              \
        if (dh_checking()) {                                              \
            READS(to) READS(size) reads                                   \
        }                                                                 \
        error_t result = REAL(name) arguments;                            \
        if (dh_checking() && result == 0) changed(to, size, first, here); \
        return result;                                                    \
    }
CHANGE(argz_append, (char **to, size_t *size, char const *from, size_t count),
       (to, size, from, count), *size, READS_BYTES(from, count))
CHANGE(argz_add, (char **to, size_t *size, char const *s), (to, size, s), *size, READS_STRING(s))
CHANGE(argz_add_sep, (char **to, size_t *size, char const *s, int between), (to, size, s, between),
       *size, READS_STRING(s))
CHANGE(argz_insert, (char **to, size_t *size, char *before, char const *s), (to, size, before, s),
       before ? (size_t)(before - *to) : *size, READS_STRING(s))

#define CUT(name, parameters, arguments, from, reads)                \
    INTERCEPT(void, name, parameters) {                              \
        struct dh_here here = DH_HERE;                               \
        char *entry_ = from;                                         \
        size_t first = entry_ ? (size_t)(entry_ - *to) : *size;      \
        if (dh_checking()) {                                         \
            READS(to) READS(size) reads                              \
        }                                                            \
        REAL(name) arguments;                                        \
        if (dh_checking() && entry_) changed(to, size, first, here); \
    }
CUT(argz_delete, (char **to, size_t *size, char *entry), (to, size, entry), entry, )

/* ---- with names and values ---- */

#define LOOK_UP(name)                                                                      \
    ROW(char *, name, (char const *v, size_t size, char const *wanted), (v, size, wanted), \
        READS_BYTES(v, size) READS_STRING(wanted), )
LOOK_UP(envz_entry)
LOOK_UP(envz_get)

/* One of that name goes first. */
static size_t place_of(char *v, size_t size, char const *name) {
    char *entry = REAL(envz_entry)(v, size, name);
    return entry ? (size_t)(entry - v) : size;
}
CHANGE(envz_add, (char **to, size_t *size, char const *name, char const *value),
       (to, size, name, value), place_of(*to, *size, name),
       READS_BYTES(*to, *size) READS_STRING(name) READS_STRING(value))
CUT(envz_remove, (char **to, size_t *size, char const *name), (to, size, name),
    REAL(envz_entry)(*to, *size, name), READS_BYTES(*to, *size) READS_STRING(name))
