/* What a thread has gathered it gathers again, and what another has written there since was handed back to it. */
#include "access/gathers.h"

long released[CELLS], renewed[CELLS], handled[CELLS], shared[CELLS];
long *faulting;

GATHER(gather, where)
GATHER(gather_faulting, faults)

static void hand_over(int signal) {
    if (signal == SIGSEGV) unfence(faulting);
    sem_post(&there);
    sem_wait(&back);
}

static void *reader(void *unused) {
    gather(released);
    hand_over(0);
    gather(released);

    long *reused = malloc(CELLS * sizeof *reused);
    reused[RACED] = 1;
    gather(reused);
    free(reused);
    reused = malloc(CELLS * sizeof *reused);
    reused[RACED] = 2;
    gather(reused);
    free(reused);

    gather(renewed);
    AnnotateNewMemory(HERE, renewed, sizeof renewed);
    gather(renewed);

    gather(handled);
    raise(SIGUSR1);
    gather(handled);

    gather_faulting(faulting);

    gather(shared);
    shared[RACED] = 1; /* its own */
    gather(shared);
    return unused;
}

static void take_over(long *array) {
    sem_wait(&there);
    array[RACED] = 1;
    sem_post(&back);
}

static void *writer(void *unused) {
    take_over(released);
    take_over(handled);
    take_over(faulting);
    return unused;
}

int main(void) {
    prepare();
    faulting = fenced();
    signal(SIGUSR1, hand_over);
    signal(SIGSEGV, hand_over);
    run_two(reader, writer);
    return 0;
}
