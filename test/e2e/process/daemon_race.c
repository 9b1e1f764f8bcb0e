/* A daemon with a race, made by a process that has threads. */
/* EXPECT: Location is global 'shared' */
#include "process/daemon.h"

int shared;

static void *first(void *unused) {
    shared = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    shared = 2;
    return unused;
}

static void work(void) { run_two(first, second); }

static void *nothing(void *unused) { return unused; }

int main(void) {
    join(spawn(nothing, 0));
    return as_daemon(work);
}
