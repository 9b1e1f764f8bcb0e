/* Wide strings, as strings.c. */
#include "rt/intercept/locale.h"
#include "rt/intercept/wide.h"

/* Those that decide a comparison. */
static size_t same(wchar_t const *a, wchar_t const *b, size_t limit) {
    size_t n = 0;
    while (n < limit && a[n] && a[n] == b[n])
        n++;
    return n < limit ? n + 1 : limit;
}

/* ---- length, copy ---- */

ROW(size_t, wcslen, (wchar_t const *s), (s), , READS_WIDE(s, result + 1))
ROW(size_t, wcsnlen, (wchar_t const *s, size_t limit), (s, limit),
    READS_WIDE(s, dh_wide_size_within(s, limit)), )

#define COPY(name)                                                        \
    ROW(wchar_t *, name, (wchar_t * to, wchar_t const *from), (to, from), \
        READS_TEXT(from) WRITES_WIDE(to, dh_wide_length(from) + 1), )
COPY(wcscpy)
COPY(wcpcpy)

/* The rest is filled with nulls. */
#define COPY_WITHIN(name)                                                                      \
    ROW(wchar_t *, name, (wchar_t * to, wchar_t const *from, size_t count), (to, from, count), \
        READS_WIDE(from, dh_wide_size_within(from, count)) WRITES_WIDE(to, count), )
COPY_WITHIN(wcsncpy)
COPY_WITHIN(wcpncpy)

ROW(wchar_t *, wcscat, (wchar_t * to, wchar_t const *from), (to, from),
    READS_TEXT(to) READS_TEXT(from)
        WRITES_WIDE(to + dh_wide_length(to), dh_wide_length(from) + 1), )
ROW(wchar_t *, wcsncat, (wchar_t * to, wchar_t const *from, size_t limit), (to, from, limit),
    READS_TEXT(to) READS_WIDE(from, dh_wide_size_within(from, limit))
        WRITES_WIDE(to + dh_wide_length(to), dh_wide_length_within(from, limit) + 1), )
ROW(wchar_t *, wcsdup, (wchar_t const *s), (s), READS_TEXT(s), )

/* ---- compare, search ---- */

ROW(int, wcscmp, (wchar_t const *a, wchar_t const *b), (a, b),
    READS_WIDE(a, same(a, b, SIZE_MAX)) READS_WIDE(b, same(a, b, SIZE_MAX)), )
ROW(int, wcsncmp, (wchar_t const *a, wchar_t const *b, size_t limit), (a, b, limit),
    READS_WIDE(a, same(a, b, limit)) READS_WIDE(b, same(a, b, limit)), )
ROW(int, wcscoll, (wchar_t const *a, wchar_t const *b), (a, b),
    READS_TEXT(a) READS_TEXT(b) USES_LOCALE, )
ROW(int, wcscoll_l, (wchar_t const *a, wchar_t const *b, locale_t locale), (a, b, locale),
    READS_TEXT(a) READS_TEXT(b) USES_THIS_LOCALE(locale), )
ROW(size_t, wcsxfrm, (wchar_t * to, wchar_t const *from, size_t room), (to, from, room),
    READS_TEXT(from) USES_LOCALE, if (result < room) WRITES_WIDE(to, result + 1))

ROW(size_t, wcsxfrm_l, (wchar_t * to, wchar_t const *from, size_t room, locale_t locale),
    (to, from, room, locale), READS_TEXT(from) USES_THIS_LOCALE(locale),
    if (result < room) WRITES_WIDE(to, result + 1))

/* Up to and including what was found, or all. */
#define FOUND(s) (result ? (size_t)(result - (s)) + 1 : dh_wide_length(s) + 1)
ROW(wchar_t *, wcschr, (wchar_t const *s, wchar_t c), (s, c), , READS_WIDE(s, FOUND(s)))
ROW(wchar_t *, wcschrnul, (wchar_t const *s, wchar_t c), (s, c), , READS_WIDE(s, FOUND(s)))
ROW(wchar_t *, wcsrchr, (wchar_t const *s, wchar_t c), (s, c), READS_TEXT(s), )
ROW(wchar_t *, wcspbrk, (wchar_t const *s, wchar_t const *set), (s, set), READS_TEXT(set),
    READS_WIDE(s, FOUND(s)))
ROW(size_t, wcsspn, (wchar_t const *s, wchar_t const *set), (s, set), READS_TEXT(set),
    READS_WIDE(s, result + 1))
ROW(size_t, wcscspn, (wchar_t const *s, wchar_t const *set), (s, set), READS_TEXT(set),
    READS_WIDE(s, result + 1))
ROW(wchar_t *, wcsstr, (wchar_t const *s, wchar_t const *wanted), (s, wanted), READS_TEXT(wanted),
    READS_WIDE(s, result ? (size_t)(result - s) + dh_wide_length(wanted) : dh_wide_length(s) + 1))

/* ---- memory ---- */

#define COPY_ALL(name)                                                                         \
    ROW(wchar_t *, name, (wchar_t * to, wchar_t const *from, size_t count), (to, from, count), \
        READS_WIDE(from, count) WRITES_WIDE(to, count), )
COPY_ALL(wmemcpy)
COPY_ALL(wmemmove)
COPY_ALL(wmempcpy)
ROW(wchar_t *, wmemset, (wchar_t * to, wchar_t c, size_t count), (to, c, count),
    WRITES_WIDE(to, count), )
ROW(int, wmemcmp, (wchar_t const *a, wchar_t const *b, size_t count), (a, b, count),
    READS_WIDE(a, count) READS_WIDE(b, count), )
ROW(wchar_t *, wmemchr, (wchar_t const *s, wchar_t c, size_t count), (s, c, count), ,
    READS_WIDE(s, result ? (size_t)(result - s) + 1 : count))

/* ---- to and from bytes ---- */

#define FAILED ((size_t)-1)
ROW(size_t, mbstowcs, (wchar_t * to, char const *from, size_t room), (to, from, room),
    READS_STRING(from), if (result != FAILED) WRITES_WIDE(to, result < room ? result + 1 : result))
ROW(size_t, wcstombs, (char *to, wchar_t const *from, size_t room), (to, from, room),
    READS_TEXT(from), if (result != FAILED) WRITES_BYTES(to, result < room ? result + 1 : result))

/* ---- with _FORTIFY_SOURCE: the real ones abort if `limit` is too small ---- */

#define COPY_CHECKED(name)                                                                     \
    ROW(wchar_t *, name, (wchar_t * to, wchar_t const *from, size_t limit), (to, from, limit), \
        READS_TEXT(from) WRITES_WIDE(to, dh_wide_length(from) + 1), )
COPY_CHECKED(__wcscpy_chk)
COPY_CHECKED(__wcpcpy_chk)

#define COPY_WITHIN_CHECKED(name)                                                         \
    ROW(wchar_t *, name, (wchar_t * to, wchar_t const *from, size_t count, size_t limit), \
        (to, from, count, limit),                                                         \
        READS_WIDE(from, dh_wide_size_within(from, count)) WRITES_WIDE(to, count), )
COPY_WITHIN_CHECKED(__wcsncpy_chk)
COPY_WITHIN_CHECKED(__wcpncpy_chk)

#define COPY_ALL_CHECKED(name)                                                            \
    ROW(wchar_t *, name, (wchar_t * to, wchar_t const *from, size_t count, size_t limit), \
        (to, from, count, limit), READS_WIDE(from, count) WRITES_WIDE(to, count), )
COPY_ALL_CHECKED(__wmemcpy_chk)
COPY_ALL_CHECKED(__wmemmove_chk)
COPY_ALL_CHECKED(__wmempcpy_chk)
ROW(wchar_t *, __wmemset_chk, (wchar_t * to, wchar_t c, size_t count, size_t limit),
    (to, c, count, limit), WRITES_WIDE(to, count), )
ROW(wchar_t *, __wcscat_chk, (wchar_t * to, wchar_t const *from, size_t limit), (to, from, limit),
    READS_TEXT(to) READS_TEXT(from)
        WRITES_WIDE(to + dh_wide_length(to), dh_wide_length(from) + 1), )
ROW(wchar_t *, __wcsncat_chk, (wchar_t * to, wchar_t const *from, size_t count, size_t limit),
    (to, from, count, limit),
    READS_TEXT(to) READS_WIDE(from, dh_wide_size_within(from, count))
        WRITES_WIDE(to + dh_wide_length(to), dh_wide_length_within(from, count) + 1), )
ROW(size_t, __mbstowcs_chk, (wchar_t * to, char const *from, size_t room, size_t limit),
    (to, from, room, limit), READS_STRING(from),
    if (result != FAILED) WRITES_WIDE(to, result < room ? result + 1 : result))
ROW(size_t, __wcstombs_chk, (char *to, wchar_t const *from, size_t room, size_t limit),
    (to, from, room, limit), READS_TEXT(from),
    if (result != FAILED) WRITES_BYTES(to, result < room ? result + 1 : result))
