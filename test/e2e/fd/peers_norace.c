/* Each is ordered with its own peer, also if that is gone when it is looked for. */
// FLAGS: -D_GNU_SOURCE
#include "peers.h"

#define TWO(name, make)                                                                                 \
    int data_##name##_forth;                                                                            \
    static int one_##name[FDS], other_##name[FDS];                                                      \
    static void send_##name(void) {                                                                     \
        data_##name##_forth = 1;                                                                        \
        WRITE(one_##name[1]);                                                                           \
    }                                                                                                   \
    static void receive_##name(void) {                                                                  \
        READ(one_##name[0]);                                                                            \
        data_##name##_forth = 2;                                                                        \
    }
KINDS(TWO)

int data_back;
static void send_back(void) {
    data_back = 1;
    WRITE(other_one_name[0]);
    close(other_one_name[0]);
}
static void receive_back(void) {
    READ(other_one_name[1]);
    data_back = 2;
}

/* Sent before it is accepted; and closed, too. */
static struct target by_name, by_host;
int data_early, data_gone, data_by_name, data_by_host;
static void send_early(void) {
    data_early = 1;
    WRITE(connect_to(&by_name));
}
static void receive_late(void) {
    int fd;
    MUST(fd = accept(by_name.listener, NULL, NULL));
    READ(fd);
    data_early = 2;
}
static void send_and_go(void) {
    data_gone = 1;
    int fd = connect_to(&by_name);
    WRITE(fd);
    close(fd);
}
static void receive_from_nobody(void) {
    int fd;
    MUST(fd = accept(by_name.listener, NULL, NULL));
    READ(fd);
    data_gone = 2;
}
static void connect_name(void) {
    data_by_name = 1;
    connect_to(&by_name);
}
static void accept_name(void) {
    MUST(accept(by_name.listener, NULL, NULL));
    data_by_name = 2;
}
static void connect_host(void) {
    data_by_host = 1;
    connect_to(&by_host);
}
static void accept_host(void) {
    MUST(accept(by_host.listener, NULL, NULL));
    data_by_host = 2;
}

/* The answer comes from a socket that is closed before anybody has asked who it is. */
int data_answer;
static struct target asked;
static int asking;
static void answer(void) {
    int fd;
    MUST(fd = accept(asked.listener, NULL, NULL));
    data_answer = 1;
    WRITE(fd);
    close(fd);
}
static void hear(void) {
    READ(asking);
    data_answer = 2;
}

/* A datagram to a socket that takes those for every address. */
int data_any;
static int any[FDS];
static void send_any(void) {
    data_any = 1;
    send_udp(any);
}
static void receive_any(void) {
    READ(any[0]);
    data_any = 2;
}

/* Both signals; the second is asked for through a descriptor that was doubled before. */
static int signals, doubled;
int data_one, data_two;
static void send_both(void) {
    data_one = data_two = 1;
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR2);
}
static void take_both(void) {
    struct pollfd ready = {.fd = signals, .events = POLLIN};
    CHECK(poll(&ready, 1, -1) == 1);
    data_one = 2;
    CHECK(take_one(signals) == SIGUSR1 && take_one(doubled) == SIGUSR2);
    data_two = 2;
}

#define LIST(name, make) {#name, send_##name, receive_##name},
static struct case_pair const pairs[] = {
    KINDS(LIST)
    {"one_name: back, and closed", send_back, receive_back},
    {"not accepted yet", send_early, receive_late},
    {"closed before it is accepted", send_and_go, receive_from_nobody},
    {"connect to a name", connect_name, accept_name},
    {"connect to a host", connect_host, accept_host},
    {"an answer", answer, hear},
    {"for any address", send_any, receive_any},
    {"both signals", send_both, take_both},
};

#define MAKE_TWO(name, make) make(one_##name, other_##name);

int main(void) {
    KINDS(MAKE_TWO)
    make_target(&by_name, AF_UNIX);
    make_target(&by_host, AF_INET);
    make_target(&asked, AF_UNIX);
    asking = connect_to(&asked);
    make_udp(any);
    signals = signals_fd();
    MUST(doubled = dup(signals));
    CASES_RUN(pairs, 0);
    return 0;
}
