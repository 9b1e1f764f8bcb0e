/* More of wide strings: compared without regard to case, cut, read as numbers; and wide streams. */
#include "rt/intercept/locale.h"
#include "rt/intercept/pairs.h"
#include "rt/intercept/stream.h"
#include "rt/intercept/wide.h"

#include <inttypes.h>
#include <time.h>
#include <wctype.h>

/* ---- compare, cut ---- */

static size_t same_folded(wchar_t const *a, wchar_t const *b, size_t limit) {
    size_t n = 0;
    while (n < limit && a[n] && towlower((wint_t)a[n]) == towlower((wint_t)b[n]))
        n++;
    return n < limit ? n + 1 : limit;
}
ROW(int, wcscasecmp, (wchar_t const *a, wchar_t const *b), (a, b),
    READS_WIDE(a, same_folded(a, b, SIZE_MAX)) READS_WIDE(b, same_folded(a, b, SIZE_MAX)), )
ROW(int, wcsncasecmp, (wchar_t const *a, wchar_t const *b, size_t limit), (a, b, limit),
    READS_WIDE(a, same_folded(a, b, limit)) READS_WIDE(b, same_folded(a, b, limit)), )

static size_t same_folded_by(wchar_t const *a, wchar_t const *b, size_t limit, locale_t locale) {
    size_t n = 0;
    while (n < limit && a[n]
           && towlower_l((wint_t)a[n], locale) == towlower_l((wint_t)b[n], locale))
        n++;
    return n < limit ? n + 1 : limit;
}
#define READS_SAME(limit)                              \
    USES_THIS_LOCALE(locale)                           \
    READS_WIDE(a, same_folded_by(a, b, limit, locale)) \
    READS_WIDE(b, same_folded_by(a, b, limit, locale))
ROW(int, wcscasecmp_l, (wchar_t const *a, wchar_t const *b, locale_t locale), (a, b, locale),
    READS_SAME(SIZE_MAX), )
ROW(int, wcsncasecmp_l, (wchar_t const *a, wchar_t const *b, size_t limit, locale_t locale),
    (a, b, limit, locale), READS_SAME(limit), )

/* As strtok_r (strings.c). */
INTERCEPT(wchar_t *, wcstok, (wchar_t * s, wchar_t const *set, wchar_t **rest)) {
    struct dh_here here = DH_HERE;
    wchar_t *start = s ? s : *rest;
    wchar_t *result = REAL(wcstok)(s, set, rest);
    if (!dh_checking()) return result;
    if (!s) READS(rest)
    READS_TEXT(set)
    wchar_t *end = *rest ? *rest : start + (start ? dh_wide_length(start) : 0);
    if (result && *rest && end > start) WRITES_WIDE(end - 1, 1)
    READS_WIDE(start, result && *rest ? (size_t)(end - start) : dh_wide_length(start) + 1)
    WRITES(rest)
    return result;
}

/* ---- numbers, as numbers.c ---- */

static void parsed(wchar_t const *s, wchar_t const *stop, wchar_t **end, struct dh_here here) {
    if (!dh_checking()) return;
    READS_WIDE(s, (size_t)(stop - s) + 1)
    WRITES(end)
}
#define INTEGER(type, name)                                              \
    INTERCEPT(type, name, (wchar_t const *s, wchar_t **end, int base)) { \
        wchar_t *stop = (wchar_t *)s;                                    \
        type result = REAL(name)(s, &stop, base);                        \
        parsed(s, stop, end, DH_HERE);                                   \
        if (end) *end = stop;                                            \
        return result;                                                   \
    }
INTEGER(long, wcstol)
INTEGER(long long, wcstoll)
INTEGER(unsigned long, wcstoul)
INTEGER(unsigned long long, wcstoull)
INTEGER(intmax_t, wcstoimax)
INTEGER(uintmax_t, wcstoumax)
#define FLOATING(type, name)                                   \
    INTERCEPT(type, name, (wchar_t const *s, wchar_t **end)) { \
        wchar_t *stop = (wchar_t *)s;                          \
        type result = REAL(name)(s, &stop);                    \
        parsed(s, stop, end, DH_HERE);                         \
        if (end) *end = stop;                                  \
        return result;                                         \
    }
FLOATING(double, wcstod)
FLOATING(float, wcstof)
FLOATING(long double, wcstold)
#define INTEGER_BY(type, name)                                                            \
    INTERCEPT(type, name, (wchar_t const *s, wchar_t **end, int base, locale_t locale)) { \
        struct dh_here here = DH_HERE;                                                    \
        wchar_t *stop = (wchar_t *)s;                                                     \
        type result = REAL(name)(s, &stop, base, locale);                                 \
        if (dh_checking()) USES_THIS_LOCALE(locale)                                       \
        parsed(s, stop, end, here);                                                       \
        if (end) *end = stop;                                                             \
        return result;                                                                    \
    }
INTEGER_BY(long, wcstol_l)
INTEGER_BY(long long, wcstoll_l)
INTEGER_BY(unsigned long, wcstoul_l)
INTEGER_BY(unsigned long long, wcstoull_l)
#define FLOATING_BY(type, name)                                                 \
    INTERCEPT(type, name, (wchar_t const *s, wchar_t **end, locale_t locale)) { \
        struct dh_here here = DH_HERE;                                          \
        wchar_t *stop = (wchar_t *)s;                                           \
        type result = REAL(name)(s, &stop, locale);                             \
        if (dh_checking()) USES_THIS_LOCALE(locale)                             \
        parsed(s, stop, end, here);                                             \
        if (end) *end = stop;                                                   \
        return result;                                                          \
    }
FLOATING_BY(double, wcstod_l)
FLOATING_BY(float, wcstof_l)
FLOATING_BY(long double, wcstold_l)

ROW(size_t, wcsftime, (wchar_t * to, size_t room, wchar_t const *format, struct tm const *t),
    (to, room, format, t), READS_TEXT(format) READS(t), if (result) WRITES_WIDE(to, result + 1))

ROW(size_t, wcsftime_l,
    (wchar_t * to, size_t room, wchar_t const *format, struct tm const *t, locale_t locale),
    (to, room, format, t, locale), READS_TEXT(format) READS(t) USES_THIS_LOCALE(locale),
    if (result) WRITES_WIDE(to, result + 1))

/* ---- streams ---- */

/* As open_memstream (stdio.c). */
ROW(FILE *, open_wmemstream, (wchar_t * *to, size_t *size), (to, size), ,
    if (result){WRITES(to) WRITES(size)})

#define WRITE_ONE(name) ROW(wint_t, name, (wchar_t c, FILE * f), (c, f), PUTS(f), )
WRITE_ONE(fputwc)
WRITE_ONE(putwc)
WRITE_ONE(fputwc_unlocked)
WRITE_ONE(putwc_unlocked)
ROW(wint_t, putwchar, (wchar_t c), (c), PUTS(stdout), )
ROW(int, fputws, (wchar_t const *s, FILE *f), (s, f), READS_TEXT(s) PUTS(f), )
ROW(int, fputws_unlocked, (wchar_t const *s, FILE *f), (s, f), READS_TEXT(s) PUTS(f), )

#define READ_ONE(name) ROW(wint_t, name, (FILE * f), (f), USES(f), GETS(f))
READ_ONE(fgetwc)
READ_ONE(getwc)
READ_ONE(fgetwc_unlocked)
READ_ONE(getwc_unlocked)
ROW(wint_t, getwchar, (void), (), USES(stdin), GETS(stdin))
ROW(wint_t, ungetwc, (wint_t c, FILE *f), (c, f), USES(f), )
#define READ_LINE(name)                                                             \
    ROW(wchar_t *, name, (wchar_t * to, int room, FILE *f), (to, room, f), USES(f), \
        GETS(f) if (result) WRITES_WIDE(to, dh_wide_length(to) + 1))
READ_LINE(fgetws)
READ_LINE(fgetws_unlocked)
#define READ_LINE_CHECKED(name)                                                                 \
    ROW(wchar_t *, name, (wchar_t * to, size_t limit, int room, FILE *f), (to, limit, room, f), \
        USES(f), GETS(f) if (result) WRITES_WIDE(to, dh_wide_length(to) + 1))
READ_LINE_CHECKED(__fgetws_chk)
READ_LINE_CHECKED(__fgetws_unlocked_chk)
ROW(wint_t, getwchar_unlocked, (void), (), USES(stdin), GETS(stdin))
ROW(wint_t, putwchar_unlocked, (wchar_t c), (c), PUTS(stdout), )

/* ---- formats ---- */

#define PRINTS READS_TEXT(format) dh_wprintf_accesses(format, list, here);
#define SCANS dh_wscanf_accesses(format, kept, result, here);
#define INTO(to) \
    if (result >= 0) WRITES_WIDE(to, (size_t)result + 1)

PAIR(wprintf, vwprintf, (wchar_t const *format), (format, list), PRINTS PUTS(stdout), )
PAIR(fwprintf, vfwprintf, (FILE * f, wchar_t const *format), (f, format, list), PRINTS PUTS(f), )
PAIR(swprintf, vswprintf, (wchar_t * to, size_t room, wchar_t const *format),
     (to, room, format, list), PRINTS, INTO(to))
PAIR(__wprintf_chk, __vwprintf_chk, (int flag, wchar_t const *format), (flag, format, list),
     PRINTS PUTS(stdout), )
PAIR(__fwprintf_chk, __vfwprintf_chk, (FILE * f, int flag, wchar_t const *format),
     (f, flag, format, list), PRINTS PUTS(f), )
PAIR(__swprintf_chk, __vswprintf_chk,
     (wchar_t * to, size_t room, int flag, size_t limit, wchar_t const *format),
     (to, room, flag, limit, format, list), PRINTS, INTO(to))

#define WSCANF(name, vname)                                                                    \
    PAIR(name, vname, (wchar_t const *format), (format, list), READS_TEXT(format) USES(stdin), \
         GETS(stdin) SCANS)
#define FWSCANF(name, vname)                                                \
    PAIR(name, vname, (FILE * f, wchar_t const *format), (f, format, list), \
         READS_TEXT(format) USES(f), GETS(f) SCANS)
#define SWSCANF(name, vname)                                                        \
    PAIR(name, vname, (wchar_t const *s, wchar_t const *format), (s, format, list), \
         READS_TEXT(format) READS_TEXT(s), SCANS)
WSCANF(wscanf, vwscanf)
WSCANF(__isoc99_wscanf, __isoc99_vwscanf)
FWSCANF(fwscanf, vfwscanf)
FWSCANF(__isoc99_fwscanf, __isoc99_vfwscanf)
SWSCANF(swscanf, vswscanf)
SWSCANF(__isoc99_swscanf, __isoc99_vswscanf)
