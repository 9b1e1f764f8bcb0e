/* Calls that write, to descriptors that take it and to some that do not.
 *   X(name, how the descriptor is made, the call)
 * `p` has SIZE bytes to be sent, `fd` is where to. */
#ifndef DEADHEAT_TEST_REFUSED_CASES_H
#define DEADHEAT_TEST_REFUSED_CASES_H

#include "access/cases.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define MUST(call) CHECK((call) != -1)

enum { SIZE = 100 };

/* Full, and not to be waited for. */
static inline int fill(int fd) {
    static char much[4096];
    CHECK(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
    while (write(fd, much, sizeof much) > 0) {
    }
    CHECK(errno == EAGAIN);
    return fd;
}

static inline int new_pipe(void) {
    int ends[2];
    MUST(pipe(ends));
    return ends[1];
}
static inline int new_pair(void) {
    int ends[2];
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    return ends[1];
}
static inline int broken_pipe(void) {
    int ends[2];
    MUST(pipe(ends));
    close(ends[0]);
    return ends[1];
}
static inline int broken_pair(void) {
    int ends[2];
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    close(ends[0]);
    return ends[1];
}
static inline int opened(char const *path, int flags) {
    int fd;
    MUST(fd = open(path, flags, 0600));
    return fd;
}
static inline int file(void) { return opened("/tmp", O_TMPFILE | O_RDWR); }

static inline ssize_t by_vector(int fd, char *p) {
    struct iovec v[2] = {{p, SIZE / 2}, {p + SIZE / 2, SIZE / 2}};
    return writev(fd, v, 2);
}
static inline ssize_t by_message(int fd, char *p, int flags) {
    struct iovec v = {p, SIZE};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
    return sendmsg(fd, &m, flags);
}

#define TAKEN(X)                                                                                        \
    X(pipe, new_pipe(), write(fd, p, SIZE))                                                             \
    X(pipe_vector, new_pipe(), by_vector(fd, p))                                                        \
    X(pair, new_pair(), send(fd, p, SIZE, 0))                                                           \
    X(pair_dontwait, new_pair(), send(fd, p, SIZE, MSG_DONTWAIT))                                       \
    X(pair_message, new_pair(), by_message(fd, p, 0))                                                   \
    X(null, opened("/dev/null", O_WRONLY), write(fd, p, SIZE))                                          \
    X(file, file(), write(fd, p, SIZE))                                                                 \
    X(file_at, file(), pwrite(fd, p, SIZE, 10))                                                         \
    X(file_vector, file(), by_vector(fd, p))

#define REFUSED(X)                                                                                      \
    X(full_pipe, fill(new_pipe()), write(fd, p, SIZE))                                                  \
    X(full_pipe_vector, fill(new_pipe()), by_vector(fd, p))                                             \
    X(full_pair, fill(new_pair()), send(fd, p, SIZE, 0))                                                \
    X(full_pair_message, fill(new_pair()), by_message(fd, p, MSG_DONTWAIT))                             \
    X(broken_pipe, broken_pipe(), write(fd, p, SIZE))                                                   \
    X(broken_pair, broken_pair(), send(fd, p, SIZE, MSG_NOSIGNAL))                                      \
    X(bad, 9999, write(fd, p, SIZE))                                                                    \
    X(full_device, opened("/dev/full", O_WRONLY), write(fd, p, SIZE))                                   \
    X(read_only, opened("/dev/null", O_RDONLY), write(fd, p, SIZE))                                     \
    X(file_at_nowhere, file(), pwrite(fd, p, SIZE, -1))

#define DEFINE_CALL(name, make, call)                                                                   \
    char data_##name[SIZE];                                                                             \
    static int fd_##name;                                                                               \
    static void make_##name(void) { fd_##name = make; }                                                 \
    static ssize_t call_##name(void) {                                                                  \
        int fd = fd_##name;                                                                             \
        char *p = data_##name;                                                                          \
        return call;                                                                                    \
    }                                                                                                   \
    static void change_##name(void) { data_##name[SIZE - 1] = 1; }
#define MAKE_CALL(name, make, call) make_##name();

#endif
