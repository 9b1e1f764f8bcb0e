/* Functions on bytes and strings, and exactly the bytes that each may access: a table for the two programs
 * that hold the interceptors against it. */
#ifndef STRING_CASES_H
#define STRING_CASES_H

#include "test.h"

#include <locale.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { ROOM = 64, SPANS = 5 };

struct buffers {
    char before_a[ROOM], a[ROOM], b[ROOM], set[ROOM];
    char *rest;
};
static struct buffers m;
static void *volatile kept; /* results, so that the calls stay */

struct span {
    char *at;
    size_t from, size;
    int write;
};

struct test {
    char const *name;
    char const *a, *b; /* what the strings are at first; the set is " ," */
    void (*call)(void);
    struct span spans[SPANS];
};

#define KEEP(e) (kept = (void *)(size_t)(e))
#define R(buffer, from, size) {m.buffer, from, size, 0}
#define W(buffer, from, size) {m.buffer, from, size, 1}
#define LOCALE newlocale(LC_ALL_MASK, "C", (locale_t)0)
#define REST_R {(char *)&m.rest, 0, sizeof m.rest, 0}
#define REST_W {(char *)&m.rest, 0, sizeof m.rest, 1}

#define CASES(X)                                                                                        \
    X(memcpy, "", "", KEEP(memcpy(m.a, m.b, n(10))), W(a, 0, 10), R(b, 0, 10))                           \
    X(memmove, "", "", KEEP(memmove(m.a, m.b, n(10))), W(a, 0, 10), R(b, 0, 10))                         \
    X(mempcpy, "", "", KEEP(mempcpy(m.a, m.b, n(10))), W(a, 0, 10), R(b, 0, 10))                         \
    X(bcopy, "", "", bcopy(m.b, m.a, n(10)), W(a, 0, 10), R(b, 0, 10))                                   \
    X(swab, "", "", swab(m.b, m.a, (ssize_t)n(9)), W(a, 0, 8), R(b, 0, 8))                               \
    X(memset, "", "", KEEP(memset(m.a, 1, n(10))), W(a, 0, 10))                                          \
    X(bzero, "", "", bzero(m.a, n(10)), W(a, 0, 10))                                                     \
    X(explicit_bzero, "", "", explicit_bzero(m.a, n(10)), W(a, 0, 10))                                   \
    X(memcmp, "xx", "xy", KEEP(memcmp(m.a, m.b, n(10))), R(a, 0, 10), R(b, 0, 10))                       \
    X(bcmp, "xx", "xy", KEEP(bcmp(m.a, m.b, n(10))), R(a, 0, 10), R(b, 0, 10))                           \
    X(memchr, "hello", "", KEEP(memchr(m.a, 'l', n(20))), R(a, 0, 3))                                    \
    X(memchr_none, "hello", "", KEEP(memchr(m.a, 'z', n(20))), R(a, 0, 20))                              \
    X(rawmemchr, "hello", "", KEEP(rawmemchr(m.a, 'o')), R(a, 0, 5))                                     \
    X(memrchr, "hello", "", KEEP(memrchr(m.a, 'l', n(20))), R(a, 3, 17))                                 \
    X(memrchr_none, "hello", "", KEEP(memrchr(m.a, 'z', n(20))), R(a, 0, 20))                            \
    X(memmem, "hello", "ll", KEEP(memmem(m.a, n(20), m.b, n(2))), R(a, 0, 4), R(b, 0, 2))                \
    X(memmem_none, "hello", "lz", KEEP(memmem(m.a, n(20), m.b, n(2))), R(a, 0, 20), R(b, 0, 2))          \
    X(memccpy, "", "hello", KEEP(memccpy(m.a, m.b, 'e', n(20))), W(a, 0, 2), R(b, 0, 2))                 \
    X(memccpy_none, "", "hello", KEEP(memccpy(m.a, m.b, 'z', n(4))), W(a, 0, 4), R(b, 0, 4))             \
    X(strlen, "hello", "", KEEP(strlen(m.a)), R(a, 0, 6))                                                \
    X(strnlen, "hello", "", KEEP(strnlen(m.a, n(3))), R(a, 0, 3))                                        \
    X(strnlen_all, "hello", "", KEEP(strnlen(m.a, n(20))), R(a, 0, 6))                                   \
    X(strcpy, "", "hello", KEEP(strcpy(m.a, m.b)), W(a, 0, 6), R(b, 0, 6))                               \
    X(stpcpy, "", "hello", KEEP(stpcpy(m.a, m.b)), W(a, 0, 6), R(b, 0, 6))                               \
    X(strncpy, "", "hello", KEEP(strncpy(m.a, m.b, n(10))), W(a, 0, 10), R(b, 0, 6))                     \
    X(strncpy_cut, "", "hello", KEEP(strncpy(m.a, m.b, n(4))), W(a, 0, 4), R(b, 0, 4))                   \
    X(stpncpy, "", "hello", KEEP(stpncpy(m.a, m.b, n(10))), W(a, 0, 10), R(b, 0, 6))                     \
    X(strcat, "say", "hello", KEEP(strcat(m.a, m.b)), R(a, 0, 4), W(a, 3, 6), R(b, 0, 6))                \
    X(strncat, "say", "hello", KEEP(strncat(m.a, m.b, n(4))), R(a, 0, 4), W(a, 3, 5), R(b, 0, 4))        \
    X(strdup, "hello", "", free(KEEP(strdup(m.a))), R(a, 0, 6))                                          \
    X(strndup, "hello", "", free(KEEP(strndup(m.a, n(3)))), R(a, 0, 3))                                  \
    X(strcmp, "hello", "help", KEEP(strcmp(m.a, m.b)), R(a, 0, 4), R(b, 0, 4))                           \
    X(strcmp_equal, "hello", "hello", KEEP(strcmp(m.a, m.b)), R(a, 0, 6), R(b, 0, 6))                    \
    X(strncmp, "hello", "help", KEEP(strncmp(m.a, m.b, n(3))), R(a, 0, 3), R(b, 0, 3))                   \
    X(strcasecmp, "hEllo", "Help", KEEP(strcasecmp(m.a, m.b)), R(a, 0, 4), R(b, 0, 4))                   \
    X(strcasecmp_l, "hEl", "HeL", KEEP(strcasecmp_l(m.a, m.b, LOCALE)), R(a, 0, 4), R(b, 0, 4))         \
    X(strncasecmp_l, "hEl", "HeL", KEEP(strncasecmp_l(m.a, m.b, n(9), LOCALE)), R(a, 0, 4), R(b, 0, 4)) \
    X(strncasecmp, "hEl", "HeL", KEEP(strncasecmp(m.a, m.b, n(9))), R(a, 0, 4), R(b, 0, 4))              \
    X(strchr, "hello", "", KEEP(strchr(m.a, 'l')), R(a, 0, 3))                                           \
    X(strchr_none, "hello", "", KEEP(strchr(m.a, 'z')), R(a, 0, 6))                                      \
    X(index, "hello", "", KEEP(index(m.a, 'l')), R(a, 0, 3))                                             \
    X(strchrnul, "hello", "", KEEP(strchrnul(m.a, 'z')), R(a, 0, 6))                                     \
    X(strrchr, "hello", "", KEEP(strrchr(m.a, 'e')), R(a, 0, 6))                                         \
    X(rindex, "hello", "", KEEP(rindex(m.a, 'e')), R(a, 0, 6))                                           \
    X(strstr, "hello", "ll", KEEP(strstr(m.a, m.b)), R(a, 0, 4), R(b, 0, 3))                             \
    X(strstr_none, "hello", "lz", KEEP(strstr(m.a, m.b)), R(a, 0, 6), R(b, 0, 3))                        \
    X(strcasestr, "hello", "LL", KEEP(strcasestr(m.a, m.b)), R(a, 0, 4), R(b, 0, 3))                     \
    X(strspn, " , x", "", KEEP(strspn(m.a, m.set)), R(a, 0, 4), R(set, 0, 3))                            \
    X(strcspn, "abc,d", "", KEEP(strcspn(m.a, m.set)), R(a, 0, 4), R(set, 0, 3))                         \
    X(strpbrk, "abc,d", "", KEEP(strpbrk(m.a, m.set)), R(a, 0, 4), R(set, 0, 3))                         \
    X(strtok_r, ",ab,cd", "", KEEP(strtok_r(m.a, m.set, &m.rest)), R(a, 0, 3), W(a, 3, 1), R(set, 0, 3), \
      REST_W)                                                                                            \
    X(strtok_r_next, "ab,cd", "", KEEP(strtok_r(NULL, m.set, &m.rest)), R(a, 0, 2), W(a, 2, 1),          \
      R(set, 0, 3), REST_W)                                                                              \
    X(strtok_r_last, "ab", "", KEEP(strtok_r(m.a, m.set, &m.rest)), R(a, 0, 3), R(set, 0, 3), REST_W)    \
    X(strtok, ",ab,cd", "", KEEP(strtok(m.a, m.set)), R(a, 0, 3), W(a, 3, 1), R(set, 0, 3))              \
    X(strtok_last, "ab", "", KEEP(strtok(m.a, m.set)), R(a, 0, 3), R(set, 0, 3))                         \
    X(strcoll, "ab", "cde", KEEP(strcoll(m.a, m.b)), R(a, 0, 3), R(b, 0, 4))                             \
    X(strverscmp, "ab", "ac", KEEP(strverscmp(m.a, m.b)), R(a, 0, 3), R(b, 0, 3))                        \
    X(strxfrm, "", "hello", KEEP(strxfrm(m.a, m.b, n(20))), W(a, 0, 6), R(b, 0, 6))                      \
    X(strsep, "ab,cd", "", KEEP(strsep(&m.rest, m.set)), R(a, 0, 2), W(a, 2, 1), R(set, 0, 3), REST_W)

/* Not known to the compiler. */
static size_t volatile opaque;
static inline size_t n(size_t value) { return value + opaque; }

#define DEFINE_CALL(name, a, b, call, ...)                                                              \
    static void call_##name(void) { call; }
#define DEFINE_TEST(name, a, b, call, ...) {#name, a, b, call_##name, {__VA_ARGS__}},
CASES(DEFINE_CALL)
static struct test const tests[] = {CASES(DEFINE_TEST)};
enum { TESTS = sizeof tests / sizeof *tests };

/* Before there are threads. */
static inline void prepare(struct test const *test) {
    for (size_t i = 0; i < sizeof m; i++)
        ((char *)&m)[i] = 0;
    for (size_t i = 0; test->a[i]; i++)
        m.a[i] = test->a[i];
    for (size_t i = 0; test->b[i]; i++)
        m.b[i] = test->b[i];
    m.set[0] = ' ';
    m.set[1] = ',';
    m.rest = m.a;
}

#endif
