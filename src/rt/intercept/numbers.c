/* Numbers in text. What is read is what decides: up to and including the first character that is no
 * longer part of the number. */
#include "rt/intercept/table.h"

#include <inttypes.h>
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
