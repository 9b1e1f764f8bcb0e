/* Wide strings. */
#include "spans.h"

#include <wchar.h>

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
    X(wcstombs, SET(b, L"hello"), KEEP(wcstombs(m.a, B, n(20))), W(a, 0, 6), R(b, 0, 24))

RUN_CASES()
