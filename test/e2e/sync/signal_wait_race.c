/* What is done after a signal was sent is not ordered with who took it. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "signal_wait.h"

#include <deadheat.h>

#define DEFINE(name, send, receive)                                                                     \
    int data_##name;                                                                                    \
    static void send_##name(void) {                                                                     \
        send;                                                                                           \
        data_##name = 1;                                                                                \
    }                                                                                                   \
    static void take_##name(void) {                                                                     \
        receive;                                                                                        \
        data_##name++;                                                                                  \
    }
SIGNALS(DEFINE)

int main(void) {
    unsigned long before;
    block();
#define RUN_ONE(name, send, receive)                                                                    \
    before = deadheat_race_count();                                                                     \
    sends = send_##name;                                                                                \
    takes = take_##name;                                                                                \
    run_two(run_first, run_second);                                                                     \
    CHECK(deadheat_race_count() != before);
    SIGNALS(RUN_ONE)
    return 0;
}
