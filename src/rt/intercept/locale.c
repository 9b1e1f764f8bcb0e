/* Locales: which one is in use, and what it says. */
#include "rt/intercept/locale.h"

#include <langinfo.h>
#include <libintl.h>
#include <monetary.h>
#include <nl_types.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

/* Stands for the one that all share; libc's own cannot be seen. */
static char global_locale;

INTERCEPT(locale_t, uselocale, (locale_t new)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) {
        USES_THIS_LOCALE(new)
    }
    return REAL(uselocale)(new);
}

void dh_locale_used(struct dh_here here) {
    if (REAL(uselocale)(0) == LC_GLOBAL_LOCALE) dh_range_read(&global_locale, 1, here);
}

ROW(
    char *, setlocale, (int category, char const *name), (category, name), if (name) {
        READS_STRING(name)
        WRITES(&global_locale)
    } else {READS(&global_locale)}, )

/* The base is used up. */
ROW(locale_t, newlocale, (int categories, char const *name, locale_t base),
    (categories, name, base), READS_STRING(name) ENDS_THIS_LOCALE(base), )
ROW(
    locale_t, duplocale, (locale_t from), (from),
    if (from == LC_GLOBAL_LOCALE) { READS(&global_locale) } else {USES_THIS_LOCALE(from)}, )
ROW_VOID(freelocale, (locale_t locale), (locale), ENDS_THIS_LOCALE(locale), )

/* What is returned is overwritten by the next call, of whichever thread. */
ROW(struct lconv *, localeconv, (void), (), USES_LOCALE, WRITES(result))
ROW(char *, nl_langinfo, (nl_item item), (item), USES_LOCALE, )
ROW(char *, nl_langinfo_l, (nl_item item, locale_t locale), (item, locale),
    USES_THIS_LOCALE(locale), )

/* ---- by a language's rules ---- */

ROW(int, strcoll, (char const *a, char const *b), (a, b),
    READS_STRING(a) READS_STRING(b) USES_LOCALE, )
ROW(int, strcoll_l, (char const *a, char const *b, locale_t locale), (a, b, locale),
    READS_STRING(a) READS_STRING(b) USES_THIS_LOCALE(locale), )
ROW(size_t, strxfrm, (char *to, char const *from, size_t room), (to, from, room),
    READS_STRING(from) USES_LOCALE, if (result < room) WRITES_BYTES(to, result + 1))
ROW(size_t, strxfrm_l, (char *to, char const *from, size_t room, locale_t locale),
    (to, from, room, locale), READS_STRING(from) USES_THIS_LOCALE(locale),
    if (result < room) WRITES_BYTES(to, result + 1))
ROW(size_t, strftime_l,
    (char *to, size_t room, char const *format, struct tm const *t, locale_t locale),
    (to, room, format, t, locale), READS_STRING(format) READS(t) USES_THIS_LOCALE(locale),
    if (result) WRITES_BYTES(to, result + 1))

ROW(char *, strptime_l, (char const *s, char const *format, struct tm *t, locale_t locale),
    (s, format, t, locale), READS_STRING(s) READS_STRING(format) USES_THIS_LOCALE(locale),
    if (result) WRITES(t))

/* ---- messages in a language ---- */

ROW(char *, gettext, (char const *text), (text), READS_STRING(text) USES_LOCALE, )
ROW(char *, dgettext, (char const *domain, char const *text), (domain, text),
    READS_STRING(domain) READS_STRING(text) USES_LOCALE, )
ROW(char *, dcgettext, (char const *domain, char const *text, int category),
    (domain, text, category), READS_STRING(domain) READS_STRING(text) USES_LOCALE, )
ROW(char *, ngettext, (char const *one, char const *many, unsigned long n), (one, many, n),
    READS_STRING(one) READS_STRING(many) USES_LOCALE, )
ROW(char *, dngettext, (char const *domain, char const *one, char const *many, unsigned long n),
    (domain, one, many, n), READS_STRING(domain) READS_STRING(one) READS_STRING(many) USES_LOCALE, )
ROW(char *, dcngettext,
    (char const *domain, char const *one, char const *many, unsigned long n, int category),
    (domain, one, many, n, category),
    READS_STRING(domain) READS_STRING(one) READS_STRING(many) USES_LOCALE, )
ROW(char *, textdomain, (char const *domain), (domain), READS_STRING(domain), )
ROW(char *, bindtextdomain, (char const *domain, char const *path), (domain, path),
    READS_STRING(domain) READS_STRING(path), )
ROW(char *, bind_textdomain_codeset, (char const *domain, char const *codes), (domain, codes),
    READS_STRING(domain) READS_STRING(codes), )
