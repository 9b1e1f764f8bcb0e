/* What is received from one says nothing of what was sent to another, however much they are alike. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "peers.h"

#define TWO(name, make)                                                                                 \
    int data_##name##_forth, data_##name##_back;                                                        \
    static int one_##name[FDS], other_##name[FDS];                                                      \
    static void send_##name(void) {                                                                     \
        data_##name##_forth = 1;                                                                        \
        WRITE(one_##name[1]);                                                                           \
    }                                                                                                   \
    static void receive_##name(void) {                                                                  \
        READ(other_##name[0]);                                                                          \
        data_##name##_forth = 2;                                                                        \
    }
KINDS(TWO)

#define BACK(name)                                                                                      \
    static void send_back_##name(void) {                                                                \
        data_##name##_back = 1;                                                                         \
        WRITE(one_##name[0]);                                                                           \
    }                                                                                                   \
    static void receive_back_##name(void) {                                                             \
        READ(other_##name[1]);                                                                          \
        data_##name##_back = 2;                                                                         \
    }
BACK(one_name)
BACK(same_ports)

/* Who accepts an earlier connection knows nothing of who connects now. */
static struct target by_name, by_host;
int data_by_name, data_by_host;
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

/* One signal is taken, another was sent: the lower number is told first. */
static int signals;
int data_signal;
static void send_higher(void) {
    data_signal = 1;
    kill(getpid(), SIGUSR2);
}
static void take_lower(void) {
    CHECK(take_one(signals) == SIGUSR1);
    data_signal = 2;
}

#define LIST(name, make) {#name, send_##name, receive_##name},
static struct case_pair const pairs[] = {
    KINDS(LIST)
    {"one_name: back", send_back_one_name, receive_back_one_name},
    {"same_ports: back", send_back_same_ports, receive_back_same_ports},
    {"connect to a name", connect_name, accept_name},
    {"connect to a host", connect_host, accept_host},
    {"another signal", send_higher, take_lower},
};

#define MAKE_TWO(name, make)                                                                            \
    make(one_##name, other_##name);                                                                     \
    WRITE(other_##name[1]);

int main(void) {
    KINDS(MAKE_TWO)
    WRITE(other_one_name[0]);
    WRITE(other_same_ports[0]);
    make_target(&by_name, AF_UNIX);
    make_target(&by_host, AF_INET);
    connect_to(&by_name);
    connect_to(&by_host);
    signals = signals_fd();
    kill(getpid(), SIGUSR1);
    CASES_RUN(pairs, 1);
    return 0;
}
