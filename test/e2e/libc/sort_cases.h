/* Sorting, and the environment's names and values. */
#include "spans.h"

#include <search.h>

static int by_value(void const *a, void const *b) { return *(char *)a - *(char *)b; }
static int by_value_with(void const *a, void const *b, void *unused) {
    (void)unused;
    return by_value(a, b);
}

#define COUNT (*(size_t *)m.n)
#define CASES(X)                                                                                        \
    X(qsort, SET(a, "hello"), qsort(m.a, n(5), 1, by_value), W(a, 0, 5))                                \
    X(qsort_r, SET(a, "hello"), qsort_r(m.a, n(5), 1, by_value_with, NULL), W(a, 0, 5))                 \
    X(bsearch, SET(a, "abcde"); SET(b, "c"), KEEP(bsearch(m.b, m.a, n(5), 1, by_value)), R(b, 0, 1),    \
      R(a, 2, 1))                                                                                       \
    X(lsearch, COUNT = 3; SET(b, "c"), KEEP(lsearch(m.b, m.a, (size_t *)m.n, 1, by_value)), R(b, 0, 1), \
      R(a, 0, 3), W(a, 3, 1), W(n, 0, 8))                                                               \
    X(getenv, SET(a, "PATH"), KEEP(getenv(m.a)), R(a, 0, 5))                                            \
    X(setenv, SET(a, "ONE"); SET(b, "two"), KEEP(setenv(m.a, m.b, 1)), R(a, 0, 4), R(b, 0, 4))          \
    X(unsetenv, SET(a, "ONE"), KEEP(unsetenv(m.a)), R(a, 0, 4))

RUN_CASES()
