/* Codes of characters. */
#include "spans.h"

#include <iconv.h>
#include <uchar.h>
#include <wchar.h>

static iconv_t way;
/* From m.p[0] to m.p[1], so many bytes at most. */
static void from_to(size_t from, size_t to) {
    CHECK((way = iconv_open("UTF-16LE", "UTF-8")) != (iconv_t)-1);
    m.p[0] = m.a;
    m.p[1] = m.b;
    m.n[0] = (long)from;
    m.n[1] = (long)to;
}
#define ICONV iconv(way, &m.p[0], (size_t *)&m.n[0], &m.p[1], (size_t *)&m.n[1])
#define STATE ((mbstate_t *)m.n)
#define WIDE ((wchar_t *)m.b)
#define ALL_W W(p, 0, 16), W(n, 0, 16)
#define STATE_W W(n, 0, sizeof(mbstate_t))
static void at(void *s) { m.p[0] = s; }

#define CASES(X)                                                                                       \
    X(iconv_open, SET(a, "UTF-16"); SET(b, "UTF-8"), KEEP(iconv_open(m.a, m.b)), R(a, 0, 7), R(b, 0, 6)) \
    X(iconv, SET(a, "hello"); from_to(5, 50), KEEP(ICONV), R(a, 0, 5), W(b, 0, 10), ALL_W)             \
    X(iconv_full, SET(a, "hello"); from_to(5, 4), KEEP(ICONV), R(a, 0, 2), W(b, 0, 4), ALL_W)          \
    X(iconv_close, from_to(1, 1), KEEP(iconv_close(way)), NOTHING)                                     \
    X(mbrtowc, SET(a, "hello"), KEEP(mbrtowc(WIDE, m.a, n(5), STATE)), R(a, 0, 1), W(b, 0, 4), STATE_W) \
    X(mbrlen, SET(a, "hello"), KEEP(mbrlen(m.a, n(5), STATE)), R(a, 0, 1), STATE_W)                    \
    X(wcrtomb, , KEEP(wcrtomb(m.a, L'x', STATE)), W(a, 0, 1), STATE_W)                                 \
    X(mbrtoc16, SET(a, "hello"), KEEP(mbrtoc16((void *)m.b, m.a, n(5), STATE)), R(a, 0, 1), W(b, 0, 2), STATE_W) \
    X(mbrtoc32, SET(a, "hello"), KEEP(mbrtoc32((void *)m.b, m.a, n(5), STATE)), R(a, 0, 1), W(b, 0, 4), STATE_W) \
    X(c16rtomb, , KEEP(c16rtomb(m.a, u'x', STATE)), W(a, 0, 1), STATE_W)                               \
    X(c32rtomb, , KEEP(c32rtomb(m.a, U'x', STATE)), W(a, 0, 1), STATE_W)                               \
    X(mbtowc, SET(a, "hello"), KEEP(mbtowc(WIDE, m.a, n(5))), R(a, 0, 1), W(b, 0, 4))                  \
    X(wctomb, , KEEP(wctomb(m.a, L'x')), W(a, 0, 1))                                                   \
    X(mblen, SET(a, "hello"), KEEP(mblen(m.a, n(5))), R(a, 0, 1))                                      \
    X(mbsrtowcs, SET(a, "hello"); at(m.a), KEEP(mbsrtowcs(WIDE, (void *)&m.p[0], n(9), STATE)), R(a, 0, 6), \
      W(b, 0, 24), W(p, 0, 8), STATE_W)                                                                \
    X(mbsrtowcs_full, SET(a, "hello"); at(m.a), KEEP(mbsrtowcs(WIDE, (void *)&m.p[0], n(3), STATE)), R(a, 0, 3), \
      W(b, 0, 12), W(p, 0, 8), STATE_W)                                                                \
    X(mbsrtowcs_only, SET(a, "hello"); at(m.a), KEEP(mbsrtowcs(NULL, (void *)&m.p[0], 0, STATE)), R(a, 0, 6), \
      R(p, 0, 8), STATE_W)                                                                             \
    X(mbsnrtowcs, SET(a, "hello"); at(m.a), KEEP(mbsnrtowcs(WIDE, (void *)&m.p[0], n(4), n(9), STATE)), R(a, 0, 4), \
      W(b, 0, 16), W(p, 0, 8), STATE_W)                                                                \
    X(wcsrtombs, SET(b, L"hello"); at(m.b), KEEP(wcsrtombs(m.a, (void *)&m.p[0], n(9), STATE)), R(b, 0, 24), \
      W(a, 0, 6), W(p, 0, 8), STATE_W)                                                                 \
    X(wcsnrtombs, SET(b, L"hello"); at(m.b), KEEP(wcsnrtombs(m.a, (void *)&m.p[0], n(4), n(9), STATE)), \
      R(b, 0, 16), W(a, 0, 4), W(p, 0, 8), STATE_W)

RUN_CASES()
