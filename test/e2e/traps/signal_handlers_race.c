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

static void *in_select(void *unused) {
    step();
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
        select(0, NULL, NULL, NULL, NULL);
    return unused;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    steps(2);
    pthread_t thread = spawn(in_select, NULL);
    step();
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) { /* one may come just before the wait */
        CHECK(pthread_kill(thread, SIGUSR1) == 0);
        usleep(10000);
    }
    x = 2;
    join(thread);
    return 0;
}
