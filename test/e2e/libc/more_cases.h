/* What few programs use: vectors of strings, mounts, logins, contexts, streams of the program's own, trees of files. */
#include "spans.h"

#include <argz.h>
#include <dirent.h>
#include <dlfcn.h>
#include <envz.h>
#include <execinfo.h>
#include <fenv.h>
#include <fts.h>
#include <link.h>
#include <locale.h>
#include <mntent.h>
#include <obstack.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <utmp.h>
#include <utmpx.h>
#include <wchar.h>

static FILE *file;
static char text[4096];
static locale_t locale(void) { return newlocale(LC_ALL_MASK, "C", (locale_t)0); }
static struct tm const a_time = {.tm_year = 100, .tm_mday = 1};
static void wide(void *to, wchar_t const *from) { memcpy(to, from, (wcslen(from) + 1) * sizeof *from); }

/* ---- vectors: in m.p[0], of m.n[0] bytes ---- */

static void vector(char const *from, size_t size) {
    CHECK((m.p[0] = malloc(size)));
    memcpy(m.p[0], from, size);
    m.n[0] = (long)size;
}
#define SIZE ((size_t *)m.n)
#define VECTOR W(p, 0, 8), W(n, 0, 8)
static void strings(void) {
    SET(a, "ab");
    SET(b, "c");
    m.p[0] = m.a;
    m.p[1] = m.b;
}

/* ---- mounts ---- */

static void mounts(void) {
    FILE *f = fopen("mounts.tmp", "w");
    CHECK(f && fputs("/dev/x /x ext4 ro 0 0\n", f) >= 0 && fclose(f) == 0);
    CHECK((file = setmntent("mounts.tmp", "r+")));
}
static void a_mount(void) {
    mounts();
    SET(b, "ro,nosuid");
    *(struct mntent *)m.a = (struct mntent){"/dev/y", "/y", "ext4", m.b, 0, 0};
}
#define OPTS offsetof(struct mntent, mnt_opts)

/* ---- streams ---- */

static ssize_t cookie_read(void *own, char *to, size_t room) { return (void)own, (void)to, (void)room, 0; }
static ssize_t cookie_write(void *own, char const *from, size_t size) { return (void)own, (void)from, (ssize_t)size; }
static int cookie_seek(void *own, off64_t *at, int from) { return (void)own, (void)at, (void)from, -1; }
static void cookie(void) {
    FILE *f = fopencookie(NULL, m.a, (cookie_io_functions_t){cookie_read, cookie_write, cookie_seek, NULL});
    CHECK(f && putc('x', f) == 'x' && fflush(f) == 0 && getc(f) == EOF && fclose(f) == 0);
}
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free
static struct obstack growing;
static int grow(char const *format, ...) {
    va_list list;
    va_start(list, format);
    int result = obstack_vprintf(&growing, format, list);
    va_end(list);
    return result;
}
int __obstack_printf_chk(struct obstack *o, int flag, char const *format, ...);
int __obstack_vprintf_chk(struct obstack *o, int flag, char const *format, va_list list);
static int grow_checked(char const *format, ...) {
    va_list list;
    va_start(list, format);
    int result = __obstack_vprintf_chk(&growing, 1, format, list);
    va_end(list);
    return result;
}

/* ---- trees of files ---- */

static FTS *walk(void) {
    char *const paths[] = {"/proc/self/fd", NULL};
    FTS *f = fts_open(paths, FTS_PHYSICAL, NULL);
    CHECK(f);
    return f;
}
static FTS *walk64(void) {
    char *const paths[] = {"/proc/self/fd", NULL};
    FTS *f = (FTS *)fts64_open(paths, FTS_PHYSICAL, NULL);
    CHECK(f);
    return f;
}
static void walks(void) {
    FTS *f = walk();
    FTSENT *e = fts_read(f);
    CHECK(e && fts_children(f, 0) && fts_set(f, e, FTS_SKIP) == 0 && fts_close(f) == 0);
}
static void walks64(void) {
    FTS64 *f = (FTS64 *)walk64();
    FTSENT64 *e = fts64_read(f);
    CHECK(e && fts64_children(f, 0) && fts64_set(f, e, FTS_SKIP) == 0 && fts64_close(f) == 0);
}

/* ---- System V ---- */

static int id;
static void queue(void) { CHECK((id = msgget(IPC_PRIVATE, 0600)) != -1); }
static void segment(void) { CHECK((id = shmget(IPC_PRIVATE, 4096, 0600)) != -1); }
static void set(void) { CHECK((id = semget(IPC_PRIVATE, 3, 0600)) != -1); }
#define MSG_GONE msgctl(id, IPC_RMID, NULL)
#define SHM_GONE shmctl(id, IPC_RMID, NULL)
#define SEM_GONE semctl(id, 0, IPC_RMID)

static void vectors(void) {
    *(struct iovec *)m.n = (struct iovec){m.a, 5};
    *(struct iovec *)m.p = (struct iovec){m.b, 5};
}
/* The frames are the program's: this one, and who called it. */
__attribute__((noinline)) static int callers(void **to) {
    CHECK(backtrace(to, 2) == 2 && to[1] == __builtin_return_address(0));
    return 2;
}
static void names(void) { free(backtrace_symbols((void **)m.a, 1)); }
static void utmp_file(void) { CHECK(utmpname("/dev/null") == 0 && utmpxname("/dev/null") == 0); }

#define CASES(X)                                                                                       \
    X(argz_create, strings(), KEEP(argz_create(m.p, (char **)m.c, SIZE)), R(a, 0, 3), R(b, 0, 2), R(p, 0, 24), \
      W(c, 0, 8), W(n, 0, 8))                                                                          \
    X(argz_create_sep, SET(a, "a:b"), KEEP(argz_create_sep(m.a, ':', m.p, SIZE)), R(a, 0, 4), VECTOR)  \
    X(argz_count, SET(a, "a\0b"), KEEP(argz_count(m.a, n(4))), R(a, 0, 4))                             \
    X(argz_extract, SET(a, "a\0b"), argz_extract(m.a, n(4), m.p), R(a, 0, 4), W(p, 0, 24))             \
    X(argz_stringify, SET(a, "a\0b"), argz_stringify(m.a, n(4), ':'), R(a, 0, 4), W(a, 1, 1))          \
    X(argz_append, vector("a", 2); SET(a, "b"), KEEP(argz_append(m.p, SIZE, m.a, n(2))), R(a, 0, 2), VECTOR) \
    X(argz_add, vector("a", 2); SET(a, "b"), KEEP(argz_add(m.p, SIZE, m.a)), R(a, 0, 2), VECTOR)       \
    X(argz_add_sep, vector("a", 2); SET(a, "b:c"), KEEP(argz_add_sep(m.p, SIZE, m.a, ':')), R(a, 0, 4), VECTOR) \
    X(argz_insert, vector("a", 2); SET(a, "b"), KEEP(argz_insert(m.p, SIZE, m.p[0], m.a)), R(a, 0, 2), VECTOR) \
    X(argz_delete, vector("a\0b", 4), argz_delete(m.p, SIZE, m.p[0]), VECTOR)                          \
    X(envz_entry, SET(a, "a=b"); SET(b, "a"), KEEP(envz_entry(m.a, n(4), m.b)), R(a, 0, 4), R(b, 0, 2)) \
    X(envz_get, SET(a, "a=b"); SET(b, "a"), KEEP(envz_get(m.a, n(4), m.b)), R(a, 0, 4), R(b, 0, 2))    \
    X(envz_add, vector("a=b", 4); SET(a, "c"); SET(b, "d"), KEEP(envz_add(m.p, SIZE, m.a, m.b)), R(a, 0, 2), \
      R(b, 0, 2), VECTOR)                                                                              \
    X(envz_remove, vector("a=b\0c=d", 8); SET(a, "a"), envz_remove(m.p, SIZE, m.a), R(a, 0, 2), VECTOR) \
    X(setmntent, mounts(); SET(a, "mounts.tmp"); SET(b, "r"), KEEP(setmntent(m.a, m.b)), R(a, 0, 11), R(b, 0, 2)) \
    X(getmntent, mounts(), KEEP(getmntent(file)), NOTHING)                                             \
    X(getmntent_r, mounts(), KEEP(getmntent_r(file, (void *)m.a, m.b, (int)n(ROOM))), W(a, 0, sizeof(struct mntent)), \
      W(b, 0, 18))                                                                                     \
    X(addmntent, a_mount(), KEEP(addmntent(file, (void *)m.a)); endmntent(file), R(a, 0, sizeof(struct mntent)), \
      R(b, 0, 10))                                                                                     \
    X(hasmntopt, a_mount(); SET(c, "nosuid"), KEEP(hasmntopt((void *)m.a, m.c)), R(a, OPTS, 8), R(b, 0, 10), \
      R(c, 0, 7))                                                                                      \
    X(utmpname, SET(a, "/dev/null"), KEEP(utmpname(m.a)), R(a, 0, 10))                                 \
    X(utmpxname, SET(a, "/dev/null"), KEEP(utmpxname(m.a)), R(a, 0, 10))                               \
    X(getutent, utmp_file(), setutent(); KEEP(getutent()); endutent(), NOTHING)                        \
    X(getutxent, utmp_file(), setutxent(); KEEP(getutxent()); endutxent(), NOTHING)                    \
    X(getutent_r, utmp_file(), KEEP(getutent_r((void *)text, (void *)m.b)), W(b, 0, 8))                \
    X(getutid, utmp_file(); ((struct utmp *)m.a)->ut_type = BOOT_TIME, KEEP(getutid((void *)m.a)), R(a, 0, 2)) \
    X(getutid_r, utmp_file(); ((struct utmp *)m.a)->ut_type = BOOT_TIME,                               \
      KEEP(getutid_r((void *)m.a, (void *)text, (void *)m.n)), R(a, 0, 2), W(n, 0, 8))                 \
    X(getutid_process, utmp_file(); ((struct utmp *)m.a)->ut_type = USER_PROCESS,                      \
      KEEP(getutid((void *)m.a)), R(a, 0, 2),                                                          \
      R(a, 40, 4))                                                                                     \
    X(getutline, utmp_file(), KEEP(getutline((void *)m.a)), R(a, 8, 32))                               \
    X(getutline_r, utmp_file(), KEEP(getutline_r((void *)m.a, (void *)text, (void *)m.n)), R(a, 8, 32), W(n, 0, 8)) \
    X(getutxid, utmp_file(); ((struct utmpx *)m.a)->ut_type = BOOT_TIME, KEEP(getutxid((void *)m.a)), R(a, 0, 2)) \
    X(getutxline, utmp_file(), KEEP(getutxline((void *)m.a)), R(a, 8, 32))                             \
    X(pututline, utmp_file(), KEEP(pututline((void *)m.a)), R(a, 0, sizeof(struct utmp)))              \
    X(pututxline, utmp_file(), KEEP(pututxline((void *)m.a)), R(a, 0, sizeof(struct utmpx)))           \
    X(updwtmp, SET(c, "/no/such"), updwtmp(m.c, (void *)text), R(c, 0, 9))                             \
    X(getcontext, , KEEP(getcontext((void *)text)), NOTHING)                                           \
    X(backtrace, , KEEP(callers((void **)m.a)), W(a, 0, 16))                                           \
    X(backtrace_symbols, backtrace((void **)m.a, 2), names(), R(a, 0, 8))                              \
    X(backtrace_symbols_fd, backtrace((void **)m.a, 2), backtrace_symbols_fd((void **)m.a, 1, -1), R(a, 0, 8)) \
    X(fopencookie, SET(a, "w+"), cookie(), R(a, 0, 3))                                                 \
    X(open_wmemstream, , KEEP(open_wmemstream((wchar_t **)m.a, (size_t *)m.b)), W(a, 0, 8), W(b, 0, 8)) \
    X(obstack_printf, obstack_init(&growing); SET(a, "%s"); SET(b, "x"), KEEP(obstack_printf(&growing, m.a, m.b)), \
      R(a, 0, 3), R(b, 0, 2))                                                                          \
    X(obstack_vprintf, obstack_init(&growing); SET(a, "%s"); SET(b, "x"), KEEP(grow(m.a, m.b)), R(a,   \
      0, 3), R(b, 0, 2))                                                                               \
    X(__obstack_printf_chk, obstack_init(&growing); SET(a, "%s"); SET(b, "x"),                         \
      KEEP(__obstack_printf_chk(&growing, 1, m.a, m.b)), R(a, 0, 3), R(b, 0, 2))                       \
    X(__obstack_vprintf_chk, obstack_init(&growing); SET(a, "%s"); SET(b, "x"), KEEP(grow_checked(m.a, m.b)), \
      R(a, 0, 3), R(b, 0, 2))                                                                          \
    X(fts_open, SET(a, "/proc/self/fd"); m.p[0] = m.a, KEEP(fts_open(m.p, FTS_PHYSICAL, NULL)), R(a,   \
      0, 14), R(p, 0, 16))                                                                             \
    X(fts64_open, SET(a, "/proc/self/fd"); m.p[0] = m.a, KEEP(fts64_open(m.p, FTS_PHYSICAL, NULL)), R(a, 0, 14), \
      R(p, 0, 16))                                                                                     \
    X(fts_read, , walks(), NOTHING)                                                                    \
    X(fts64_read, , walks64(), NOTHING)                                                                \
    X(scandirat, SET(a, "/proc/self/fd"), KEEP(scandirat(-1, m.a, (void *)m.b, NULL, NULL)), R(a, 0, 14), W(b, 0, 8)) \
    X(scandirat64, SET(a, "/proc/self/fd"), KEEP(scandirat64(-1, m.a, (void *)m.b, NULL, NULL)), R(a, 0, 14), \
      W(b, 0, 8))                                                                                      \
    X(strptime_l, SET(b, "%Y"); SET(c, "2000"), KEEP(strptime_l(m.c, m.b, (void *)m.a, locale())), R(b, 0, 3), \
      R(c, 0, 5), W(a, 0, sizeof(struct tm)))                                                          \
    X(wcscasecmp_l, wide(m.a, L"Ab"); wide(m.b, L"aC"), KEEP(wcscasecmp_l((void *)m.a, (void *)m.b, locale())), \
      R(a, 0, 8), R(b, 0, 8))                                                                          \
    X(wcsncasecmp_l, wide(m.a, L"Ab"); wide(m.b, L"aB"), KEEP(wcsncasecmp_l((void *)m.a, (void *)m.b,  \
      n(2), locale())),                                                                                \
      R(a, 0, 8), R(b, 0, 8))                                                                          \
    X(wcsxfrm_l, wide(m.b, L"ab"), KEEP(wcsxfrm_l((void *)m.a, (void *)m.b, n(9), locale())), W(a, 0,  \
      12), R(b, 0, 12))                                                                                \
    X(wcsftime_l, wide(m.b, L"%Y"), KEEP(wcsftime_l((void *)m.a, n(9), (void *)m.b, &a_time, locale())), W(a, 0, 20), \
      R(b, 0, 12))                                                                                     \
    X(msgctl, queue(), KEEP(msgctl(id, IPC_STAT, (void *)m.a)), W(a, 0, sizeof(struct msqid_ds)))      \
    X(msgctl_set, queue(); msgctl(id, IPC_STAT, (void *)m.a), KEEP(msgctl(id, IPC_SET, (void *)m.a)); MSG_GONE, \
      R(a, 0, sizeof(struct msqid_ds)))                                                                \
    X(shmctl, segment(), KEEP(shmctl(id, IPC_STAT, (void *)m.a)), W(a, 0, sizeof(struct shmid_ds)))    \
    X(shmctl_set, segment(); shmctl(id, IPC_STAT, (void *)m.a), KEEP(shmctl(id, IPC_SET, (void *)m.a)); SHM_GONE, \
      R(a, 0, sizeof(struct shmid_ds)))                                                                \
    X(semctl, set(), KEEP(semctl(id, 0, IPC_STAT, m.a)), W(a, 0, sizeof(struct semid_ds)))             \
    X(semctl_set, set(); semctl(id, 0, IPC_STAT, m.a), KEEP(semctl(id, 0, IPC_SET, m.a)); SEM_GONE,    \
      R(a, 0, sizeof(struct semid_ds)))                                                                \
    X(semctl_all, set(), KEEP(semctl(id, 0, GETALL, m.a)); SEM_GONE, W(a, 0, 6))                       \
    X(semctl_set_all, set(), KEEP(semctl(id, 0, SETALL, m.a)); SEM_GONE, R(a, 0, 6))                   \
    X(mincore, , KEEP(mincore((void *)((size_t)text & ~(size_t)4095), n(4097), (void *)m.a)), W(a, 0, 2)) \
    X(process_vm_readv, vectors(), KEEP(process_vm_readv(getpid(), (void *)m.n, 1, (void *)m.p, 1, 0)), W(a, 0, 5), \
      R(b, 0, 5), R(n, 0, 16), R(p, 0, 16))                                                            \
    X(process_vm_writev, vectors(), KEEP(process_vm_writev(getpid(), (void *)m.n, 1, (void *)m.p, 1, 0)), R(a, 0, 5), \
      W(b, 0, 5), R(n, 0, 16), R(p, 0, 16))                                                            \
    X(dlmopen, SET(a, "/no/such"), KEEP(dlmopen(LM_ID_BASE, m.a, RTLD_LAZY)), R(a, 0, 9))              \
    X(fegetenv, , KEEP(fegetenv((void *)m.a)), W(a, 0, sizeof(fenv_t)))                                \
    X(feholdexcept, , KEEP(feholdexcept((void *)m.a)), W(a, 0, sizeof(fenv_t)))                        \
    X(fesetenv, fegetenv((void *)m.a), KEEP(fesetenv((void *)m.a)); fesetenv(FE_DFL_ENV), R(a, 0, sizeof(fenv_t))) \
    X(feupdateenv, fegetenv((void *)m.a), KEEP(feupdateenv((void *)m.a)), R(a, 0, sizeof(fenv_t)))     \
    X(fegetexceptflag, , KEEP(fegetexceptflag((void *)m.a, FE_ALL_EXCEPT)), W(a, 0, sizeof(fexcept_t))) \
    X(fesetexceptflag, , KEEP(fesetexceptflag((void *)m.a, FE_ALL_EXCEPT)), R(a, 0, sizeof(fexcept_t))) \
    X(fegetmode, , KEEP(fegetmode((void *)m.a)), W(a, 0, sizeof(femode_t)))                            \
    X(fesetmode, fegetmode((void *)m.a), KEEP(fesetmode((void *)m.a)), R(a, 0, sizeof(femode_t)))

RUN_CASES()
