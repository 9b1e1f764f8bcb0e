/* A handler runs when the signal arrives: while its thread waits in select(), and while it spins without a
 * call. If it were put off until the thread does something else, this program would not end. */
#include "test.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/select.h>
#include <unistd.h>

static atomic_int handled, ready;
static int volatile seen; /* by the handler and the thread that it interrupts */

static void handler(int signal) {
    CHECK(signal == SIGUSR1);
    seen = 1;
    atomic_signal_fence(memory_order_release);
    atomic_fetch_add(&handled, 1);
}

/* The wait begins again when the handler has run, and goes on until it is told to end. */
static void *in_select(void *pipe) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(*(int *)pipe, &set);
    atomic_store(&ready, 1);
    while (select(*(int *)pipe + 1, &set, NULL, NULL, NULL) != 1)
        FD_SET(*(int *)pipe, &set);
    CHECK(seen == 1);
    return NULL;
}

static void *spinning(void *unused) {
    unsigned volatile turns = 0;
    atomic_store(&ready, 1);
    while (!seen)
        turns++;
    return unused;
}

static void signal_until_handled(pthread_t thread) {
    int before = atomic_load(&handled);
    while (!atomic_load(&ready))
        sched_yield();
    usleep(20000); /* it should be asleep; if not, the test is only easier */
    CHECK(pthread_kill(thread, SIGUSR1) == 0);
    while (atomic_load(&handled) == before)
        sched_yield();
    atomic_store(&ready, 0);
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    int ends[2];
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && pipe(ends) == 0);
    pthread_t thread = spawn(in_select, &ends[0]);
    signal_until_handled(thread);
    CHECK(write(ends[1], "x", 1) == 1);
    join(thread);
    seen = 0;
    thread = spawn(spinning, NULL);
    signal_until_handled(thread);
    join(thread);
    return 0;
}
