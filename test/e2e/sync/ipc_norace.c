/* What was done before something was posted or sent comes before what is done when it was waited for. */
// FLAGS: -D_GNU_SOURCE
#include "ipc.h"

#define CASE(name, make, send, receive)                                                                 \
    int data_##name;                                                                                    \
    static void first_##name(void) {                                                                    \
        data_##name = 1;                                                                                \
        send;                                                                                           \
    }                                                                                                   \
    static void second_##name(void) {                                                                   \
        receive;                                                                                        \
        CHECK(data_##name++ == 1);                                                                      \
    }
KINDS(CASE)

int data_queue;
static void first_queue(void) {
    if (queue != (mqd_t)-1) data_queue = 1;
    send_queue();
}
static void second_queue(void) {
    receive_queue();
    if (queue != (mqd_t)-1) data_queue++;
}

int data_timed;
static void first_timed(void) {
    if (queue != (mqd_t)-1) data_timed = 1;
    send_queue_timed();
}
static void second_timed(void) {
    receive_queue_timed();
    if (queue != (mqd_t)-1) data_timed++;
}

#define LIST(name, make, send, receive) {#name, first_##name, second_##name},
static struct case_pair const pairs[] = {KINDS(LIST){"message queue", first_queue, second_queue},
                                         {"message queue, timed", first_timed, second_timed}};

int main(void) {
    make_all();
    CASES_RUN(pairs, 0);
    remove_all();
    return 0;
}
