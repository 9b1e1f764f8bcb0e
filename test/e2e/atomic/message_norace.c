/* A store that releases, read by a load that acquires, passes on what came before: every pair of orders. */
#include "access/cases.h"

#include <stdatomic.h>

#define PAIRS(X)                                                                                        \
    X(release, acquire) X(release, consume) X(release, seq_cst)                                         \
    X(seq_cst, acquire) X(seq_cst, consume) X(seq_cst, seq_cst)

#define DEFINE(store, load)                                                                             \
    static atomic_int flag_##store##_##load;                                                            \
    int data_##store##_##load;                                                                          \
    static void send_##store##_##load(void) {                                                           \
        data_##store##_##load = 1;                                                                      \
        atomic_store_explicit(&flag_##store##_##load, 1, memory_order_##store);                         \
    }                                                                                                   \
    static void receive_##store##_##load(void) {                                                        \
        CHECK(atomic_load_explicit(&flag_##store##_##load, memory_order_##load) == 1);                  \
        CHECK(data_##store##_##load++ == 1);                                                            \
    }
PAIRS(DEFINE)

#define LIST(store, load) {#store ", " #load, send_##store##_##load, receive_##store##_##load},
static struct case_pair const pairs[] = {PAIRS(LIST)};

int main(void) {
    CASES_RUN(pairs, 0);
    return 0;
}
