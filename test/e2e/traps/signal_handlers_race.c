/* A handler that runs while its thread waits in select() races with the rest of the world there and then. */
#include "test.h"

#include <signal.h>
#include <sys/select.h>
#include <unistd.h>

int x;
static int volatile done;

static void handler(int signal) {
    (void)signal;
    x = 1;
    __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
}

/* It waits for a byte, not for the signal: one that came between a look at `done` and the wait would be the
 * last, and the wait would never end. */
static void *in_select(void *pipe) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(*(int *)pipe, &set);
    step();
    while (select(*(int *)pipe + 1, &set, NULL, NULL, NULL) != 1)
        FD_SET(*(int *)pipe, &set);
    return NULL;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    int ends[2];
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && pipe(ends) == 0);
    steps(2);
    pthread_t thread = spawn(in_select, &ends[0]);
    step();
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
        CHECK(pthread_kill(thread, SIGUSR1) == 0);
        usleep(10000);
    }
    x = 2;
    CHECK(write(ends[1], "x", 1) == 1);
    join(thread);
    return 0;
}
