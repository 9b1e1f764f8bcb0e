/* What is written after the handler was installed is not ordered before its runs. */
/* EXPECT: handle */
#include "signal/installed.h"

int prepared;
static atomic_int seen;

static void handle(int signal) {
    int value = prepared;
    atomic_store_explicit(&seen, value + signal, memory_order_relaxed);
}

int main(void) {
    pthread_t other = waiting_thread();
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    prepared = 1;
    pthread_kill(other, SIGUSR1);
    while (atomic_load_explicit(&seen, memory_order_relaxed) == 0)
        sched_yield();
    end_thread(other);
    return 0;
}
