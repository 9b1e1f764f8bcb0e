/* Numbers in text. What is read is what decides: up to and including the first character that is no
 * longer part of the number. */
#include "rt/intercept/table.h"

#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>

static void parsed(char const *s, char const *stop, char **end, struct dh_here here) {
    if (!dh_checking()) return;
    dh_range_read(s, (size_t)(stop - s) + 1, here);
    if (end) dh_range_write(end, sizeof *end, here);
}

#define INTEGER(type, name)                                        \
    INTERCEPT(type, name, (char const *s, char **end, int base)) { \
        char *stop = (char *)s;                                    \
        type result = REAL(name)(s, &stop, base);                  \
        parsed(s, stop, end, DH_HERE);                             \
        if (end) *end = stop;                                      \
        return result;                                             \
    }
INTEGER(long, strtol)
INTEGER(long long, strtoll)
INTEGER(unsigned long, strtoul)
INTEGER(unsigned long long, strtoull)
INTEGER(intmax_t, strtoimax)
INTEGER(uintmax_t, strtoumax)

#define FLOATING(type, name)                             \
    INTERCEPT(type, name, (char const *s, char **end)) { \
        char *stop = (char *)s;                          \
        type result = REAL(name)(s, &stop);              \
        parsed(s, stop, end, DH_HERE);                   \
        if (end) *end = stop;                            \
        return result;                                   \
    }
FLOATING(double, strtod)
FLOATING(float, strtof)
FLOATING(long double, strtold)

/* Without an end they are these. */
#define WHOLE(type, name, as)                \
    INTERCEPT(type, name, (char const *s)) { \
        char *stop = (char *)s;              \
        type result = as;                    \
        parsed(s, stop, 0, DH_HERE);         \
        return result;                       \
    }
WHOLE(int, atoi, (int)REAL(strtol)(s, &stop, 10))
WHOLE(long, atol, REAL(strtol)(s, &stop, 10))
WHOLE(long long, atoll, REAL(strtoll)(s, &stop, 10))
WHOLE(double, atof, REAL(strtod)(s, &stop))

/* ---- by the rules of a locale, and the other way round ---- */

#define INTEGER_BY(type, name)                                                      \
    INTERCEPT(type, name, (char const *s, char **end, int base, locale_t locale)) { \
        char *stop = (char *)s;                                                     \
        type result = REAL(name)(s, &stop, base, locale);                           \
        parsed(s, stop, end, DH_HERE);                                              \
        if (end) *end = stop;                                                       \
        return result;                                                              \
    }
INTEGER_BY(long, strtol_l)
INTEGER_BY(long long, strtoll_l)
INTEGER_BY(unsigned long, strtoul_l)
INTEGER_BY(unsigned long long, strtoull_l)

#define FLOATING_BY(type, name)                                           \
    INTERCEPT(type, name, (char const *s, char **end, locale_t locale)) { \
        char *stop = (char *)s;                                           \
        type result = REAL(name)(s, &stop, locale);                       \
        parsed(s, stop, end, DH_HERE);                                    \
        if (end) *end = stop;                                             \
        return result;                                                    \
    }
FLOATING_BY(double, strtod_l)
FLOATING_BY(float, strtof_l)
FLOATING_BY(long double, strtold_l)

#define TEXT(name, type)                                                    \
    ROW(int, name, (char *to, size_t room, char const *format, type value), \
        (to, room, format, value), READS_STRING(format),                    \
        if (room) WRITES_BYTES(to, (size_t)result < room ? (size_t)result + 1 : room))
TEXT(strfromd, double)
TEXT(strfromf, float)
TEXT(strfroml, long double)

/* What these return is overwritten by the next call, of whichever thread. */
ROW(char *, ecvt, (double value, int digits, int *point, int *sign), (value, digits, point, sign), ,
    WRITES(point) WRITES(sign) WRITES_STRING(result))
ROW(char *, fcvt, (double value, int digits, int *point, int *sign), (value, digits, point, sign), ,
    WRITES(point) WRITES(sign) WRITES_STRING(result))
ROW(char *, gcvt, (double value, int digits, char *to), (value, digits, to), , WRITES_STRING(to))
ROW(char *, l64a, (long value), (value), , WRITES_STRING(result))
ROW(long, a64l, (char const *s), (s), READS_STRING(s), )
