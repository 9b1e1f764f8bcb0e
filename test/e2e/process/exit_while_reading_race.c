/* A thread sits in a read of a stream, with its lock, when the process ends: nobody waits for it. */
#include "test.h"
#include <unistd.h>

int shared;
static FILE *never;

static void *reads(void *unused) {
    step();
    getc(never);
    return unused;
}

static void *races(void *unused) {
    shared = 1;
    step();
    return unused;
}

int main(void) {
    int pipes[2];
    CHECK(pipe(pipes) == 0 && (never = fdopen(pipes[0], "r")) != NULL);
    steps(3);
    spawn(reads, NULL);
    pthread_t racer = spawn(races, NULL);
    shared = 2;
    step();
    join(racer);
    while (ftrylockfile(never) == 0) /* until it has the lock */
        funlockfile(never);
    return 0;
}
