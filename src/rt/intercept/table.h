/* Functions of libc that need nothing but to have the memory checked that their arguments name: a
 * row each.
 *
 *     ROW(int, setenv, (char const *name, char const *value, int replace), (name, value, replace),
 *         READS_STRING(name) READS_STRING(value) WRITES(environ), )
 *
 * is the type, the name, the parameters, the same as arguments, what is accessed before the real
 * call, and what after it, when `result` is known. Accesses that depend on the result, or on what
 * the call itself writes, come after; all others before.
 */
#ifndef DEADHEAT_RT_INTERCEPT_TABLE_H
#define DEADHEAT_RT_INTERCEPT_TABLE_H

#include "rt/intercept/intercept.h"

#define ROW_VERSION(type, name, version, parameters, arguments, before, after) \
    INTERCEPT_VERSION(type, name, version, parameters) {                       \
        struct dh_here here = DH_HERE;                                         \
        (void)here;                                                            \
        if (dh_checking()) {                                                   \
            before                                                             \
        }                                                                      \
        type result = REAL(name) arguments;                                    \
        if (dh_checking()) {                                                   \
            after                                                              \
        }                                                                      \
        return result;                                                         \
    }
#define ROW(type, name, parameters, arguments, before, after) \
    ROW_VERSION(type, name, 0, parameters, arguments, before, after)

/* The same for a function without a result. */
#define ROW_VOID(name, parameters, arguments, before, after) \
    INTERCEPT(void, name, parameters) {                      \
        struct dh_here here = DH_HERE;                       \
        (void)here;                                          \
        if (dh_checking()) {                                 \
            before                                           \
        }                                                    \
        REAL(name) arguments;                                \
        if (dh_checking()) {                                 \
            after                                            \
        }                                                    \
    }

/* Null stands for no memory at all. */
#define READS_BYTES(p, size) \
    if (p) dh_range_read(p, size, here);
#define WRITES_BYTES(p, size) \
    if (p) dh_range_write(p, size, here);
#define READS(p) READS_BYTES(p, sizeof *(p))
#define WRITES(p) WRITES_BYTES(p, sizeof *(p))
#define READS_STRING(s) READS_BYTES(s, dh_length(s) + 1)
#define WRITES_STRING(s) WRITES_BYTES(s, dh_length(s) + 1)

#endif
