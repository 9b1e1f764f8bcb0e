/* Wide strings. */
#include "spans.h"

#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <stdarg.h>
#include <time.h>
#include <wchar.h>

/* What programs of C90 call. */
int old_swscanf(wchar_t const *s, wchar_t const *format, ...) __asm__("swscanf");
int old_fwscanf(FILE *f, wchar_t const *format, ...) __asm__("fwscanf");
int old_wscanf(wchar_t const *format, ...) __asm__("wscanf");
int old_vswscanf(wchar_t const *s, wchar_t const *format, va_list list) __asm__("vswscanf");
int old_vfwscanf(FILE *f, wchar_t const *format, va_list list) __asm__("vfwscanf");
int old_vwscanf(wchar_t const *format, va_list list) __asm__("vwscanf");

static struct tm const a_time = {.tm_year = 100, .tm_mday = 1};
static FILE *in, *out;
static locale_t locale(void) { return newlocale(LC_ALL_MASK, "C", NULL); }

static void ready(void) {
    CHECK((in = tmpfile()) && (out = tmpfile()));
    int fd = fileno(in);
    CHECK(write(fd, "hi \nlast\n", 9) == 9 && lseek(fd, 0, SEEK_SET) == 0);
}

/* Standard input is wide, and stays so. */
static void input(void) {
    int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    CHECK(write(fd, "hi \n", 4) == 4 && lseek(fd, 0, SEEK_SET) == 0);
    CHECK(dup2(fd, 0) == 0 && close(fd) == 0);
    clearerr(stdin);
    fseek(stdin, 0, SEEK_SET);
}

#define BY_LIST(name, call)                                                                            \
    static int by_##name(wchar_t const *format, ...) {                                                 \
        va_list list;                                                                                  \
        va_start(list, format);                                                                        \
        int result = call;                                                                             \
        va_end(list);                                                                                  \
        return result;                                                                                 \
    }
BY_LIST(vwprintf, vwprintf(format, list))
BY_LIST(vfwprintf, vfwprintf(out, format, list))
BY_LIST(vswprintf, vswprintf((wchar_t *)m.c, 9, format, list))
BY_LIST(vswscanf, vswscanf((wchar_t *)m.a, format, list))
BY_LIST(vfwscanf, vfwscanf(in, format, list))
BY_LIST(vwscanf, vwscanf(format, list))
BY_LIST(old_vswscanf, old_vswscanf((wchar_t *)m.a, format, list))
BY_LIST(old_vfwscanf, old_vfwscanf(in, format, list))
BY_LIST(old_vwscanf, old_vwscanf(format, list))

#define A ((wchar_t *)m.a)
#define B ((wchar_t *)m.b)
#define BOTH(x, y)                                                                                      \
    SET(a, x);                                                                                          \
    SET(b, y)
#define CASES(X)                                                                                        \
    X(wcslen, SET(a, L"hello"), KEEP(wcslen(A)), R(a, 0, 24))                                           \
    X(wcsnlen, SET(a, L"hello"), KEEP(wcsnlen(A, n(3))), R(a, 0, 12))                                   \
    X(wcscpy, SET(b, L"hello"), KEEP(wcscpy(A, B)), W(a, 0, 24), R(b, 0, 24))                           \
    X(wcpcpy, SET(b, L"hello"), KEEP(wcpcpy(A, B)), W(a, 0, 24), R(b, 0, 24))                           \
    X(wcsncpy, SET(b, L"hello"), KEEP(wcsncpy(A, B, n(10))), W(a, 0, 40), R(b, 0, 24))                  \
    X(wcpncpy, SET(b, L"hello"), KEEP(wcpncpy(A, B, n(4))), W(a, 0, 16), R(b, 0, 16))                   \
    X(wcscat, BOTH(L"say", L"hello"), KEEP(wcscat(A, B)), R(a, 0, 16), W(a, 12, 24), R(b, 0, 24))       \
    X(wcsncat, BOTH(L"say", L"hello"), KEEP(wcsncat(A, B, n(4))), R(a, 0, 16), W(a, 12, 20), R(b, 0, 16)) \
    X(wcsdup, SET(a, L"hello"), free(KEEP(wcsdup(A))), R(a, 0, 24))                                     \
    X(wcscmp, BOTH(L"hello", L"help"), KEEP(wcscmp(A, B)), R(a, 0, 16), R(b, 0, 16))                    \
    X(wcsncmp, BOTH(L"hello", L"help"), KEEP(wcsncmp(A, B, n(3))), R(a, 0, 12), R(b, 0, 12))            \
    X(wcschr, SET(a, L"hello"), KEEP(wcschr(A, L'l')), R(a, 0, 12))                                     \
    X(wcsrchr, SET(a, L"hello"), KEEP(wcsrchr(A, L'l')), R(a, 0, 24))                                   \
    X(wcspbrk, BOTH(L"hello", L"le"), KEEP(wcspbrk(A, B)), R(a, 0, 8), R(b, 0, 12))                     \
    X(wcsspn, BOTH(L"hello", L"eh"), KEEP(wcsspn(A, B)), R(a, 0, 12), R(b, 0, 12))                      \
    X(wcscspn, BOTH(L"hello", L"l"), KEEP(wcscspn(A, B)), R(a, 0, 12), R(b, 0, 8))                      \
    X(wcsstr, BOTH(L"hello", L"ll"), KEEP(wcsstr(A, B)), R(a, 0, 16), R(b, 0, 12))                      \
    X(wmemcpy, , KEEP(wmemcpy(A, B, n(5))), W(a, 0, 20), R(b, 0, 20))                                   \
    X(wmemmove, , KEEP(wmemmove(A, B, n(5))), W(a, 0, 20), R(b, 0, 20))                                 \
    X(wmemset, , KEEP(wmemset(A, L'x', n(5))), W(a, 0, 20))                                             \
    X(wmemcmp, , KEEP(wmemcmp(A, B, n(5))), R(a, 0, 20), R(b, 0, 20))                                   \
    X(wmemchr, SET(a, L"hello"), KEEP(wmemchr(A, L'e', n(5))), R(a, 0, 8))                              \
    X(mbstowcs, SET(b, "hello"), KEEP(mbstowcs(A, m.b, n(20))), W(a, 0, 24), R(b, 0, 6))                \
    X(wcstombs, SET(b, L"hello"), KEEP(wcstombs(m.a, B, n(20))), W(a, 0, 6), R(b, 0, 24))              \
    X(wcschrnul, SET(a, L"hello"), KEEP(wcschrnul(A, L'l')), R(a, 0, 12))                              \
    X(wmempcpy, , KEEP(wmempcpy(A, B, n(5))), W(a, 0, 20), R(b, 0, 20))                                \
    X(wcscoll, BOTH(L"hello", L"help"), KEEP(wcscoll(A, B)), R(a, 0, 24), R(b, 0, 20))                 \
    X(wcscoll_l, BOTH(L"hello", L"help"), KEEP(wcscoll_l(A, B, newlocale(LC_ALL_MASK, "C", NULL))), R(a, 0, 24), \
      R(b, 0, 20))                                                                                     \
    X(wcsxfrm, SET(b, L"hello"), KEEP(wcsxfrm(A, B, n(20))), W(a, 0, 24), R(b, 0, 24))                 \
    X(wcscasecmp, BOTH(L"HELlo", L"help"), KEEP(wcscasecmp(A, B)), R(a, 0, 16), R(b, 0, 16))           \
    X(wcsncasecmp, BOTH(L"HELlo", L"help"), KEEP(wcsncasecmp(A, B, n(3))), R(a, 0, 12), R(b, 0, 12))   \
    X(wcstok, BOTH(L"a bc d", L" "), KEEP(wcstok(A, B, (wchar_t **)&m.p[0])), R(a, 0, 8), W(a, 4, 4), R(b, 0, 8), \
      W(p, 0, 8))                                                                                      \
    X(wcstok_next, BOTH(L"bc d", L" "); m.p[0] = m.a, KEEP(wcstok(NULL, B, (wchar_t **)&m.p[0])), R(a, 0, 12), \
      W(a, 8, 4), R(b, 0, 8), W(p, 0, 8))                                                              \
    X(wcstok_last, BOTH(L"bc", L" "), KEEP(wcstok(A, B, (wchar_t **)&m.p[0])), R(a, 0, 12), R(b, 0, 8), W(p, 0, 8)) \
    X(wcstol, SET(a, L"123x5"), KEEP(wcstol(A, (wchar_t **)m.b, 10)), R(a, 0, 16), W(b, 0, 8))         \
    X(wcstoul, SET(a, L"123x5"), KEEP(wcstoul(A, (wchar_t **)m.b, 10)), R(a, 0, 16), W(b, 0, 8))       \
    X(wcstoll, SET(a, L"123x5"), KEEP(wcstoll(A, (wchar_t **)m.b, 10)), R(a, 0, 16), W(b, 0, 8))       \
    X(wcstoull, SET(a, L"123x5"), KEEP(wcstoull(A, (wchar_t **)m.b, 10)), R(a, 0, 16), W(b, 0, 8))     \
    X(wcstoimax, SET(a, L"123x5"), KEEP(wcstoimax(A, (wchar_t **)m.b, 10)), R(a, 0, 16), W(b, 0, 8))   \
    X(wcstoumax, SET(a, L"123x5"), KEEP(wcstoumax(A, (wchar_t **)m.b, 10)), R(a, 0, 16), W(b, 0, 8))   \
    X(wcstod, SET(a, L"1.5x5"), KEEP(wcstod(A, (wchar_t **)m.b)), R(a, 0, 16), W(b, 0, 8))             \
    X(wcstof, SET(a, L"1.5x5"), KEEP(wcstof(A, (wchar_t **)m.b)), R(a, 0, 16), W(b, 0, 8))             \
    X(wcstold, SET(a, L"1.5x5"), KEEP(wcstold(A, (wchar_t **)m.b)), R(a, 0, 16), W(b, 0, 8))           \
    X(wcstol_l, SET(a, L"123x5"), KEEP(wcstol_l(A, (wchar_t **)m.b, 10, locale())), R(a, 0, 16), W(b, 0, 8)) \
    X(wcstoul_l, SET(a, L"123x5"), KEEP(wcstoul_l(A, (wchar_t **)m.b, 10, locale())), R(a, 0, 16), W(b, 0, 8)) \
    X(wcstoll_l, SET(a, L"123x5"), KEEP(wcstoll_l(A, (wchar_t **)m.b, 10, locale())), R(a, 0, 16), W(b, 0, 8)) \
    X(wcstoull_l, SET(a, L"123x5"), KEEP(wcstoull_l(A, (wchar_t **)m.b, 10, locale())), R(a, 0, 16), W(b, 0, 8)) \
    X(wcstod_l, SET(a, L"1.5x5"), KEEP(wcstod_l(A, (wchar_t **)m.b, locale())), R(a, 0, 16), W(b, 0, 8)) \
    X(wcstof_l, SET(a, L"1.5x5"), KEEP(wcstof_l(A, (wchar_t **)m.b, locale())), R(a, 0, 16), W(b, 0, 8)) \
    X(wcstold_l, SET(a, L"1.5x5"), KEEP(wcstold_l(A, (wchar_t **)m.b, locale())), R(a, 0, 16), W(b, 0, 8)) \
    X(wcsftime, SET(b, L"%Y"), KEEP(wcsftime(A, n(9), B, &a_time)), W(a, 0, 20), R(b, 0, 12))          \
    X(fputws, ready(); SET(a, L"hi"), KEEP(fputws(A, out)), R(a, 0, 12))                               \
    X(fputws_unlocked, ready(); SET(a, L"hi"), KEEP(fputws_unlocked(A, out)), R(a, 0, 12))             \
    X(fgetws, ready(), KEEP(fgetws(A, (int)n(9), in)), W(a, 0, 20))                                    \
    X(fgetws_unlocked, ready(), KEEP(fgetws_unlocked(A, (int)n(9), in)), W(a, 0, 20))                  \
    X(fwprintf, ready(); BOTH(L"%s", "hi"), KEEP(fwprintf(out, A, m.b)), R(a, 0, 12), R(b, 0, 3))      \
    X(swprintf, BOTH(L"%ls", L"hi"), KEEP(swprintf((wchar_t *)m.c, n(9), A, B)), R(a, 0, 16), R(b, 0, 12), \
      W(c, 0, 12))                                                                                     \
    X(wprintf, BOTH(L"%s", "hi"), KEEP(wprintf(A, m.b)), R(a, 0, 12), R(b, 0, 3))                      \
    X(vwprintf, SET(b, "hi"), KEEP(by_vwprintf(L"%s", m.b)), R(b, 0, 3))                               \
    X(vfwprintf, ready(); SET(b, "hi"), KEEP(by_vfwprintf(L"%s", m.b)), R(b, 0, 3))                    \
    X(vswprintf, SET(b, "hi"), KEEP(by_vswprintf(L"%s", m.b)), R(b, 0, 3), W(c, 0, 12))                \
    X(swscanf, SET(a, L"12 hi"), KEEP(swscanf(A, L"%d %ls", m.n, B)), R(a, 0, 24), W(n, 0, 4), W(b, 0, 12)) \
    X(fwscanf, ready(), KEEP(fwscanf(in, L"%ls", B)), W(b, 0, 12))                                     \
    X(vswscanf, SET(a, L"12 hi"), KEEP(by_vswscanf(L"%d", m.n)), R(a, 0, 24), W(n, 0, 4))              \
    X(vfwscanf, ready(), KEEP(by_vfwscanf(L"%ls", B)), W(b, 0, 12))                                    \
    X(old_swscanf, SET(a, L"12 hi"), KEEP(old_swscanf(A, L"%d", m.n)), R(a, 0, 24), W(n, 0, 4))        \
    X(old_fwscanf, ready(), KEEP(old_fwscanf(in, L"%ls", B)), W(b, 0, 12))                             \
    X(old_vswscanf, SET(a, L"12 hi"), KEEP(by_old_vswscanf(L"%d", m.n)), R(a, 0, 24), W(n, 0, 4))      \
    X(old_vfwscanf, ready(), KEEP(by_old_vfwscanf(L"%ls", B)), W(b, 0, 12))                            \
    X(getwchar_unlocked, input(), KEEP(getwchar_unlocked()), NOTHING)                                  \
    X(putwchar_unlocked, , KEEP(putwchar_unlocked(L'x')), NOTHING)                                     \
    X(wscanf, input(), KEEP(wscanf(L"%ls", B)), W(b, 0, 12))                                           \
    X(vwscanf, input(), KEEP(by_vwscanf(L"%ls", B)), W(b, 0, 12))                                      \
    X(old_wscanf, input(), KEEP(old_wscanf(L"%ls", B)), W(b, 0, 12))                                   \
    X(old_vwscanf, input(), KEEP(by_old_vwscanf(L"%ls", B)), W(b, 0, 12))

RUN_CASES()
