/* Functions that come in pairs, one with arguments as they are and one with a list of them. */
#ifndef DEADHEAT_RT_INTERCEPT_PAIRS_H
#define DEADHEAT_RT_INTERCEPT_PAIRS_H

#include "rt/intercept/formats.h"
#include "rt/intercept/table.h"

#include <stdarg.h>

/* vname with a list, and name with the arguments themselves, of which `leading` are named.
 * The real call is the one with the list, and uses it up: what comes after has a copy. */
#define LIST(...) __VA_ARGS__
#define BODY(vname, arguments, before, after) \
    va_list kept;                             \
    va_copy(kept, list);                      \
    if (dh_checking()) {                      \
        before                                \
    }                                         \
    int result = REAL(vname) arguments;       \
    if (dh_checking()) {                      \
        after                                 \
    }                                         \
    va_end(kept);
#define PAIR(name, vname, leading, arguments, before, after) \
    INTERCEPT(int, vname, (LIST leading, va_list list)) {    \
        struct dh_here here = DH_HERE;                       \
        BODY(vname, arguments, before, after)                \
        return result;                                       \
    }                                                        \
    INTERCEPT(int, name, (LIST leading, ...)) {              \
        struct dh_here here = DH_HERE;                       \
        va_list list;                                        \
        va_start(list, format);                              \
        BODY(vname, arguments, before, after)                \
        va_end(list);                                        \
        return result;                                       \
    }

#endif
