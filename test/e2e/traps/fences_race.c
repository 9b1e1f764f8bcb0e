/* A fence on one side only, of the wrong kind, or between a thread and its signal handlers. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdatomic.h>

/* What orders the sender's store, and what the receiver's load. */
#define PAIRS(X)                                                                                        \
    X(release_fence, relaxed, no_fence, relaxed)                                                        \
    X(no_fence, relaxed, acquire_fence, relaxed)                                                        \
    X(acquire_fence, relaxed, acquire_fence, relaxed)                                                   \
    X(release_fence, relaxed, release_fence, relaxed)                                                   \
    X(signal_fence, relaxed, signal_fence, relaxed)                                                     \
    X(seq_cst_fence, relaxed, no_fence, relaxed)                                                        \
    X(no_fence, relaxed, seq_cst_fence, relaxed)

#define release_fence() atomic_thread_fence(memory_order_release)
#define acquire_fence() atomic_thread_fence(memory_order_acquire)
#define seq_cst_fence() atomic_thread_fence(memory_order_seq_cst)
#define signal_fence() atomic_signal_fence(memory_order_seq_cst)
#define no_fence() ((void)0)

#define DEFINE(before, store, after, load)                                                              \
    static atomic_int flag_##before##_##store##_##after##_##load;                                       \
    int data_##before##_##store##_##after##_##load;                                                     \
    static void send_##before##_##store##_##after##_##load(void) {                                      \
        data_##before##_##store##_##after##_##load = 1;                                                 \
        before();                                                                                       \
        atomic_store_explicit(&flag_##before##_##store##_##after##_##load, 1, memory_order_##store);    \
    }                                                                                                   \
    static void receive_##before##_##store##_##after##_##load(void) {                                   \
        CHECK(atomic_load_explicit(&flag_##before##_##store##_##after##_##load,                         \
                                   memory_order_##load) == 1);                                          \
        after();                                                                                        \
        data_##before##_##store##_##after##_##load++;                                                   \
    }
PAIRS(DEFINE)

#define LIST(before, store, after, load)                                                                \
    {#before ", " #store ", " #after ", " #load, send_##before##_##store##_##after##_##load,            \
     receive_##before##_##store##_##after##_##load},
static struct case_pair const pairs[] = {PAIRS(LIST)};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
