/* A handler's accesses race with other threads' like those of the thread that it interrupted. */
#include "test.h"

#include <signal.h>

int x;

static void handle(int signal) { x = signal; }

static void *first(void *unused) {
    raise(SIGUSR1);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    x = 2;
    return unused;
}

int main(void) {
    signal(SIGUSR1, handle);
    run_two(first, second);
    return 0;
}
