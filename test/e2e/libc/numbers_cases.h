/* Numbers in text. */
#include "spans.h"

#include <inttypes.h>

#define END ((char **)m.b)
#define TEXT(s) SET(a, s)
#define CASES(X)                                                                                        \
    X(strtol, TEXT(" 123x5"), KEEP(strtol(m.a, END, 10)), R(a, 0, 5), W(b, 0, 8))                       \
    X(strtoul, TEXT("123"), KEEP(strtoul(m.a, END, 10)), R(a, 0, 4), W(b, 0, 8))                        \
    X(strtoll, TEXT("123"), KEEP(strtoll(m.a, NULL, 10)), R(a, 0, 4))                                   \
    X(strtoull, TEXT("123"), KEEP(strtoull(m.a, END, 10)), R(a, 0, 4), W(b, 0, 8))                      \
    X(strtoimax, TEXT("123"), KEEP(strtoimax(m.a, END, 10)), R(a, 0, 4), W(b, 0, 8))                    \
    X(strtod, TEXT("1.5x"), KEEP(strtod(m.a, END)), R(a, 0, 4), W(b, 0, 8))                             \
    X(strtof, TEXT("1.5x"), KEEP(strtof(m.a, END)), R(a, 0, 4), W(b, 0, 8))                             \
    X(strtold, TEXT("1.5x"), KEEP(strtold(m.a, END)), R(a, 0, 4), W(b, 0, 8))                           \
    X(atoi, TEXT("12 34"), KEEP(atoi(m.a)), R(a, 0, 3))                                                 \
    X(atol, TEXT("12 34"), KEEP(atol(m.a)), R(a, 0, 3))                                                 \
    X(atoll, TEXT("12 34"), KEEP(atoll(m.a)), R(a, 0, 3))                                               \
    X(atof, TEXT("1.2 3"), KEEP(atof(m.a)), R(a, 0, 4))

RUN_CASES()
