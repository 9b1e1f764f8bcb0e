/* What _FORTIFY_SOURCE makes of some calls, and clang does not of all of them. */
#include "spans.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <wchar.h>

/* What <bits/...2.h> declares where it can be used. */
char *__fgets_chk(char *to, size_t limit, int room, FILE *f);
char *__fgets_unlocked_chk(char *to, size_t limit, int room, FILE *f);
size_t __fread_chk(void *to, size_t limit, size_t size, size_t count, FILE *f);
size_t __fread_unlocked_chk(void *to, size_t limit, size_t size, size_t count, FILE *f);
char *__getcwd_chk(char *to, size_t room, size_t limit);
int __gethostname_chk(char *to, size_t room, size_t limit);
size_t __mbstowcs_chk(wchar_t *to, char const *from, size_t room, size_t limit);
size_t __wcstombs_chk(char *to, wchar_t const *from, size_t room, size_t limit);
int __poll_chk(struct pollfd *list, nfds_t count, int timeout, size_t limit);
int __ppoll_chk(struct pollfd *list, nfds_t count, struct timespec const *timeout, sigset_t const *set, size_t limit);
ssize_t __read_chk(int fd, void *to, size_t room, size_t limit);
ssize_t __pread_chk(int fd, void *to, size_t room, off_t at, size_t limit);
ssize_t __pread64_chk(int fd, void *to, size_t room, off_t at, size_t limit);
ssize_t __readlink_chk(char const *path, char *to, size_t room, size_t limit);
ssize_t __readlinkat_chk(int at, char const *path, char *to, size_t room, size_t limit);
char *__realpath_chk(char const *path, char *to, size_t limit);
ssize_t __recv_chk(int fd, void *to, size_t room, size_t limit, int flags);
ssize_t __recvfrom_chk(int fd, void *to, size_t room, size_t limit, int flags, void *from, socklen_t *length);
int __vprintf_chk(int flag, char const *format, va_list list);
int __vswprintf_chk(wchar_t *to, size_t room, int flag, size_t limit, wchar_t const *format, va_list list);
wchar_t *__wcscpy_chk(wchar_t *to, wchar_t const *from, size_t limit);
wchar_t *__wcpcpy_chk(wchar_t *to, wchar_t const *from, size_t limit);
wchar_t *__wcsncpy_chk(wchar_t *to, wchar_t const *from, size_t count, size_t limit);
wchar_t *__wcpncpy_chk(wchar_t *to, wchar_t const *from, size_t count, size_t limit);
wchar_t *__wcscat_chk(wchar_t *to, wchar_t const *from, size_t limit);
wchar_t *__wcsncat_chk(wchar_t *to, wchar_t const *from, size_t count, size_t limit);
wchar_t *__wmempcpy_chk(wchar_t *to, wchar_t const *from, size_t count, size_t limit);
wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t count, size_t limit);
int __open_2(char const *path, int flags);
int __open64_2(char const *path, int flags);
int __openat_2(int at, char const *path, int flags);
int __openat64_2(int at, char const *path, int flags);
mqd_t __mq_open_2(char const *name, int flags);
size_t __confstr_chk(int name, char *to, size_t room, size_t limit);
int __getdomainname_chk(char *to, size_t room, size_t limit);
int __ttyname_r_chk(int fd, char *to, size_t room, size_t limit);
int __ptsname_r_chk(int fd, char *to, size_t room, size_t limit);
int __getgroups_chk(int room, gid_t *to, size_t limit);
int __getlogin_r_chk(char *to, size_t room, size_t limit);
size_t __mbsrtowcs_chk(wchar_t *to, char const **from, size_t room, mbstate_t *state, size_t limit);
size_t __wcsrtombs_chk(char *to, wchar_t const **from, size_t room, mbstate_t *state, size_t limit);
size_t __mbsnrtowcs_chk(wchar_t *to, char const **from, size_t count, size_t room, mbstate_t *state, size_t limit);
size_t __wcsnrtombs_chk(char *to, wchar_t const **from, size_t count, size_t room, mbstate_t *state, size_t limit);
size_t __wcrtomb_chk(char *to, wchar_t c, mbstate_t *state, size_t limit);
int __wctomb_chk(char *to, wchar_t c, size_t limit);
wchar_t *__fgetws_chk(wchar_t *to, size_t limit, int room, FILE *f);
wchar_t *__fgetws_unlocked_chk(wchar_t *to, size_t limit, int room, FILE *f);

static int in, file;
static FILE *stream;
static char large[4096];
static void ready(void) {
    int fds[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0 && write(fds[1], "0123456789", 10) == 10);
    in = fds[0];
    file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    CHECK(file != -1 && write(file, "hello\nlast\n", 11) == 11 && lseek(file, 0, SEEK_SET) == 0);
    CHECK((stream = fdopen(dup(file), "r")));
}
static void poll_ready(void) {
    ready();
    *(struct pollfd *)m.a = (struct pollfd){.fd = in, .events = POLLIN};
}
static int by_vprintf(char const *format, ...) {
    va_list list;
    va_start(list, format);
    int result = __vprintf_chk(1, format, list);
    va_end(list);
    return result;
}
static int by_vswprintf(wchar_t const *format, ...) {
    va_list list;
    va_start(list, format);
    int result = __vswprintf_chk((wchar_t *)m.a, 9, 1, 9, format, list);
    va_end(list);
    return result;
}
static int terminal(void) {
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    CHECK(fd != -1 && grantpt(fd) == 0 && unlockpt(fd) == 0);
    return fd;
}
static int terminal_end(void) {
    int fd = open(ptsname(terminal()), O_RDWR | O_NOCTTY);
    CHECK(fd != -1);
    return fd;
}
#define STATE ((mbstate_t *)m.n)
#define STATE_W W(n, 0, sizeof(mbstate_t))
#define FROM ((void *)&m.p[0])
#define A ((wchar_t *)m.a)
#define B ((wchar_t *)m.b)

#define CASES(X)                                                                                       \
    X(fgets, ready(), KEEP(__fgets_chk(m.a, ROOM, (int)n(9), stream)), W(a, 0, 7))                     \
    X(fgets_unlocked, ready(), KEEP(__fgets_unlocked_chk(m.a, ROOM, (int)n(9), stream)), W(a, 0, 7))   \
    X(fread, ready(), KEEP(__fread_chk(m.a, ROOM, 1, n(9), stream)), W(a, 0, 9))                       \
    X(fread_unlocked, ready(), KEEP(__fread_unlocked_chk(m.a, ROOM, 1, n(9), stream)), W(a, 0, 9))     \
    X(getcwd, CHECK(chdir("/tmp") == 0), KEEP(__getcwd_chk(m.a, n(50), ROOM)), W(a, 0, 5))             \
    X(gethostname, , KEEP(__gethostname_chk(large, n(256), sizeof large)), NOTHING)                    \
    X(mbstowcs, SET(b, "hello"), KEEP(__mbstowcs_chk(A, m.b, n(9), 48)), W(a, 0, 24), R(b, 0, 6))      \
    X(wcstombs, SET(b, L"hello"), KEEP(__wcstombs_chk(m.a, B, n(9), ROOM)), W(a, 0, 6), R(b, 0, 24))   \
    X(poll, poll_ready(), KEEP(__poll_chk((void *)m.a, 1, 0, ROOM)), R(a, 0, 6), W(a, 6, 2))           \
    X(ppoll, poll_ready(), KEEP(__ppoll_chk((void *)m.a, 1, &(struct timespec){0}, NULL, ROOM)), R(a, 0, 6), \
      W(a, 6, 2))                                                                                      \
    X(read, ready(), KEEP(__read_chk(in, m.a, n(20), ROOM)), W(a, 0, 10))                              \
    X(pread, ready(), KEEP(__pread_chk(file, m.a, n(20), 4, ROOM)), W(a, 0, 7))                        \
    X(pread64, ready(), KEEP(__pread64_chk(file, m.a, n(20), 4, ROOM)), W(a, 0, 7))                    \
    X(readlink, SET(b, "/proc/self/root"), KEEP(__readlink_chk(m.b, m.a, n(20), ROOM)), W(a, 0, 1), R(b, 0, 16)) \
    X(readlinkat, SET(b, "/proc/self/root"), KEEP(__readlinkat_chk(AT_FDCWD, m.b, m.a, n(20), ROOM)), W(a, 0, 1), \
      R(b, 0, 16))                                                                                     \
    X(realpath, SET(b, "/dev/../dev"), KEEP(__realpath_chk(m.b, large, sizeof large)), R(b, 0, 12))    \
    X(recv, ready(), KEEP(__recv_chk(in, m.a, n(20), ROOM, 0)), W(a, 0, 10))                           \
    X(recvfrom, ready(), KEEP(__recvfrom_chk(in, m.a, n(20), ROOM, 0, NULL, NULL)), W(a, 0, 10))       \
    X(vprintf, SET(b, "hi"), KEEP(by_vprintf("%s", m.b)), R(b, 0, 3))                                  \
    X(vswprintf, SET(b, "hi"), KEEP(by_vswprintf(L"%s", m.b)), R(b, 0, 3), W(a, 0, 12))                \
    X(wcscpy, SET(b, L"hello"), KEEP(__wcscpy_chk(A, B, 48)), W(a, 0, 24), R(b, 0, 24))                \
    X(wcpcpy, SET(b, L"hello"), KEEP(__wcpcpy_chk(A, B, 48)), W(a, 0, 24), R(b, 0, 24))                \
    X(wcsncpy, SET(b, L"hello"), KEEP(__wcsncpy_chk(A, B, n(10), 48)), W(a, 0, 40), R(b, 0, 24))       \
    X(wcpncpy, SET(b, L"hello"), KEEP(__wcpncpy_chk(A, B, n(4), 48)), W(a, 0, 16), R(b, 0, 16))        \
    X(wcscat, SET(a, L"say"); SET(b, L"hello"), KEEP(__wcscat_chk(A, B, 48)), R(a, 0, 16), W(a, 12, 24), R(b, 0, 24)) \
    X(wcsncat, SET(a, L"say"); SET(b, L"hello"), KEEP(__wcsncat_chk(A, B, n(4), 48)), R(a, 0, 16), W(a, 12, 20), \
      R(b, 0, 16))                                                                                     \
    X(wmempcpy, , KEEP(__wmempcpy_chk(A, B, n(5), 48)), W(a, 0, 20), R(b, 0, 20))                      \
    X(wmemset, , KEEP(__wmemset_chk(A, L'x', n(5), 48)), W(a, 0, 20))                                  \
    X(open, SET(b, "/dev/null"), KEEP(close(__open_2(m.b, O_RDONLY))), R(b, 0, 10))                    \
    X(open64, SET(b, "/dev/null"), KEEP(close(__open64_2(m.b, O_RDONLY))), R(b, 0, 10))                \
    X(openat, SET(b, "/dev/null"), KEEP(close(__openat_2(AT_FDCWD, m.b, O_RDONLY))), R(b, 0, 10))      \
    X(openat64, SET(b, "/dev/null"), KEEP(close(__openat64_2(AT_FDCWD, m.b, O_RDONLY))), R(b, 0, 10))  \
    X(mq_open, SET(b, "/no/such"), KEEP(__mq_open_2(m.b, O_RDONLY)), R(b, 0, 9))                       \
    X(confstr, , KEEP(__confstr_chk(_CS_PATH, m.a, n(4), ROOM)), W(a, 0, 4))                           \
    X(getdomainname, , KEEP(__getdomainname_chk(large, n(65), sizeof large)), NOTHING)                 \
    X(ttyname_r, , KEEP(__ttyname_r_chk(terminal_end(), large, n(64), sizeof large)), NOTHING)         \
    X(ptsname_r, , KEEP(__ptsname_r_chk(terminal(), large, n(64), sizeof large)), NOTHING)             \
    X(getgroups, , KEEP(__getgroups_chk((int)n(9), (void *)large, sizeof large)), NOTHING)             \
    X(getlogin_r, , KEEP(__getlogin_r_chk(large, n(64), sizeof large)), NOTHING)                       \
    X(mbsrtowcs, SET(a, "hello"); m.p[0] = m.a, KEEP(__mbsrtowcs_chk(B, FROM, n(9), STATE, 48)), R(a, 0, 6), \
      W(b, 0, 24), W(p, 0, 8), STATE_W)                                                                \
    X(mbsnrtowcs, SET(a, "hello"); m.p[0] = m.a, KEEP(__mbsnrtowcs_chk(B, FROM, n(4), n(9), STATE, 48)), R(a, 0, 4), \
      W(b, 0, 16), W(p, 0, 8), STATE_W)                                                                \
    X(wcsrtombs, SET(b, L"hello"); m.p[0] = m.b, KEEP(__wcsrtombs_chk(m.a, FROM, n(9), STATE, ROOM)), R(b, 0, 24), \
      W(a, 0, 6), W(p, 0, 8), STATE_W)                                                                 \
    X(wcsnrtombs, SET(b, L"hello"); m.p[0] = m.b, KEEP(__wcsnrtombs_chk(m.a, FROM, n(4), n(9), STATE, ROOM)), \
      R(b, 0, 16), W(a, 0, 4), W(p, 0, 8), STATE_W)                                                    \
    X(wcrtomb, , KEEP(__wcrtomb_chk(m.a, L'x', STATE, ROOM)), W(a, 0, 1), STATE_W)                     \
    X(wctomb, , KEEP(__wctomb_chk(m.a, L'x', ROOM)), W(a, 0, 1))                                       \
    X(fgetws, ready(), KEEP(__fgetws_chk(A, 48, (int)n(9), stream)), W(a, 0, 28))                      \
    X(fgetws_unlocked, ready(), KEEP(__fgetws_unlocked_chk(A, 48, (int)n(9), stream)), W(a, 0, 28))

RUN_CASES()
