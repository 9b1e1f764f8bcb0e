/* Reading and writing descriptors. `in` has sixteen bytes to read; `out` takes what is written. */
#include "spans.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>

static int in, out, file;

static void ready(void) {
    int fds[2];
    for (int fd = 3; fd < 60; fd++) /* those of the last case: sets of descriptors are to stay small */
        close(fd);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    in = fds[0];
    out = fds[1];
    CHECK(write(out, "0123456789abcdef", 16) == 16 && write(in, "x", 1) == 1);
    file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    CHECK(file != -1 && write(file, "0123456789abcdef", 16) == 16);
}

/* Two buffers, in m.c: five bytes of a, and ten of b. */
#define VECTOR ((struct iovec *)m.c)
static void vector(void) {
    ready();
    VECTOR[0] = (struct iovec){m.a, 5};
    VECTOR[1] = (struct iovec){m.b, 10};
}
#define VECTOR_R R(c, 0, 32)

/* A message in m.n, with the same buffers. */
#define MESSAGE ((struct msghdr *)m.n)
static void message(void) {
    vector();
    *MESSAGE = (struct msghdr){.msg_iov = VECTOR, .msg_iovlen = 2};
}
#define MESSAGE_R {m.n, 0, sizeof(struct msghdr), 0}
#define MESSAGE_W {m.n, 0, sizeof(struct msghdr), 1}

#define POLL ((struct pollfd *)m.a)
static void poll_ready(void) {
    ready();
    POLL[0] = (struct pollfd){.fd = in, .events = POLLIN};
    POLL[1] = (struct pollfd){.fd = in, .events = POLLOUT};
}

static int epoll;
static void epoll_ready(void) {
    ready();
    CHECK((epoll = epoll_create1(0)) != -1);
    struct epoll_event event = {.events = EPOLLIN};
    CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, in, &event) == 0);
}

static void select_ready(void) {
    ready();
    FD_SET(in, (fd_set *)m.a);
}

static struct timespec const now_ = {0, 0};

static int pipes(void) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    return ends[1];
}

/* `in` is to accept a connection from a socket that has no name. */
static void listening(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    CHECK((in = socket(AF_UNIX, SOCK_STREAM, 0)) != -1 && bind(in, (void *)&name, 2) == 0);
    socklen_t length = sizeof name;
    CHECK(listen(in, 1) == 0 && getsockname(in, (void *)&name, &length) == 0);
    CHECK((out = socket(AF_UNIX, SOCK_STREAM, 0)) != -1 && connect(out, (void *)&name, length) == 0);
}

#define CASES(X)                                                                                        \
    X(read, ready(), KEEP(read(in, m.a, n(20))), W(a, 0, 16))                                           \
    X(write, ready(), KEEP(write(out, m.a, n(10))), R(a, 0, 10))                                        \
    X(pread, ready(), KEEP(pread(file, m.a, n(20), 4)), W(a, 0, 12))                                    \
    X(pwrite, ready(), KEEP(pwrite(file, m.a, n(10), 4)), R(a, 0, 10))                                  \
    X(readv, vector(), KEEP(readv(in, VECTOR, 2)), W(a, 0, 5), W(b, 0, 10), VECTOR_R)                   \
    X(writev, vector(), KEEP(writev(out, VECTOR, 2)), R(a, 0, 5), R(b, 0, 10), VECTOR_R)                \
    X(preadv, vector(), KEEP(preadv(file, VECTOR, 2, 4)), W(a, 0, 5), W(b, 0, 7), VECTOR_R)             \
    X(pwritev, vector(), KEEP(pwritev(file, VECTOR, 2, 4)), R(a, 0, 5), R(b, 0, 10), VECTOR_R)          \
    X(preadv2, vector(), KEEP(preadv2(file, VECTOR, 2, 4, 0)), W(a, 0, 5), W(b, 0, 7), VECTOR_R)        \
    X(pwritev2, vector(), KEEP(pwritev2(file, VECTOR, 2, 4, 0)), R(a, 0, 5), R(b, 0, 10), VECTOR_R)     \
    X(recv, ready(), KEEP(recv(in, m.a, n(20), 0)), W(a, 0, 16))                                        \
    X(send, ready(), KEEP(send(out, m.a, n(10), 0)), R(a, 0, 10))                                       \
    X(recvfrom, ready(), KEEP(recvfrom(in, m.a, n(20), 0, NULL, NULL)), W(a, 0, 16))                    \
    X(sendto, ready(), KEEP(sendto(out, m.a, n(10), 0, NULL, 0)), R(a, 0, 10))                          \
    X(recvmsg, message(), KEEP(recvmsg(in, MESSAGE, 0)), W(a, 0, 5), W(b, 0, 10), VECTOR_R, MESSAGE_W)  \
    X(sendmsg, message(), KEEP(sendmsg(out, MESSAGE, 0)), R(a, 0, 5), R(b, 0, 10), VECTOR_R, MESSAGE_R) \
    X(pipe, , KEEP(pipe((int *)m.a)), W(a, 0, 8))                                                       \
    X(pipe2, , KEEP(pipe2((int *)m.a, 0)), W(a, 0, 8))                                                  \
    X(socketpair, , KEEP(socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)m.a)), W(a, 0, 8))                  \
    X(poll, poll_ready(), KEEP(poll(POLL, 2, 0)), R(a, 0, 6), W(a, 6, 2), R(a, 8, 6), W(a, 14, 2))      \
    X(select, select_ready(), KEEP(select(in + 1, (fd_set *)m.a, NULL, NULL, NULL)), W(a, 0, 8))        \
    X(epoll_wait, epoll_ready(), KEEP(epoll_wait(epoll, (void *)m.a, 3, 0)), W(a, 0, 12))               \
    X(getsockname, ready(); *(int *)m.b = 4, KEEP(getsockname(in, (void *)m.a, (void *)m.b)),            \
      W(a, 0, 2), W(b, 0, 4))                                                                           \
    X(getsockopt, ready(); *(int *)m.b = 4,                                                             \
      KEEP(getsockopt(in, SOL_SOCKET, SO_TYPE, m.a, (void *)m.b)), W(a, 0, 4), W(b, 0, 4))              \
    X(setsockopt, ready(); *(int *)m.a = 1, KEEP(setsockopt(in, SOL_SOCKET, SO_REUSEADDR, m.a, 4)),      \
      R(a, 0, 4))                                                                                       \
    X(inet_pton, SET(a, "1.2.3.4"), KEEP(inet_pton(AF_INET, m.a, m.b)), R(a, 0, 8), W(b, 0, 4))         \
    X(inet_ntop, , KEEP(inet_ntop(AF_INET, m.a, m.b, 20)), R(a, 0, 4), W(b, 0, 8))                      \
    X(epoll_ctl, epoll_ready(), KEEP(epoll_ctl(epoll, EPOLL_CTL_MOD, in, (void *)m.a)), R(a, 0, 12))   \
    X(pread64, ready(), KEEP(pread64(file, m.a, n(20), 4)), W(a, 0, 12))                               \
    X(pwrite64, ready(), KEEP(pwrite64(file, m.a, n(10), 4)), R(a, 0, 10))                             \
    X(preadv64, vector(), KEEP(preadv64(file, VECTOR, 2, 4)), W(a, 0, 5), W(b, 0, 7), VECTOR_R)        \
    X(pwritev64, vector(), KEEP(pwritev64(file, VECTOR, 2, 4)), R(a, 0, 5), R(b, 0, 10), VECTOR_R)     \
    X(preadv64v2, vector(), KEEP(preadv64v2(file, VECTOR, 2, 4, 0)), W(a, 0, 5), W(b, 0, 7), VECTOR_R) \
    X(pwritev64v2, vector(), KEEP(pwritev64v2(file, VECTOR, 2, 4, 0)), R(a, 0, 5), R(b, 0, 10), VECTOR_R) \
    X(vmsplice, vector(), KEEP(vmsplice(pipes(), VECTOR, 2, 0)), R(a, 0, 5), R(b, 0, 10), VECTOR_R)    \
    X(sendfile, ready(), KEEP(sendfile(out, file, (void *)m.a, 4)), W(a, 0, 8))                        \
    X(sendfile64, ready(), KEEP(sendfile64(out, file, (void *)m.a, 4)), W(a, 0, 8))                    \
    X(copy_file_range, ready(); *(long *)m.b = 100,                                                    \
      KEEP(copy_file_range(file, (void *)m.a, file, (void *)m.b, 4, 0)), W(a, 0, 8), W(b, 0, 8))       \
    X(splice, ready(), KEEP(splice(file, (void *)m.a, pipes(), NULL, 4, 0)), W(a, 0, 8))               \
    X(ppoll, poll_ready(), KEEP(ppoll(POLL, 2, &now_, NULL)), R(a, 0, 6), W(a, 6, 2), R(a, 8, 6), W(a, 14, 2)) \
    X(pselect, select_ready(), KEEP(pselect(in + 1, (fd_set *)m.a, NULL, NULL, &now_, NULL)), W(a, 0, 8)) \
    X(epoll_pwait, epoll_ready(), KEEP(epoll_pwait(epoll, (void *)m.a, 3, 0, NULL)), W(a, 0, 12))      \
    X(epoll_pwait2, epoll_ready(), KEEP(epoll_pwait2(epoll, (void *)m.a, 3, &now_, NULL)), W(a, 0, 12)) \
    X(getpeername, ready(); *(int *)m.b = 4, KEEP(getpeername(in, (void *)m.a, (void *)m.b)), W(a, 0, 2), W(b, 0, 4)) \
    X(accept4, listening(); *(int *)m.b = 16, KEEP(accept4(in, (void *)m.a, (void *)m.b, 0)), W(a, 0, 2), W(b, 0, 4)) \
    X(bind, ready(); *(short *)m.a = AF_UNIX, KEEP(bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)m.a, 2)), R(a, 0, 2)) \
    X(inet_aton, SET(a, "1.2.3.4"), KEEP(inet_aton(m.a, (void *)m.b)), R(a, 0, 8), W(b, 0, 4))         \
    X(inet_addr, SET(a, "1.2.3.4"), KEEP(inet_addr(m.a)), R(a, 0, 8))                                  \
    X(inet_network, SET(a, "1.2.3.4"), KEEP(inet_network(m.a)), R(a, 0, 8))                            \
    X(inet_ntoa, , KEEP(inet_ntoa((struct in_addr){(in_addr_t)n(1)})), NOTHING)

RUN_CASES()
