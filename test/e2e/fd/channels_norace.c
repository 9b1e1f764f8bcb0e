/* What was done before something was sent comes before what is done when it has been received. */
// FLAGS: -D_GNU_SOURCE
#include "channels.h"

#define CASE(name, make, send, receive)                                                                 \
    static void first_##name(void) {                                                                    \
        data_##name = 1;                                                                                \
        send_##name##_now();                                                                            \
    }                                                                                                   \
    static void second_##name(void) {                                                                   \
        receive_##name##_now();                                                                         \
        CHECK(data_##name++ == 1);                                                                      \
    }
CHANNELS(CASE)

/* What was done before connect comes before what is done after accept. */
int data_connect;
static int listener;
static struct sockaddr_in address = {.sin_family = AF_INET};
static void connects(void) {
    int fd;
    data_connect = 1;
    MUST(fd = socket(AF_INET, SOCK_STREAM, 0));
    MUST(connect(fd, (struct sockaddr *)&address, sizeof address));
}
static void accepts(void) {
    MUST(accept(listener, NULL, NULL));
    data_connect++;
}
static void make_listener(void) {
    socklen_t length = sizeof address;
    MUST(listener = socket(AF_INET, SOCK_STREAM, 0));
    MUST(bind(listener, (struct sockaddr *)&address, sizeof address));
    MUST(listen(listener, 1));
    MUST(getsockname(listener, (struct sockaddr *)&address, &length));
}

/* What is sent and closed before anybody has accepted it. */
int data_early;
static void sends_early(void) {
    int fd;
    data_early = 1;
    MUST(fd = socket(AF_INET, SOCK_STREAM, 0));
    MUST(connect(fd, (struct sockaddr *)&address, sizeof address));
    WRITE(fd);
    close(fd);
}
static void receives_late(void) {
    int fd;
    MUST(fd = accept(listener, NULL, NULL));
    READ(fd);
    data_early++;
}

/* A waiter is told, through epoll, of something that was added meanwhile. */
int data_added;
static int epoll;
static void adds(void) {
    int fd;
    data_added = 1;
    MUST(fd = eventfd(1, 0));
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &data_added};
    MUST(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
}
static void is_told(void) {
    struct epoll_event event;
    CHECK(epoll_wait(epoll, &event, 1, -1) == 1);
    (*(int *)event.data.ptr)++;
}

/* A signal that is waited for. */
int data_signal;
static void signals(void) {
    data_signal = 1;
    kill(getpid(), SIGUSR2);
}
static void takes_signal(void) {
    sigset_t set;
    int got;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    CHECK(sigwait(&set, &got) == 0 && got == SIGUSR2);
    data_signal++;
}

/* A descriptor that travels in a message is the same one. */
int data_travels;
static int way[2], travels[2];
static void sends_descriptor(void) {
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec v = {(char *)"x", 1};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    *c = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(c), &travels[0], sizeof(int));
    CHECK(sendmsg(way[1], &m, 0) == 1);
    data_travels = 1; /* after the message: only the pipe orders it */
    WRITE(travels[1]);
}
static void receives_descriptor(void) {
    char control[CMSG_SPACE(sizeof(int))], byte;
    struct iovec v = {&byte, 1};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    int fd;
    CHECK(recvmsg(way[0], &m, 0) == 1 && CMSG_FIRSTHDR(&m));
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    READ(fd);
    data_travels++;
}

/* The buffer itself may be passed on. */
static char buffer[8];
static int passed[2];
static void sends_buffer(void) {
    memset(buffer, 'x', 8);
    CHECK(write(passed[1], buffer, 8) == 8);
}
static void receives_buffer(void) { CHECK(read(passed[0], buffer, 8) == 8 && buffer[7] == 'x'); }

#define LIST(name, make, send, receive) {#name, first_##name, second_##name},
static struct case_pair const pairs[] = {
    CHANNELS(LIST)
    {"connect", connects, accepts},
    {"sent and closed before it is accepted", sends_early, receives_late},
    {"epoll_ctl", adds, is_told},
    {"sigwait", signals, takes_signal},
    {"a descriptor in a message", sends_descriptor, receives_descriptor},
    {"the buffer itself", sends_buffer, receives_buffer},
};

int main(void) {
    sigset_t set;
    make_all();
    make_listener();
    MUST(epoll = epoll_create1(0));
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    CHECK(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, way));
    MUST(pipe(travels));
    MUST(pipe(passed));
    CASES_RUN(pairs, 0);
    return 0;
}
