/* A program that has started others goes on being checked: each way orders nothing between its threads. */
/* EXPECT: 4 races reported */
#include "process/spawned.h"

int shared[4];

static void *first(void *unused) {
    shared[0] = 1;
    shared[1] = 1;
    shared[2] = 1;
    shared[3] = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    by_vfork();
    shared[0] = 2;
    by_posix_spawn();
    shared[1] = 2;
    by_fork();
    shared[2] = 2;
    by_libc();
    shared[3] = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
