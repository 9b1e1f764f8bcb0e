/* A race in coroutines of two threads, with their stacks. */
/* EXPECT: Location is global 'shared' */
/* EXPECT: #0 set .*hand_made_race.c */
/* EXPECT: #1 routine .*hand_made_race.c */
/* EXPECT: 1 race reported */
/* REJECT: #[0-9] (first|second|coroutine_) */
#include "fiber/hand_made.h"

static char stacks[2][64 << 10] __attribute__((aligned(16)));
static _Thread_local struct coroutine coroutine;
int shared;

static __attribute__((noinline)) void set(void) { shared = 1; }

static void routine(void) {
    set();
    coroutine_leave(&coroutine);
    abort();
}

static void work_on(char *stack) {
    coroutine_open(&coroutine, stack, sizeof stacks[0], routine);
    coroutine_enter(&coroutine);
}

static void *first(void *unused) {
    work_on(stacks[0]);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    work_on(stacks[1]);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
