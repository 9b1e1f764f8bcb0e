/* Sorting, and the environment's names and values. */
#include "spans.h"

#include <search.h>

static int by_value(void const *a, void const *b) { return *(char *)a - *(char *)b; }
static int by_value_with(void const *a, void const *b, void *unused) {
    (void)unused;
    return by_value(a, b);
}

/* m.x and m.y are elements of a list, one behind the other. */
#define LINK(x, y)                                                                                     \
    ((void **)m.x)[0] = m.y;                                                                           \
    ((void **)m.y)[1] = m.x
static void visit(void const *node, VISIT when, int depth) { (void)node, (void)when, (void)depth; }
static void visit_with(void const *node, VISIT when, void *own) { (void)node, (void)when, (void)own; }
static void end(void *key) { (void)key; }
#define TABLE sizeof(struct hsearch_data)
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
    X(unsetenv, SET(a, "ONE"), KEEP(unsetenv(m.a)), R(a, 0, 4))                                        \
    X(lfind, COUNT = 3; SET(b, "c"); SET(a, "abc"), KEEP(lfind(m.b, m.a, (size_t *)m.n, 1, by_value)), R(b, 0, 1), \
      R(a, 0, 3), R(n, 0, 8))                                                                          \
    X(tsearch, SET(b, "c"), KEEP(tsearch(m.b, (void **)&m.p[0], by_value)), W(p, 0, 8))                \
    X(tfind, SET(b, "c"); tsearch(m.b, (void **)&m.p[0], by_value), KEEP(tfind(m.b, (void **)&m.p[0], by_value)), \
      R(p, 0, 8), R(b, 0, 1))                                                                          \
    X(tdelete, SET(b, "c"); tsearch(m.b, (void **)&m.p[0], by_value),                                  \
      KEEP(tdelete(m.b, (void **)&m.p[0], by_value)), W(p, 0, 8), R(b, 0, 1))                          \
    X(twalk, SET(b, "c"); tsearch(m.b, (void **)&m.p[0], by_value), twalk(m.p[0], visit), R(p, 0, 8))  \
    X(twalk_r, SET(b, "c"); tsearch(m.b, (void **)&m.p[0], by_value), twalk_r(m.p[0], visit_with, NULL), R(p, 0, 8)) \
    X(tdestroy, SET(b, "c"); tsearch(m.b, (void **)&m.p[0], by_value), tdestroy(m.p[0], end), R(p, 0, 8)) \
    X(hcreate_r, , KEEP(hcreate_r(9, (void *)m.a)), W(a, 0, TABLE))              \
    X(hdestroy_r, CHECK(hcreate_r(9, (void *)m.a)), hdestroy_r((void *)m.a), W(a, 0, TABLE)) \
    X(hsearch_r, CHECK(hcreate_r(9, (void *)m.a)); SET(b, "key"),                                      \
      KEEP(hsearch_r((ENTRY){m.b, NULL}, FIND, (void *)m.c, (void *)m.a)), R(a, 0, TABLE), R(b, 0, 4), W(c, 0, 8)) \
    X(hsearch_r_enter, CHECK(hcreate_r(9, (void *)m.a)); SET(b, "key"),                                \
      KEEP(hsearch_r((ENTRY){m.b, NULL}, ENTER, (void *)m.c, (void *)m.a)), W(a, 0, TABLE), R(b, 0, 4), W(c, 0, 8)) \
    X(hsearch, hdestroy(); CHECK(hcreate(9)); SET(b, "key"), KEEP(hsearch((ENTRY){m.b, NULL}, FIND)), R(b, 0, 4)) \
    X(insque, LINK(a, b), insque(m.c, m.a), W(c, 0, 16), W(a, 0, 8), W(b, 8, 8))                       \
    X(remque, LINK(a, b); insque(m.c, m.a), remque(m.c), R(c, 0, 16), W(a, 0, 8), W(b, 8, 8))          \
    X(secure_getenv, SET(a, "PATH"), KEEP(secure_getenv(m.a)), R(a, 0, 5))                             \
    X(putenv, SET(a, "ONE=2"), KEEP(putenv(m.a)), R(a, 0, 6))

RUN_CASES()
