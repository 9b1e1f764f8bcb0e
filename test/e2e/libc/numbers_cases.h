/* Numbers in text. */
#include "spans.h"

#include <inttypes.h>
#include <locale.h>

#define C newlocale(LC_ALL_MASK, "C", (locale_t)0)
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
    X(atof, TEXT("1.2 3"), KEEP(atof(m.a)), R(a, 0, 4))                                                \
    X(strtoumax, TEXT("123"), KEEP(strtoumax(m.a, END, 10)), R(a, 0, 4), W(b, 0, 8))                   \
    X(strtol_l, TEXT("123"), KEEP(strtol_l(m.a, END, 10, C)), R(a, 0, 4), W(b, 0, 8))                  \
    X(strtoll_l, TEXT("123"), KEEP(strtoll_l(m.a, END, 10, C)), R(a, 0, 4), W(b, 0, 8))                \
    X(strtoul_l, TEXT("123"), KEEP(strtoul_l(m.a, END, 10, C)), R(a, 0, 4), W(b, 0, 8))                \
    X(strtoull_l, TEXT("123"), KEEP(strtoull_l(m.a, END, 10, C)), R(a, 0, 4), W(b, 0, 8))              \
    X(strtod_l, TEXT("1.5x"), KEEP(strtod_l(m.a, END, C)), R(a, 0, 4), W(b, 0, 8))                     \
    X(strtof_l, TEXT("1.5x"), KEEP(strtof_l(m.a, END, C)), R(a, 0, 4), W(b, 0, 8))                     \
    X(strtold_l, TEXT("1.5x"), KEEP(strtold_l(m.a, END, C)), R(a, 0, 4), W(b, 0, 8))                   \
    X(strfromd, SET(b, "%.1f"), KEEP(strfromd(m.a, n(3), m.b, 12.5)), W(a, 0, 3), R(b, 0, 5))          \
    X(strfromf, SET(b, "%.1f"), KEEP(strfromf(m.a, n(9), m.b, 1.5f)), W(a, 0, 4), R(b, 0, 5))          \
    X(strfroml, SET(b, "%.1f"), KEEP(strfroml(m.a, n(9), m.b, 1.5L)), W(a, 0, 4), R(b, 0, 5))          \
    X(ecvt, , KEEP(ecvt(1.5, 2, (int *)m.a, (int *)m.b)), W(a, 0, 4), W(b, 0, 4))                      \
    X(fcvt, , KEEP(fcvt(1.5, 2, (int *)m.a, (int *)m.b)), W(a, 0, 4), W(b, 0, 4))                      \
    X(gcvt, , KEEP(gcvt(1.5, 3, m.a)), W(a, 0, 4))                                                     \
    X(l64a, , KEEP(l64a((long)n(1))), NOTHING)                                                         \
    X(a64l, TEXT("./"), KEEP(a64l(m.a)), R(a, 0, 3))

RUN_CASES()
