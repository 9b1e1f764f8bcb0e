/* What is done after something was sent is not ordered by it, and what is received from one descriptor says
 * nothing of what was sent to another. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "channels.h"

/* Too late. */
#define CASE(name, make, send, receive)                                                                 \
    static void first_##name(void) {                                                                    \
        send_##name##_now();                                                                            \
        data_##name = 1;                                                                                \
    }                                                                                                   \
    static void second_##name(void) {                                                                   \
        receive_##name##_now();                                                                         \
        data_##name++;                                                                                  \
    }
CHANNELS(CASE)

/* Two of a kind. */
#define KINDS(X)                                                                                        \
    X(pipe, make_pipe) X(pair, make_pair) X(tcp, make_tcp) X(eventfd, make_eventfd) X(dup, make_dup)
#define TWO(name, make)                                                                                 \
    int other_data_##name;                                                                              \
    static int one_##name[FDS], other_##name[FDS];                                                      \
    static void send_one_##name(void) {                                                                 \
        other_data_##name = 1;                                                                          \
        WRITE(one_##name[1]);                                                                           \
    }                                                                                                   \
    static void receive_other_##name(void) {                                                            \
        READ(other_##name[0]);                                                                          \
        other_data_##name = 2;                                                                          \
    }
KINDS(TWO)
#define MAKE_TWO(name, make)                                                                            \
    make(one_##name);                                                                                   \
    make(other_##name);                                                                                 \
    WRITE(other_##name[1]);
static void make_two(void) { KINDS(MAKE_TWO) }

/* The other way. */
int data_reader;
static int back[2];
static void reads(void) {
    data_reader = 1;
    READ(back[0]);
}
static void writes(void) {
    WRITE(back[1]);
    data_reader = 2;
}

/* Nothing came. */
int data_nothing;
static int empty[2];
static void sends_elsewhere(void) {
    data_nothing = 1;
    WRITE(empty[1]);
    CHECK(read(empty[0], own, 8) == 8);
}
static void gets_nothing(void) {
    CHECK(read(empty[0], own, 8) == -1 && errno == EAGAIN);
    data_nothing = 2;
}

#define LIST(name, make, send, receive) {#name ": too late", first_##name, second_##name},
#define LIST_TWO(name, make) {#name ": another", send_one_##name, receive_other_##name},
static struct case_pair const pairs[] = {
    CHANNELS(LIST) KINDS(LIST_TWO)
    {"a reader is not ordered before a writer", reads, writes},
    {"a read that fails", sends_elsewhere, gets_nothing},
};

int main(void) {
    make_all();
    make_two();
    MUST(pipe(back));
    WRITE(back[1]);
    MUST(pipe2(empty, O_NONBLOCK));
    CASES_RUN(pairs, 1);
    return 0;
}
