/* Where either side is relaxed, the flag says that the data is there, but orders nothing. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdatomic.h>

#define PAIRS(X)                                                                                        \
    X(relaxed, relaxed) X(relaxed, acquire) X(relaxed, consume) X(relaxed, seq_cst)                     \
    X(release, relaxed) X(seq_cst, relaxed)

#define DEFINE(store, load)                                                                             \
    static atomic_int flag_##store##_##load;                                                            \
    int data_##store##_##load;                                                                          \
    static void send_##store##_##load(void) {                                                           \
        data_##store##_##load = 1;                                                                      \
        atomic_store_explicit(&flag_##store##_##load, 1, memory_order_##store);                         \
    }                                                                                                   \
    static void receive_##store##_##load(void) {                                                        \
        CHECK(atomic_load_explicit(&flag_##store##_##load, memory_order_##load) == 1);                  \
        data_##store##_##load++;                                                                        \
    }
PAIRS(DEFINE)

#define LIST(store, load) {#store ", " #load, send_##store##_##load, receive_##store##_##load},
static struct case_pair const pairs[] = {PAIRS(LIST)};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
