/* Descriptors are made, doubled and closed. Most need nothing here, because a descriptor is looked
 * up when it is used (fd.h): only pairs of sockets, and what has no inode to be known by. */
#include "rt/intercept/fd.h"
#include "rt/intercept/intercept.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

INTERCEPT(int, socketpair, (int domain, int type, int protocol, int pair[2])) {
    int failed = REAL(socketpair)(domain, type, protocol, pair);
    if (failed) return failed;
    if (dh_checking()) dh_range_write(pair, 2 * sizeof *pair, DH_HERE);
    dh_fd_pair(pair[0], pair[1]);
    return 0;
}

INTERCEPT(int, pipe, (int ends[2])) {
    int failed = REAL(pipe)(ends);
    if (!failed && dh_checking()) dh_range_write(ends, 2 * sizeof *ends, DH_HERE);
    return failed;
}

INTERCEPT(int, pipe2, (int ends[2], int flags)) {
    int failed = REAL(pipe2)(ends, flags);
    if (!failed && dh_checking()) dh_range_write(ends, 2 * sizeof *ends, DH_HERE);
    return failed;
}

/* ---- without an inode ---- */

static int made(int fd) {
    dh_fd_made(fd);
    return fd;
}

INTERCEPT(int, eventfd, (unsigned value, int flags)) { return made(REAL(eventfd)(value, flags)); }
INTERCEPT(int, epoll_create, (int size)) { return made(REAL(epoll_create)(size)); }
INTERCEPT(int, epoll_create1, (int flags)) { return made(REAL(epoll_create1)(flags)); }
INTERCEPT(int, inotify_init, (void)) { return made(REAL(inotify_init)()); }
INTERCEPT(int, inotify_init1, (int flags)) { return made(REAL(inotify_init1)(flags)); }
INTERCEPT(int, timerfd_create, (clockid_t clock, int flags)) {
    return made(REAL(timerfd_create)(clock, flags));
}
INTERCEPT(int, signalfd, (int fd, sigset_t const *set, int flags)) {
    int result = REAL(signalfd)(fd, set, flags);
    if (fd == -1) dh_fd_made(result);
    if (result >= 0) dh_fd_signals(result, *(uint64_t const *)set); /* as the kernel has them */
    return result;
}

/* ---- what is in them ---- */

INTERCEPT(int, eventfd_write, (int fd, eventfd_t value)) {
    dh_fd_release(fd);
    return REAL(eventfd_write)(fd, value);
}

INTERCEPT(int, eventfd_read, (int fd, eventfd_t *value)) {
    int failed = REAL(eventfd_read)(fd, value);
    if (failed) return failed;
    dh_fd_acquire(fd);
    if (dh_checking()) dh_range_write(value, sizeof *value, DH_HERE);
    return 0;
}

/* Whoever reads that it has gone off comes after who set it. */
INTERCEPT(int, timerfd_settime,
          (int fd, int flags, struct itimerspec const *new, struct itimerspec *old)) {
    if (dh_checking()) dh_range_read(new, sizeof *new, DH_HERE);
    dh_fd_release(fd);
    int failed = REAL(timerfd_settime)(fd, flags, new, old);
    if (!failed && old && dh_checking()) dh_range_write(old, sizeof *old, DH_HERE);
    return failed;
}

INTERCEPT(int, timerfd_gettime, (int fd, struct itimerspec *now)) {
    int failed = REAL(timerfd_gettime)(fd, now);
    if (!failed && dh_checking()) dh_range_write(now, sizeof *now, DH_HERE);
    return failed;
}

/* ---- doubled ---- */

static int doubled(int from, int to) {
    dh_fd_dup(from, to);
    return to;
}

INTERCEPT(int, dup, (int fd)) { return doubled(fd, REAL(dup)(fd)); }

INTERCEPT(int, dup2, (int from, int to)) {
    if (from != to) dh_fd_closes((unsigned)to, (unsigned)to);
    return doubled(from, REAL(dup2)(from, to));
}

INTERCEPT(int, dup3, (int from, int to, int flags)) {
    if (from != to) dh_fd_closes((unsigned)to, (unsigned)to);
    return doubled(from, REAL(dup3)(from, to, flags));
}

/* The third argument is a word, whatever it is. */
#define FCNTL(name)                                                      \
    INTERCEPT(int, name, (int fd, int command, ...)) {                   \
        va_list rest;                                                    \
        va_start(rest, command);                                         \
        void *argument = va_arg(rest, void *);                           \
        va_end(rest);                                                    \
        int result = REAL(name)(fd, command, argument);                  \
        bool doubles = command == F_DUPFD || command == F_DUPFD_CLOEXEC; \
        return doubles ? doubled(fd, result) : result;                   \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

/* ---- closed ---- */

INTERCEPT(int, close, (int fd)) {
    dh_fd_closes((unsigned)fd, (unsigned)fd);
    return REAL(close)(fd);
}

INTERCEPT(int, close_range, (unsigned from, unsigned to, int flags)) {
    if (!(flags & CLOSE_RANGE_CLOEXEC)) dh_fd_closes(from, to);
    return REAL(close_range)(from, to, flags);
}

INTERCEPT(void, closefrom, (int from)) {
    dh_fd_closes(from < 0 ? 0 : (unsigned)from, UINT32_MAX);
    REAL(closefrom)(from);
}
