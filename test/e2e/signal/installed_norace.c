/* A handler may use, in any thread, what was prepared before it was installed. */
#include "signal/installed.h"

int prepared;
static atomic_int seen;

static void handle(int signal) { atomic_fetch_add(&seen, prepared + signal - signal); }

int main(void) {
    pthread_t other = waiting_thread();
    prepared = 1;
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    pthread_kill(other, SIGUSR1);
    while (atomic_load(&seen) != 1)
        sched_yield();
    prepared = 2; /* the first run is over, and known to be */
    signal(SIGUSR2, handle);
    pthread_kill(other, SIGUSR2);
    while (atomic_load(&seen) != 3)
        sched_yield();
    end_thread(other);
    return 0;
}
