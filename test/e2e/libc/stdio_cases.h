/* stdio, formats included. `in` has three lines to read. */
#include "spans.h"

#include <err.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <syslog.h>

/* What programs of C90 call. */
int old_sscanf(char const *s, char const *format, ...) __asm__("sscanf");
int old_fscanf(FILE *f, char const *format, ...) __asm__("fscanf");
int old_scanf(char const *format, ...) __asm__("scanf");
int old_vsscanf(char const *s, char const *format, va_list list) __asm__("vsscanf");
int old_vfscanf(FILE *f, char const *format, va_list list) __asm__("vfscanf");
int old_vscanf(char const *format, va_list list) __asm__("vscanf");
int __xpg_strerror_r(int error, char *to, size_t room);

static FILE *in, *out;

static void ready(void) {
    CHECK((in = tmpfile()) && (out = tmpfile()));
    CHECK(fputs("hello world\n42 3.5 x\nlast\n", in) >= 0);
    rewind(in);
}
#define LINE(text)                                                                                      \
    ready();                                                                                            \
    SET(a, text)

/* Standard input has those lines. */
static void input(void) {
    int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    CHECK(write(fd, "hello world\n", 12) == 12 && lseek(fd, 0, SEEK_SET) == 0);
    CHECK(dup2(fd, 0) == 0 && close(fd) == 0);
    rewind(stdin);
}
static int null(void) { return open("/dev/null", O_WRONLY); }

/* What a test writes to standard error is not to be seen. */
#define QUIETLY(call)                                                                                  \
    do {                                                                                               \
        int standard = dup(2), elsewhere = null();                                                     \
        dup2(elsewhere, 2);                                                                            \
        call;                                                                                          \
        dup2(standard, 2);                                                                             \
        close(standard);                                                                               \
        close(elsewhere);                                                                              \
    } while (0)

#define BY_LIST(name, call)                                                                            \
    static int by_##name(char const *format, ...) {                                                    \
        va_list list;                                                                                  \
        va_start(list, format);                                                                        \
        int result = call;                                                                             \
        va_end(list);                                                                                  \
        return result;                                                                                 \
    }
BY_LIST(vprintf, vprintf(format, list))
BY_LIST(vfprintf, vfprintf(out, format, list))
BY_LIST(vdprintf, vdprintf(null(), format, list))
BY_LIST(vsprintf, vsprintf(m.c, format, list))
BY_LIST(vasprintf, vasprintf(&m.p[0], format, list))
BY_LIST(vsscanf, vsscanf(m.a, format, list))
BY_LIST(vfscanf, vfscanf(in, format, list))
BY_LIST(vscanf, vscanf(format, list))
BY_LIST(old_vsscanf, old_vsscanf(m.a, format, list))
BY_LIST(old_vfscanf, old_vfscanf(in, format, list))
BY_LIST(old_vscanf, old_vscanf(format, list))
BY_LIST(vwarn, (vwarn(format, list), 0))
BY_LIST(vwarnx, (vwarnx(format, list), 0))
BY_LIST(vsyslog, (vsyslog(LOG_DEBUG, format, list), 0))

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
    X(fscanf, ready(), KEEP(fscanf(in, "%s %4s", m.a, m.b)), W(a, 0, 6), W(b, 0, 5))                   \
    X(fwrite_unlocked, ready(), KEEP(fwrite_unlocked(m.a, 3, n(4), out)), R(a, 0, 12))                 \
    X(fread_unlocked, ready(), KEEP(fread_unlocked(m.a, 3, n(4), in)), W(a, 0, 12))                    \
    X(fputs_unlocked, LINE("hello"), KEEP(fputs_unlocked(m.a, out)), R(a, 0, 6))                       \
    X(fgets_unlocked, ready(), KEEP(fgets_unlocked(m.a, (int)n(5), in)), W(a, 0, 5))                   \
    X(puts, LINE("hello"), KEEP(puts(m.a)), R(a, 0, 6))                                                \
    X(perror, LINE("hello"), QUIETLY(perror(m.a)), R(a, 0, 6))                                         \
    X(__getdelim, ready(), KEEP(__getdelim(&m.p[0], (size_t *)m.n, 10, in)), W(p, 0, 8), W(n, 0, 8))   \
    X(fopen64, SET(a, "/dev/null"); SET(b, "r"), KEEP(fopen64(m.a, m.b)), R(a, 0, 10), R(b, 0, 2))     \
    X(freopen, ready(); SET(a, "/dev/null"); SET(b, "r"), KEEP(freopen(m.a, m.b, in)), R(a, 0, 10), R(b, 0, 2)) \
    X(freopen64, ready(); SET(a, "/dev/null"); SET(b, "r"), KEEP(freopen64(m.a, m.b, in)), R(a, 0, 10), R(b, 0, 2)) \
    X(popen, SET(a, "true"); SET(b, "r"), KEEP(pclose(popen(m.a, m.b))), R(a, 0, 5), R(b, 0, 2))       \
    X(fdopen, SET(b, "r"), KEEP(fdopen(dup(0), m.b)), R(b, 0, 2))                                      \
    X(fmemopen, SET(b, "r"), KEEP(fmemopen(NULL, 10, m.b)), R(b, 0, 2))                                \
    X(open_memstream, , KEEP(open_memstream(&m.p[0], (size_t *)m.n)), W(p, 0, 8), W(n, 0, 8))          \
    X(fgetpos, ready(), KEEP(fgetpos(in, (void *)m.a)), W(a, 0, sizeof(fpos_t)))                       \
    X(fsetpos, ready(); fgetpos(in, (void *)m.a), KEEP(fsetpos(in, (void *)m.a)), R(a, 0, sizeof(fpos_t))) \
    X(fgetpos64, ready(), KEEP(fgetpos64(in, (void *)m.a)), W(a, 0, sizeof(fpos_t)))                   \
    X(fsetpos64, ready(); fgetpos(in, (void *)m.a), KEEP(fsetpos64(in, (void *)m.a)), R(a, 0, sizeof(fpos_t))) \
    X(dprintf, SET(b, "hello"), KEEP(dprintf(null(), "%s", m.b)), R(b, 0, 6))                          \
    X(printf, SET(b, "hello"), KEEP(printf("%s", m.b)), R(b, 0, 6))                                    \
    X(vprintf, SET(b, "hello"), KEEP(by_vprintf("%s", m.b)), R(b, 0, 6))                               \
    X(vfprintf, ready(); SET(b, "hello"), KEEP(by_vfprintf("%s", m.b)), R(b, 0, 6))                    \
    X(vdprintf, SET(b, "hello"), KEEP(by_vdprintf("%s", m.b)), R(b, 0, 6))                             \
    X(vsprintf, SET(b, "hello"), KEEP(by_vsprintf("%s", m.b)), R(b, 0, 6), W(c, 0, 6))                 \
    X(vasprintf, SET(b, "hello"), KEEP(by_vasprintf("%s", m.b)), R(b, 0, 6), W(p, 0, 8))               \
    X(vsscanf, SET(a, "12 34"), KEEP(by_vsscanf("%d%n", (int *)m.n, (int *)m.b)), R(a, 0, 6), W(n, 0, 4), W(b, 0, 4)) \
    X(vfscanf, ready(), KEEP(by_vfscanf("%s", m.b)), W(b, 0, 6))                                       \
    X(scanf, input(), KEEP(scanf("%s", m.b)), W(b, 0, 6))                                              \
    X(vscanf, input(), KEEP(by_vscanf("%s", m.b)), W(b, 0, 6))                                         \
    X(old_sscanf, SET(a, "12 34"), KEEP(old_sscanf(m.a, "%d", m.n)), R(a, 0, 6), W(n, 0, 4))           \
    X(old_fscanf, ready(), KEEP(old_fscanf(in, "%s", m.b)), W(b, 0, 6))                                \
    X(old_scanf, input(), KEEP(old_scanf("%s", m.b)), W(b, 0, 6))                                      \
    X(old_vsscanf, SET(a, "12 34"), KEEP(by_old_vsscanf("%d", m.n)), R(a, 0, 6), W(n, 0, 4))           \
    X(old_vfscanf, ready(), KEEP(by_old_vfscanf("%s", m.b)), W(b, 0, 6))                               \
    X(old_vscanf, input(), KEEP(by_old_vscanf("%s", m.b)), W(b, 0, 6))                                 \
    X(warn, SET(a, "%s"); SET(b, "hi"), QUIETLY(warn(m.a, m.b)), R(a, 0, 3), R(b, 0, 3))               \
    X(warnx, SET(a, "%s"); SET(b, "hi"), QUIETLY(warnx(m.a, m.b)), R(a, 0, 3), R(b, 0, 3))             \
    X(vwarn, SET(a, "%s"); SET(b, "hi"), QUIETLY(by_vwarn(m.a, m.b)), R(a, 0, 3), R(b, 0, 3))          \
    X(vwarnx, SET(a, "%s"); SET(b, "hi"), QUIETLY(by_vwarnx(m.a, m.b)), R(a, 0, 3), R(b, 0, 3))        \
    X(error, SET(a, "%s"); SET(b, "hi"), QUIETLY(error(0, 0, m.a, m.b)), R(a, 0, 3), R(b, 0, 3))       \
    X(error_at_line, SET(a, "%s"); SET(b, "hi"); SET(c, "x"), QUIETLY(error_at_line(0, 0, m.c, 1, m.a, m.b)), \
      R(a, 0, 3), R(b, 0, 3), R(c, 0, 2))                                                              \
    X(psignal, SET(a, "hello"), QUIETLY(psignal(SIGHUP, m.a)), R(a, 0, 6))                             \
    X(openlog, SET(a, "hello"), openlog(m.a, 0, LOG_USER), R(a, 0, 6))                                 \
    X(syslog, SET(c, "hello"); openlog(m.c, 0, LOG_USER); SET(a, "%s"); SET(b, "hi"),                  \
      syslog(LOG_DEBUG, m.a, m.b); closelog(), R(a, 0, 3), R(b, 0, 3), R(c, 0, 6))                     \
    X(vsyslog, SET(a, "%s"); SET(b, "hi"), by_vsyslog(m.a, m.b), R(a, 0, 3), R(b, 0, 3))               \
    X(strerror_r, , KEEP(strerror_r(12345, m.a, n(50))), W(a, 0, 20))                                  \
    X(__xpg_strerror_r, , KEEP(__xpg_strerror_r(EPERM, m.a, n(50))), W(a, 0, 24))

RUN_CASES()
