/* A handler's accesses count, though it interrupts code whose own do not; and those still do not when it is over. */
/* EXPECT: handle */
/* REJECT: global 'ignored' */
#include "annotate/ignore_handler.h"

int ignored;

static void handle(int signal) {
    shared = signal;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
}

static void *interrupted(void *unused) {
    AnnotateIgnoreWritesBegin(HERE);
    AnnotateIgnoreReadsBegin(HERE);
    atomic_store_explicit(&region, 1, memory_order_relaxed);
    take_signals(NULL);
    ignored = 1;
    AnnotateIgnoreReadsEnd(HERE);
    AnnotateIgnoreWritesEnd(HERE);
    return unused;
}

int main(void) {
    signal(SIGUSR1, handle);
    pthread_t other = spawn(interrupted, NULL);
    ignored = 2;
    while (!atomic_load_explicit(&region, memory_order_relaxed))
        sched_yield();
    pthread_kill(other, SIGUSR1);
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        sched_yield();
    shared = 0;
    end_thread(other);
    return 0;
}
