/* stdio, formats included. `in` has three lines to read. */
#include "spans.h"

#include <stdarg.h>

static FILE *in, *out;

static void ready(void) {
    CHECK((in = tmpfile()) && (out = tmpfile()));
    CHECK(fputs("hello world\n42 3.5 x\nlast\n", in) >= 0);
    rewind(in);
}
#define LINE(text)                                                                                      \
    ready();                                                                                            \
    SET(a, text)

static int by_list(char *to, size_t room, char const *format, ...) {
    va_list list;
    va_start(list, format);
    int result = vsnprintf(to, room, format, list);
    va_end(list);
    return result;
}

#define CASES(X)                                                                                        \
    X(fwrite, ready(), KEEP(fwrite(m.a, 3, n(4), out)), R(a, 0, 12))                                    \
    X(fread, ready(), KEEP(fread(m.a, 3, n(4), in)), W(a, 0, 12))                                       \
    X(fread_short, ready(), KEEP(fread(m.a, 1, n(100), in)), W(a, 0, 26))                               \
    X(fputs, LINE("hello"), KEEP(fputs(m.a, out)), R(a, 0, 6))                                          \
    X(fgets, ready(), KEEP(fgets(m.a, (int)n(100), in)), W(a, 0, 13))                                   \
    X(fgets_cut, ready(), KEEP(fgets(m.a, (int)n(5), in)), W(a, 0, 5))                                  \
    X(getline, ready(), KEEP(getline(&m.p[0], (size_t *)m.n, in)), W(p, 0, 8), W(n, 0, 8))              \
    X(getdelim, ready(), KEEP(getdelim(&m.p[0], (size_t *)m.n, ' ', in)), W(p, 0, 8), W(n, 0, 8))       \
    X(fopen, SET(a, "/dev/null"); SET(b, "r"), KEEP(fopen(m.a, m.b)), R(a, 0, 10), R(b, 0, 2))          \
    X(fprintf, ready(); SET(a, "%s"); SET(b, "hello"), KEEP(fprintf(out, m.a, m.b)), R(a, 0, 3), R(b, 0, 6)) \
    X(sprintf, SET(a, "<%s>"); SET(b, "hi"), KEEP(sprintf(m.c, m.a, m.b)), R(a, 0, 5), R(b, 0, 3), W(c, 0, 5)) \
    X(snprintf, SET(b, "hello"), KEEP(snprintf(m.c, n(4), "%s", m.b)), R(b, 0, 6), W(c, 0, 4))          \
    X(vsnprintf, SET(b, "hello"), KEEP(by_list(m.c, n(40), "%s", m.b)), R(b, 0, 6), W(c, 0, 6))         \
    X(asprintf, SET(b, "hello"), KEEP(asprintf(&m.p[0], "%s", m.b)), R(b, 0, 6), W(p, 0, 8))            \
    X(precision, SET(b, "hello"), KEEP(snprintf(m.c, n(40), "%.3s", m.b)), R(b, 0, 3), W(c, 0, 4))      \
    X(star, SET(b, "hello"), KEEP(snprintf(m.c, n(40), "%*.*s", 5, 2, m.b)), R(b, 0, 2), W(c, 0, 6))    \
    X(behind_others, SET(b, "x"),                                                                       \
      KEEP(snprintf(m.c, n(90), "%d%ld%c%f%Lf%p%%%hhx%zu%s", 1, 2l, 'c', 3.0, 4.0L, NULL, 5, n(6), m.b)), \
      R(b, 0, 2), W(c, 0, 29))                                                                          \
    X(wide, SET(b, L"hi"), KEEP(snprintf(m.c, n(40), "%ls", (wchar_t *)m.b)), R(b, 0, 12), W(c, 0, 3))  \
    X(numbered, SET(b, "hello"); SET(c, "to"),                                                          \
      KEEP(snprintf(m.a, n(90), "%3$d %4$.*1$s %2$s %2$s", 2, m.c, 7, m.b)), R(b, 0, 2), R(c, 0, 3), W(a, 0, 11)) \
    X(numbered_floats, SET(b, "x"), KEEP(snprintf(m.a, n(90), "%3$s%1$f%2$Lf", 1.0, 2.0L, m.b)), R(b, 0, 2), \
      W(a, 0, 18))                                                                                      \
    X(numbered_written, ready(), KEEP(fprintf(out, "%2$d%1$n", (int *)m.a, 5)), W(a, 0, 4))             \
    X(sscanf_numbered, SET(a, "12 word"), KEEP(sscanf(m.a, "%2$ld %1$s", m.b, m.n)), R(a, 0, 8), W(n, 0, 8), \
      W(b, 0, 5))                                                                                       \
    X(written, ready(), KEEP(fprintf(out, "12%n%hhn", (int *)m.a, m.b)), W(a, 0, 4), W(b, 0, 1)) \
    X(sscanf, SET(a, "12 word 3.5"),                                                                    \
      KEEP(sscanf(m.a, "%ld %s %lf", m.n, m.b, (double *)m.c)), R(a, 0, 12), W(n, 0, 8), W(b, 0, 5),    \
      W(c, 0, 8))                                                                                       \
    X(sscanf_some, SET(a, "12 word"), KEEP(sscanf(m.a, "%d %d", (int *)m.n, (int *)m.b)), R(a, 0, 8), W(n, 0, 4)) \
    X(sscanf_sets, SET(a, "abc-de"),                                                                    \
      KEEP(sscanf(m.a, "%[]a-c]%*c%2c%n", m.b, m.c, (int *)m.n)), W(b, 0, 4), W(c, 0, 2), W(n, 0, 4), R(a, 0, 7)) \
    X(sscanf_allocates, SET(a, "abc"), KEEP(sscanf(m.a, "%ms", &m.p[0])), R(a, 0, 4), W(p, 0, 8))       \
    X(fscanf, ready(), KEEP(fscanf(in, "%s %4s", m.a, m.b)), W(a, 0, 6), W(b, 0, 5))

RUN_CASES()
