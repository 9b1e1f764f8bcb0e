/* What is done after that is not ordered; nor are two semaphores of one set. */
// FLAGS: -D_GNU_SOURCE
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "ipc.h"

#define CASE(name, make, send, receive)                                                                 \
    int data_##name;                                                                                    \
    static void first_##name(void) {                                                                    \
        send;                                                                                           \
        data_##name = 1;                                                                                \
    }                                                                                                   \
    static void second_##name(void) {                                                                   \
        receive;                                                                                        \
        data_##name++;                                                                                  \
    }
KINDS(CASE)

int data_other;
static void post_one(void) {
    data_other = 1;
    operate(0, 1);
}
static void wait_other(void) {
    operate(1, -1);
    data_other = 2;
}

#define LIST(name, make, send, receive) {#name ": too late", first_##name, second_##name},
static struct case_pair const pairs[] = {KINDS(LIST){"another semaphore", post_one, wait_other}};

int main(void) {
    make_all();
    operate(1, 1); /* before there are threads, for wait_other */
    CASES_RUN(pairs, 1);
    remove_all();
    return 0;
}
