/* A race in a handler that runs on a stack of its own, found with the handler's stack. */
/* EXPECT: Location is global 'shared' */
/* EXPECT: #0 set */
/* EXPECT: #1 handler .*alternate_stack_race.c */
/* EXPECT: 1 race reported */
#include "signal/stacks.h"

int shared;

__attribute__((noinline)) static void set(void) { shared = 1; }

static void handler(int signal) {
    set();
    CHECK(signal == SIGUSR1);
}

static void *first(void *unused) {
    shared = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    handle_on_own_stack(SIGUSR1, handler);
    raise(SIGUSR1);
    own_stack_off();
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
