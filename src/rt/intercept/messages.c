/* Messages: to the terminal, and to the log. */
#include "rt/intercept/formats.h"
#include "rt/intercept/stream.h"

#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdlib.h>
#include <syslog.h>

#define PRINTS                                  \
    if (format) {                               \
        READS_STRING(format)                    \
        dh_printf_accesses(format, list, here); \
    }

/* A pair: vname with a list, and name with the arguments themselves. */
#define LIST(...) __VA_ARGS__
#define BODY(vname, arguments, before) \
    if (dh_checking()) {               \
        before PRINTS                  \
    }                                  \
    REAL(vname) arguments;
#define PAIR(name, vname, leading, arguments, before)      \
    INTERCEPT(void, vname, (LIST leading, va_list list)) { \
        struct dh_here here = DH_HERE;                     \
        BODY(vname, arguments, before)                     \
    }                                                      \
    INTERCEPT(void, name, (LIST leading, ...)) {           \
        struct dh_here here = DH_HERE;                     \
        va_list list;                                      \
        va_start(list, format);                            \
        BODY(vname, arguments, before)                     \
        va_end(list);                                      \
    }

/* ---- standard error ---- */

PAIR(warn, vwarn, (char const *format), (format, list), USES(stderr))
PAIR(warnx, vwarnx, (char const *format), (format, list), USES(stderr))
PAIR(err, verr, (int status, char const *format), (status, format, list), USES(stderr))
PAIR(errx, verrx, (int status, char const *format), (status, format, list), USES(stderr))

/* These have no form with a list: the text is made here. */
static char *text_of(char const *format, va_list list) {
    char *text;
    int before = errno;
    int size = vasprintf(&text, format, list);
    errno = before;
    return size < 0 ? 0 : text;
}

INTERCEPT(void, error, (int status, int number, char const *format, ...)) {
    struct dh_here here = DH_HERE;
    va_list list;
    va_start(list, format);
    if (dh_checking()) {
        USES(stderr)
        PRINTS
    }
    char *text = text_of(format, list);
    va_end(list);
    REAL(error)(status, number, "%s", text ? text : format);
    free(text);
}

INTERCEPT(void, error_at_line,
          (int status, int number, char const *file, unsigned line, char const *format, ...)) {
    struct dh_here here = DH_HERE;
    va_list list;
    va_start(list, format);
    if (dh_checking()) {
        USES(stderr)
        READS_STRING(file)
        PRINTS
    }
    char *text = text_of(format, list);
    va_end(list);
    REAL(error_at_line)(status, number, file, line, "%s", text ? text : format);
    free(text);
}

ROW_VOID(psignal, (int signal, char const *s), (signal, s), READS_STRING(s) USES(stderr), )

/* ---- the log: the name that openlog is given is not copied, but read with every message ---- */

static char const *name;

INTERCEPT(void, openlog, (char const *ident, int options, int facility)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) {
        READS_STRING(ident)
    }
    __atomic_store_n(&name, ident, __ATOMIC_RELAXED);
    REAL(openlog)(ident, options, facility);
}

INTERCEPT(void, closelog, (void)) {
    __atomic_store_n(&name, 0, __ATOMIC_RELAXED);
    REAL(closelog)();
}

static void name_read(struct dh_here here) {
    char const *now = __atomic_load_n(&name, __ATOMIC_RELAXED);
    READS_STRING(now)
}
PAIR(syslog, vsyslog, (int priority, char const *format), (priority, format, list),
     name_read(here);)
PAIR(__syslog_chk, __vsyslog_chk, (int priority, int flag, char const *format),
     (priority, flag, format, list), name_read(here);)
