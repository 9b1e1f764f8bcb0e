/* What a handler synchronises counts, whatever the code that it interrupts ignores. */
#include "annotate/ignore_handler.h"

static void handle(int signal) {
    shared = signal;
    atomic_store_explicit(&ready, 1, memory_order_release);
}

static void *interrupted(void *unused) {
    AnnotateIgnoreSyncBegin(HERE);
    atomic_store_explicit(&region, 1, memory_order_relaxed);
    take_signals(NULL);
    AnnotateIgnoreSyncEnd(HERE);
    return unused;
}

int main(void) {
    signal(SIGUSR1, handle);
    pthread_t other = spawn(interrupted, NULL);
    while (!atomic_load_explicit(&region, memory_order_relaxed))
        sched_yield();
    pthread_kill(other, SIGUSR1);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        sched_yield();
    CHECK(shared == SIGUSR1);
    end_thread(other);
    return 0;
}
