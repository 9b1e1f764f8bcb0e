/* What was done before a signal was sent comes before what is done by who waited for it. */
// FLAGS: -D_GNU_SOURCE
#include "signal_wait.h"

#define DEFINE(name, send, receive)                                                                     \
    int data_##name;                                                                                    \
    static void send_##name(void) {                                                                     \
        data_##name = 1;                                                                                \
        send;                                                                                           \
    }                                                                                                   \
    static void take_##name(void) {                                                                     \
        receive;                                                                                        \
        data_##name++;                                                                                  \
    }
SIGNALS(DEFINE)

int main(void) {
    block();
#define RUN_ONE(name, send, receive)                                                                    \
    sends = send_##name;                                                                                \
    takes = take_##name;                                                                                \
    run_two(run_first, run_second);
    SIGNALS(RUN_ONE)
    return 0;
}
