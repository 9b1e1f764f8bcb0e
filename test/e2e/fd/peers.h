/* Connections that are alike in everything but the one thing that tells them apart. `one` and `other` are two of a
 * kind: [0] is what is received from, [1] what is sent to. */
#ifndef DEADHEAT_TEST_PEERS_H
#define DEADHEAT_TEST_PEERS_H

#include "channels.h"

static inline int listen_at(int family, void const *address, socklen_t length) {
    int fd, yes = 1;
    MUST(fd = socket(family, SOCK_STREAM, 0));
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    MUST(bind(fd, address, length));
    MUST(listen(fd, 4));
    return fd;
}

/* Two connections to one name. */
static inline void make_one_name(int *one, int *other) {
    struct sockaddr_un name = unix_name("peers");
    int listener = listen_at(AF_UNIX, &name, sizeof name);
    for (int i = 0; i < 2; i++) {
        int *fd = i ? other : one;
        MUST(fd[1] = socket(AF_UNIX, SOCK_STREAM, 0));
        MUST(connect(fd[1], (struct sockaddr *)&name, sizeof name));
        MUST(fd[0] = accept(listener, NULL, NULL));
    }
    close(listener);
}

static inline struct sockaddr_in host(int last, in_port_t port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK - 1 + (unsigned)last)}, .sin_port = port};
}

static inline in_port_t port_of(int fd) { return udp_address(fd).sin_port; }

/* Two connections between the same ports, of different hosts. */
static inline void make_same_ports(int *one, int *other) {
    struct sockaddr_in here = host(1, 0), there = host(2, 0), from = host(1, 0);
    int listeners[2];
    listeners[0] = listen_at(AF_INET, &here, sizeof here);
    here.sin_port = there.sin_port = port_of(listeners[0]);
    listeners[1] = listen_at(AF_INET, &there, sizeof there);
    for (int i = 0; i < 2; i++) {
        int *fd = i ? other : one;
        MUST(fd[1] = socket(AF_INET, SOCK_STREAM, 0));
        MUST(bind(fd[1], (struct sockaddr *)&from, sizeof from));
        MUST(connect(fd[1], (struct sockaddr *)(i ? &there : &here), sizeof here));
        from = host(2, port_of(fd[1]));
        MUST(fd[0] = accept(listeners[i], NULL, NULL));
        close(listeners[i]);
    }
}

/* Datagrams to the same port, of different hosts. */
static inline void make_same_port(int *one, int *other) {
    struct sockaddr_in here = host(1, 0), there;
    MUST(one[0] = socket(AF_INET, SOCK_DGRAM, 0));
    MUST(bind(one[0], (struct sockaddr *)&here, sizeof here));
    here.sin_port = port_of(one[0]);
    there = host(2, here.sin_port);
    MUST(other[0] = socket(AF_INET, SOCK_DGRAM, 0));
    MUST(bind(other[0], (struct sockaddr *)&there, sizeof there));
    MUST(one[1] = socket(AF_INET, SOCK_DGRAM, 0));
    MUST(connect(one[1], (struct sockaddr *)&here, sizeof here));
    MUST(other[1] = socket(AF_INET, SOCK_DGRAM, 0));
    MUST(connect(other[1], (struct sockaddr *)&there, sizeof there));
}

#define KINDS(X) X(one_name, make_one_name) X(same_ports, make_same_ports) X(same_port, make_same_port)

/* Two listeners to connect to. */
struct target {
    int listener;
    socklen_t length;
    union {
        struct sockaddr any;
        struct sockaddr_un name;
        struct sockaddr_in host;
    } address;
};

static inline void make_target(struct target *t, int family) {
    if (family == AF_UNIX) {
        static char number[] = "target-0";
        number[sizeof number - 2]++;
        t->address.name = unix_name(number);
        t->length = sizeof t->address.name;
        t->listener = listen_at(AF_UNIX, &t->address, t->length);
    } else {
        t->address.host = host(1, 0);
        t->length = sizeof t->address.host;
        t->listener = listen_at(AF_INET, &t->address, t->length);
        t->address.host.sin_port = port_of(t->listener);
    }
}

static inline int connect_to(struct target const *t) {
    int fd;
    MUST(fd = socket(t->address.any.sa_family, SOCK_STREAM, 0));
    MUST(connect(fd, &t->address.any, t->length));
    return fd;
}

/* Two signals for one descriptor. */
static inline int signals_fd(void) {
    sigset_t set;
    int fd;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    CHECK(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    MUST(fd = signalfd(-1, &set, 0));
    return fd;
}

static inline int take_one(int fd) {
    struct signalfd_siginfo info;
    CHECK(read(fd, &info, sizeof info) == sizeof info);
    return (int)info.ssi_signo;
}

#endif
