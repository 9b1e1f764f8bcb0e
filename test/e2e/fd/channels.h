/* Every kind of descriptor that passes something on: a table for the programs that hold the order against it.
 *   X(name, how it is made, how something is sent, how it is received)
 * `fd[0]` is what is received from, `fd[1]` what is sent to. */
#ifndef DEADHEAT_TEST_CHANNELS_H
#define DEADHEAT_TEST_CHANNELS_H

#include "access/cases.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { FDS = 4 };
static __thread char own[64];

#define MUST(call) CHECK((call) != -1)
#define WRITE(fd) CHECK(write(fd, "12345678", 8) == 8)
#define READ(fd) CHECK(read(fd, own, 8) == 8)

/* ---- how they are made ---- */

static inline void make_pipe(int *fd) { MUST(pipe(fd)); }
static inline void make_pair(int *fd) { MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, fd)); }
static inline void make_eventfd(int *fd) { MUST(fd[0] = fd[1] = eventfd(0, 0)); }
static inline void make_timerfd(int *fd) { MUST(fd[0] = fd[1] = timerfd_create(CLOCK_MONOTONIC, 0)); }

static inline void make_dup(int *fd) {
    int ends[2];
    MUST(pipe(ends));
    MUST(fd[0] = dup(ends[0]));
    MUST(fd[1] = fcntl(ends[1], F_DUPFD, 50));
    close(ends[0]);
    close(ends[1]);
}

static inline void make_dup_eventfd(int *fd) {
    MUST(fd[2] = eventfd(0, 0));
    MUST(fd[0] = dup(fd[2]));
    MUST(fd[1] = fcntl(fd[2], F_DUPFD_CLOEXEC, 60));
}

static inline void make_fifo(int *fd) {
    char name[64];
    snprintf(name, sizeof name, "/tmp/deadheat-fifo-%d", getpid());
    MUST(mkfifo(name, 0600));
    MUST(fd[0] = open(name, O_RDONLY | O_NONBLOCK));
    MUST(fd[1] = open(name, O_WRONLY));
    unlink(name);
}

static inline void make_tcp(int *fd) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener;
    MUST(listener = socket(AF_INET, SOCK_STREAM, 0));
    MUST(bind(listener, (struct sockaddr *)&address, sizeof address));
    MUST(listen(listener, 1));
    MUST(getsockname(listener, (struct sockaddr *)&address, &length));
    MUST(fd[1] = socket(AF_INET, SOCK_STREAM, 0));
    MUST(connect(fd[1], (struct sockaddr *)&address, sizeof address));
    MUST(fd[0] = accept(listener, NULL, NULL));
    close(listener);
}

static inline struct sockaddr_un unix_name(char const *what) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "deadheat-%s-%d", what, getpid());
    return name;
}

static inline void make_unix(int *fd) {
    struct sockaddr_un name = unix_name("stream");
    int listener;
    MUST(listener = socket(AF_UNIX, SOCK_STREAM, 0));
    MUST(bind(listener, (struct sockaddr *)&name, sizeof name));
    MUST(listen(listener, 1));
    MUST(fd[1] = socket(AF_UNIX, SOCK_STREAM, 0));
    MUST(connect(fd[1], (struct sockaddr *)&name, sizeof name));
    MUST(fd[0] = accept(listener, NULL, NULL));
    close(listener);
}

static inline void make_unix_datagram(int *fd) {
    struct sockaddr_un name = unix_name("datagram");
    MUST(fd[0] = socket(AF_UNIX, SOCK_DGRAM, 0));
    MUST(bind(fd[0], (struct sockaddr *)&name, sizeof name));
    MUST(fd[1] = socket(AF_UNIX, SOCK_DGRAM, 0));
    MUST(connect(fd[1], (struct sockaddr *)&name, sizeof name));
}

static inline struct sockaddr_in udp_address(int fd) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    MUST(getsockname(fd, (struct sockaddr *)&address, &length));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static inline void make_udp(int *fd) {
    struct sockaddr_in any = {.sin_family = AF_INET};
    MUST(fd[0] = socket(AF_INET, SOCK_DGRAM, 0));
    MUST(bind(fd[0], (struct sockaddr *)&any, sizeof any));
    MUST(fd[1] = socket(AF_INET, SOCK_DGRAM, 0));
}

static inline void make_signalfd(int *fd) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    MUST(fd[0] = fd[1] = signalfd(-1, &set, 0));
}

/* fd[2] is an epoll instance that waits for fd[0]. */
static inline void make_epoll(int *fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = fd};
    make_eventfd(fd);
    MUST(fd[2] = epoll_create1(0));
    MUST(epoll_ctl(fd[2], EPOLL_CTL_ADD, fd[0], &event));
}

/* A pipe into another, by way of a third thread's sendfile or nobody's: here the receiver's own splice. */
static inline void make_two_pipes(int *fd) {
    MUST(pipe(fd));
    MUST(pipe(fd + 2));
}

/* ---- how something is sent and received ---- */

static inline void send_vector(int fd) {
    struct iovec v[2] = {{(char *)"1234", 4}, {(char *)"5678", 4}};
    CHECK(writev(fd, v, 2) == 8);
}
static inline void receive_vector(int fd) {
    struct iovec v[2] = {{own, 4}, {own + 4, 60}};
    CHECK(readv(fd, v, 2) == 8);
}
static inline void send_udp(int *fd) {
    struct sockaddr_in to = udp_address(fd[0]);
    CHECK(sendto(fd[1], "12345678", 8, 0, (struct sockaddr *)&to, sizeof to) == 8);
}
static inline void send_message(int fd, struct sockaddr_in *to) {
    struct iovec v = {(char *)"12345678", 8};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_name = to, .msg_namelen = to ? sizeof *to : 0};
    CHECK(sendmsg(fd, &m, 0) == 8);
}
static inline void send_udp_message(int *fd) {
    struct sockaddr_in to = udp_address(fd[0]);
    send_message(fd[1], &to);
}
static inline void receive_message(int fd) {
    struct iovec v = {own, 8};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
    CHECK(recvmsg(fd, &m, 0) == 8);
}
static inline void send_many(int fd) {
    struct iovec v = {(char *)"12345678", 8};
    struct mmsghdr m = {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}};
    CHECK(sendmmsg(fd, &m, 1, 0) == 1);
}
static inline void receive_many(int fd) {
    struct iovec v = {own, 8};
    struct mmsghdr m = {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}};
    CHECK(recvmmsg(fd, &m, 1, 0, NULL) == 1);
}
static inline void set_timer(int fd) {
    struct itimerspec soon = {.it_value = {0, 1}};
    MUST(timerfd_settime(fd, 0, &soon, NULL));
}
static inline void take_signal(int fd) {
    struct signalfd_siginfo info;
    CHECK(read(fd, &info, sizeof info) == sizeof info && info.ssi_signo == SIGUSR1);
}
static inline void poll_in(int fd) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    CHECK(poll(&p, 1, -1) == 1 && p.revents & POLLIN);
}
static inline void select_in(int fd) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    CHECK(select(fd + 1, &set, NULL, NULL, NULL) == 1);
}
static inline void epoll_in(int epoll) {
    struct epoll_event event;
    CHECK(epoll_wait(epoll, &event, 1, -1) == 1 && event.events & EPOLLIN);
}
static inline void receive_end(int fd) { CHECK(read(fd, own, 8) == 0); }
static inline void splice_over(int *fd) {
    CHECK(splice(fd[0], NULL, fd[3], NULL, 8, 0) == 8);
}

static inline void make_dup3(int *fd) {
    int ends[2];
    MUST(pipe(ends));
    MUST(fd[0] = dup3(ends[0], 70, 0));
    MUST(fd[1] = dup3(ends[1], 71, O_CLOEXEC));
}
static inline void make_fcntl64(int *fd) {
    MUST(fd[0] = eventfd(0, 0));
    MUST(fd[1] = fcntl64(fd[0], F_DUPFD, 50));
}
static inline void tee_over(int *fd) {
    CHECK(tee(fd[0], fd[3], 8, 0) == 8);
    READ(fd[2]);
}
static inline void vmsplice_out(int fd) {
    static char bytes[8] = "1234567";
    struct iovec v = {bytes, 8};
    CHECK(vmsplice(fd, &v, 1, 0) == 8);
}
static inline void vmsplice_in(int fd) {
    struct iovec v = {own, 8};
    CHECK(vmsplice(fd, &v, 1, 0) == 8);
}
static inline void make_pipe_and_file(int *fd) {
    make_pipe(fd);
    MUST(fd[2] = open("/tmp", O_TMPFILE | O_RDWR, 0600));
    WRITE(fd[2]);
}
static inline void ppoll_in(int fd) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    CHECK(ppoll(&p, 1, NULL, NULL) == 1);
}
static inline void pselect_in(int fd) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    CHECK(pselect(fd + 1, &set, NULL, NULL, NULL, NULL) == 1);
}
static inline void epoll_pwait_in(int epoll) {
    struct epoll_event event;
    CHECK(epoll_pwait(epoll, &event, 1, -1, NULL) == 1);
}
static inline void epoll_pwait2_in(int epoll) {
    struct epoll_event event;
    CHECK(epoll_pwait2(epoll, &event, 1, NULL, NULL) == 1);
}
static inline void make_epoll_create(int *fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = fd};
    make_eventfd(fd);
    MUST(fd[2] = epoll_create(1));
    MUST(epoll_ctl(fd[2], EPOLL_CTL_ADD, fd[0], &event));
}

#define CHANNELS(X)                                                                                     \
    X(pipe, make_pipe(fd), WRITE(fd[1]), READ(fd[0]))                                                   \
    X(pipe_vector, make_pipe(fd), send_vector(fd[1]), receive_vector(fd[0]))                            \
    X(pipe_end, make_pipe(fd), close(fd[1]), receive_end(fd[0]))                                        \
    X(pipe_dup, make_dup(fd), WRITE(fd[1]), READ(fd[0]))                                                \
    X(fifo, make_fifo(fd), WRITE(fd[1]), READ(fd[0]))                                                   \
    X(splice, make_two_pipes(fd), WRITE(fd[1]), splice_over(fd))                                        \
    X(pair, make_pair(fd), WRITE(fd[1]), READ(fd[0]))                                                   \
    X(pair_back, make_pair(fd), WRITE(fd[0]), READ(fd[1]))                                              \
    X(pair_send, make_pair(fd), send(fd[1], "12345678", 8, 0), recv(fd[0], own, 8, 0))                  \
    X(pair_message, make_pair(fd), send_message(fd[1], NULL), receive_message(fd[0]))                   \
    X(pair_many, make_pair(fd), send_many(fd[1]), receive_many(fd[0]))                                  \
    X(pair_end, make_pair(fd), close(fd[1]), receive_end(fd[0]))                                        \
    X(pair_shutdown, make_pair(fd), shutdown(fd[1], SHUT_WR), receive_end(fd[0]))                       \
    X(tcp, make_tcp(fd), WRITE(fd[1]), READ(fd[0]))                                                     \
    X(tcp_back, make_tcp(fd), WRITE(fd[0]), READ(fd[1]))                                                \
    X(unix, make_unix(fd), WRITE(fd[1]), READ(fd[0]))                                                   \
    X(unix_datagram, make_unix_datagram(fd), WRITE(fd[1]), READ(fd[0]))                                 \
    X(udp, make_udp(fd), send_udp(fd), recvfrom(fd[0], own, 8, 0, NULL, NULL))                          \
    X(udp_message, make_udp(fd), send_udp_message(fd), receive_message(fd[0]))                          \
    X(eventfd, make_eventfd(fd), WRITE(fd[1]), READ(fd[0]))                                             \
    X(eventfd_calls, make_eventfd(fd), eventfd_write(fd[1], 1), eventfd_read(fd[0], (eventfd_t *)own))  \
    X(eventfd_dup, make_dup_eventfd(fd), WRITE(fd[1]), READ(fd[0]))                                     \
    X(timerfd, make_timerfd(fd), set_timer(fd[1]), READ(fd[0]))                                         \
    X(signalfd, make_signalfd(fd), kill(getpid(), SIGUSR1), take_signal(fd[0]))                         \
    X(poll, make_pipe(fd), WRITE(fd[1]), poll_in(fd[0]))                                                \
    X(select, make_pair(fd), WRITE(fd[1]), select_in(fd[0]))                                            \
    X(dup3, make_dup3(fd), WRITE(fd[1]), READ(fd[0]))                                                   \
    X(fcntl64, make_fcntl64(fd), WRITE(fd[1]), READ(fd[0]))                                             \
    X(tee, make_two_pipes(fd), WRITE(fd[1]), tee_over(fd))                                              \
    X(vmsplice, make_pipe(fd), vmsplice_out(fd[1]), READ(fd[0]))                                        \
    X(vmsplice_in, make_pipe(fd), WRITE(fd[1]), vmsplice_in(fd[0]))                                     \
    X(sendfile, make_pipe_and_file(fd), sendfile(fd[1], fd[2], &(off_t){0}, 8), READ(fd[0]))            \
    X(close_range, make_pipe(fd), close_range((unsigned)fd[1], (unsigned)fd[1], 0), receive_end(fd[0])) \
    X(ppoll, make_pipe(fd), WRITE(fd[1]), ppoll_in(fd[0]))                                              \
    X(pselect, make_pipe(fd), WRITE(fd[1]), pselect_in(fd[0]))                                          \
    X(epoll_pwait, make_epoll(fd), WRITE(fd[1]), epoll_pwait_in(fd[2]))                                 \
    X(epoll_pwait2, make_epoll(fd), WRITE(fd[1]), epoll_pwait2_in(fd[2]))                               \
    X(epoll_create, make_epoll_create(fd), WRITE(fd[1]), epoll_in(fd[2]))                               \
    X(epoll, make_epoll(fd), WRITE(fd[1]), epoll_in(fd[2]))

/* Each has its own variable and its own code, or its report would be folded into another's. */
#define DEFINE(name, make, send, receive)                                                               \
    int data_##name;                                                                                    \
    static int fd_##name[FDS];                                                                          \
    static void make_##name##_now(void) {                                                               \
        int *fd = fd_##name;                                                                            \
        make;                                                                                           \
    }                                                                                                   \
    static void send_##name##_now(void) {                                                               \
        int *fd = fd_##name;                                                                            \
        (void)fd;                                                                                       \
        send;                                                                                           \
    }                                                                                                   \
    static void receive_##name##_now(void) {                                                            \
        int *fd = fd_##name;                                                                            \
        receive;                                                                                        \
    }
CHANNELS(DEFINE)

#define MAKE(name, make, send, receive) make_##name##_now();
static inline void make_all(void) { CHANNELS(MAKE) }

#endif
