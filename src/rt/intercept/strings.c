/* Functions on strings. Each access is as long as C says: a comparison ends with the first
 * difference, a search with what it finds, and the terminating null is part of the string. Lengths
 * are measured only when there is something to check.
 */
#include "rt/intercept/locale.h"

#include <ctype.h>

/* ---- length ---- */

INTERCEPT(size_t, strlen, (char const *s)) {
    size_t n = REAL(strlen)(s);
    if (dh_checking()) dh_range_read(s, n + 1, DH_HERE);
    return n;
}

INTERCEPT(size_t, strnlen, (char const *s, size_t limit)) {
    size_t n = REAL(strnlen)(s, limit);
    if (dh_checking()) dh_range_read(s, n < limit ? n + 1 : limit, DH_HERE);
    return n;
}

static size_t size_of(char const *s) { return REAL(strlen)(s) + 1; }

/* Of the first `limit` bytes, those up to the terminating null. */
static size_t size_within(char const *s, size_t limit) {
    size_t n = REAL(strnlen)(s, limit);
    return n < limit ? n + 1 : limit;
}

static void read_string(char const *s, struct dh_here here) { dh_range_read(s, size_of(s), here); }

/* ---- copy ---- */

static void copies(char *to, char const *from, struct dh_here here) {
    size_t size = size_of(from);
    dh_range_read(from, size, here);
    dh_range_write(to, size, here);
}

/* strncpy fills the rest with nulls. */
static void copies_within(char *to, char const *from, size_t size, struct dh_here here) {
    dh_range_read(from, size_within(from, size), here);
    dh_range_write(to, size, here);
}

INTERCEPT(char *, strcpy, (char *to, char const *from)) {
    if (dh_checking()) copies(to, from, DH_HERE);
    return REAL(strcpy)(to, from);
}

INTERCEPT(char *, stpcpy, (char *to, char const *from)) {
    if (dh_checking()) copies(to, from, DH_HERE);
    return REAL(stpcpy)(to, from);
}

INTERCEPT(char *, strncpy, (char *to, char const *from, size_t size)) {
    if (dh_checking()) copies_within(to, from, size, DH_HERE);
    return REAL(strncpy)(to, from, size);
}

INTERCEPT(char *, stpncpy, (char *to, char const *from, size_t size)) {
    if (dh_checking()) copies_within(to, from, size, DH_HERE);
    return REAL(stpncpy)(to, from, size);
}

/* At most `limit` bytes of `from`, and a null of their own, go where the string at `to` ends. */
static void appends(char *to, char const *from, size_t limit, struct dh_here here) {
    size_t old = REAL(strlen)(to), added = REAL(strnlen)(from, limit);
    dh_range_read(to, old + 1, here);
    dh_range_read(from, added < limit ? added + 1 : limit, here);
    dh_range_write(to + old, added + 1, here);
}

INTERCEPT(char *, strcat, (char *to, char const *from)) {
    if (dh_checking()) appends(to, from, SIZE_MAX, DH_HERE);
    return REAL(strcat)(to, from);
}

INTERCEPT(char *, strncat, (char *to, char const *from, size_t limit)) {
    if (dh_checking()) appends(to, from, limit, DH_HERE);
    return REAL(strncat)(to, from, limit);
}

/* Allocated here and not by libc, so that the block's stack is the program's. */
static char *duplicate(char const *s, size_t n, struct dh_here here) {
    char *copy = dh_malloc_at(n + 1, here);
    if (!copy) return 0;
    dh_copy(copy, s, n);
    copy[n] = 0;
    return copy;
}

INTERCEPT(char *, strdup, (char const *s)) {
    if (dh_checking()) read_string(s, DH_HERE);
    return duplicate(s, REAL(strlen)(s), DH_HERE);
}

INTERCEPT(char *, strndup, (char const *s, size_t limit)) {
    if (dh_checking()) dh_range_read(s, size_within(s, limit), DH_HERE);
    return duplicate(s, REAL(strnlen)(s, limit), DH_HERE);
}

/* ---- compare ---- */

static int as_is(int c) { return c; }

/* The bytes of both that decide: up to and including the first difference or the end. */
static void compares(char const *a, char const *b, size_t limit, int (*fold)(int),
                     struct dh_here here) {
    size_t n = 0;
    while (n < limit && a[n] && fold((unsigned char)a[n]) == fold((unsigned char)b[n]))
        n++;
    size_t size = n < limit ? n + 1 : limit;
    dh_range_read(a, size, here);
    dh_range_read(b, size, here);
}

INTERCEPT(int, strcmp, (char const *a, char const *b)) {
    if (dh_checking()) compares(a, b, SIZE_MAX, as_is, DH_HERE);
    return REAL(strcmp)(a, b);
}

INTERCEPT(int, strncmp, (char const *a, char const *b, size_t limit)) {
    if (dh_checking()) compares(a, b, limit, as_is, DH_HERE);
    return REAL(strncmp)(a, b, limit);
}

INTERCEPT(int, strcasecmp, (char const *a, char const *b)) {
    if (dh_checking()) compares(a, b, SIZE_MAX, tolower, DH_HERE);
    return REAL(strcasecmp)(a, b);
}

INTERCEPT(int, strncasecmp, (char const *a, char const *b, size_t limit)) {
    if (dh_checking()) compares(a, b, limit, tolower, DH_HERE);
    return REAL(strncasecmp)(a, b, limit);
}

/* By the rules of a locale. */
static void compares_by(char const *a, char const *b, size_t limit, locale_t locale,
                        struct dh_here here) {
    size_t n = 0;
    while (n < limit && a[n]
           && tolower_l((unsigned char)a[n], locale) == tolower_l((unsigned char)b[n], locale))
        n++;
    size_t size = n < limit ? n + 1 : limit;
    USES_THIS_LOCALE(locale)
    dh_range_read(a, size, here);
    dh_range_read(b, size, here);
}

INTERCEPT(int, strcasecmp_l, (char const *a, char const *b, locale_t locale)) {
    if (dh_checking()) compares_by(a, b, SIZE_MAX, locale, DH_HERE);
    return REAL(strcasecmp_l)(a, b, locale);
}

INTERCEPT(int, strncasecmp_l, (char const *a, char const *b, size_t limit, locale_t locale)) {
    if (dh_checking()) compares_by(a, b, limit, locale, DH_HERE);
    return REAL(strncasecmp_l)(a, b, limit, locale);
}

/* ---- search ---- */

/* Up to and including the byte found, or all. */
static void searches(char const *s, char const *found, struct dh_here here) {
    dh_range_read(s, found ? (size_t)(found - s) + 1 : size_of(s), here);
}

INTERCEPT(char *, strchr, (char const *s, int c)) {
    char *found = REAL(strchr)(s, c);
    if (dh_checking()) searches(s, found, DH_HERE);
    return found;
}

INTERCEPT(char *, index, (char const *s, int c)) {
    char *found = REAL(index)(s, c);
    if (dh_checking()) searches(s, found, DH_HERE);
    return found;
}

INTERCEPT(char *, strchrnul, (char const *s, int c)) {
    char *found = REAL(strchrnul)(s, c);
    if (dh_checking()) searches(s, found, DH_HERE);
    return found;
}

INTERCEPT(char *, strrchr, (char const *s, int c)) {
    if (dh_checking()) read_string(s, DH_HERE);
    return REAL(strrchr)(s, c);
}

INTERCEPT(char *, rindex, (char const *s, int c)) {
    if (dh_checking()) read_string(s, DH_HERE);
    return REAL(rindex)(s, c);
}

static void searches_string(char const *s, char const *wanted, char const *found,
                            struct dh_here here) {
    size_t n = REAL(strlen)(wanted);
    dh_range_read(s, found ? (size_t)(found - s) + n : size_of(s), here);
    dh_range_read(wanted, n + 1, here);
}

INTERCEPT(char *, strstr, (char const *s, char const *wanted)) {
    char *found = REAL(strstr)(s, wanted);
    if (dh_checking()) searches_string(s, wanted, found, DH_HERE);
    return found;
}

INTERCEPT(char *, strcasestr, (char const *s, char const *wanted)) {
    char *found = REAL(strcasestr)(s, wanted);
    if (dh_checking()) searches_string(s, wanted, found, DH_HERE);
    return found;
}

static void spans(char const *s, size_t n, char const *set, struct dh_here here) {
    dh_range_read(s, n + 1, here);
    read_string(set, here);
}

INTERCEPT(size_t, strspn, (char const *s, char const *set)) {
    size_t n = REAL(strspn)(s, set);
    if (dh_checking()) spans(s, n, set, DH_HERE);
    return n;
}

INTERCEPT(size_t, strcspn, (char const *s, char const *set)) {
    size_t n = REAL(strcspn)(s, set);
    if (dh_checking()) spans(s, n, set, DH_HERE);
    return n;
}

INTERCEPT(char *, strpbrk, (char const *s, char const *set)) {
    char *found = REAL(strpbrk)(s, set);
    if (dh_checking()) {
        searches(s, found, DH_HERE);
        read_string(set, DH_HERE);
    }
    return found;
}

/* ---- tokens: the string is cut where a token ends ---- */

/* Reads s from `from` to the end of the token there, and writes a null over what ended it. */
static void cuts(char *s, size_t from, char const *set, struct dh_here here) {
    size_t end = from + REAL(strcspn)(s + from, set);
    dh_range_read(s, end + 1, here);
    read_string(set, here);
    if (s[end]) dh_range_write(s + end, 1, here);
}

static void tokenises(char *s, char const *set, char **rest, struct dh_here here) {
    if (!s) dh_range_read(rest, sizeof *rest, here);
    char *at = s ? s : *rest;
    if (at) cuts(at, REAL(strspn)(at, set), set, here);
    dh_range_write(rest, sizeof *rest, here);
}

INTERCEPT(char *, strtok_r, (char *s, char const *set, char **rest)) {
    if (dh_checking()) tokenises(s, set, rest, DH_HERE);
    return REAL(strtok_r)(s, set, rest);
}

/* Where it left off is one variable for all threads; libc's own cannot be seen. */
INTERCEPT(char *, strtok, (char *s, char const *set)) {
    static char *rest;
    if (dh_checking()) tokenises(s, set, &rest, DH_HERE);
    return REAL(strtok_r)(s, set, &rest);
}

INTERCEPT(char *, strsep, (char **rest, char const *set)) {
    if (dh_checking()) {
        dh_range_read(rest, sizeof *rest, DH_HERE);
        if (*rest) {
            cuts(*rest, 0, set, DH_HERE);
            dh_range_write(rest, sizeof *rest, DH_HERE);
        }
    }
    return REAL(strsep)(rest, set);
}

/* ---- with _FORTIFY_SOURCE: the real ones abort if `room` is too small ---- */

INTERCEPT(char *, __strcpy_chk, (char *to, char const *from, size_t room)) {
    if (dh_checking() && size_of(from) <= room) copies(to, from, DH_HERE);
    return REAL(__strcpy_chk)(to, from, room);
}

INTERCEPT(char *, __stpcpy_chk, (char *to, char const *from, size_t room)) {
    if (dh_checking() && size_of(from) <= room) copies(to, from, DH_HERE);
    return REAL(__stpcpy_chk)(to, from, room);
}

INTERCEPT(char *, __strncpy_chk, (char *to, char const *from, size_t size, size_t room)) {
    if (dh_checking() && size <= room) copies_within(to, from, size, DH_HERE);
    return REAL(__strncpy_chk)(to, from, size, room);
}

INTERCEPT(char *, __stpncpy_chk, (char *to, char const *from, size_t size, size_t room)) {
    if (dh_checking() && size <= room) copies_within(to, from, size, DH_HERE);
    return REAL(__stpncpy_chk)(to, from, size, room);
}

INTERCEPT(char *, __strcat_chk, (char *to, char const *from, size_t room)) {
    if (dh_checking()) appends(to, from, SIZE_MAX, DH_HERE);
    return REAL(__strcat_chk)(to, from, room);
}

INTERCEPT(char *, __strncat_chk, (char *to, char const *from, size_t limit, size_t room)) {
    if (dh_checking()) appends(to, from, limit, DH_HERE);
    return REAL(__strncat_chk)(to, from, limit, room);
}
