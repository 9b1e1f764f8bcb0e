/* What a thread has gathered it gathers again, and another has written there since: behind a release, also one of a
 * handler in the middle of a loop, or where the memory has become other memory.
 *
 * EXPECT: #0 after_release
 * EXPECT: #0 after_unmapping
 * EXPECT: #0 after_renewal
 * EXPECT: #0 sweep
 * EXPECT: #0 after_handler
 * EXPECT: #0 in_the_middle
 * EXPECT: ^deadheat: 6 races reported */
#include "access/gathers.h"

long released[CELLS], renewed[CELLS], swept[CELLS], handled[CELLS];
long *reused, *faulting;
long volatile kept;

GATHER(before, where)
GATHER(after_release, where)
GATHER(after_unmapping, where)
GATHER(after_renewal, where)
GATHER(after_handler, where)
GATHER(in_the_middle, faults)

/* The same of runs, which a thread remembers, too. */
__attribute__((noinline)) static long sweep(long const *array) {
    long sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += array[i];
    return sum;
}

/* The writer's step is behind what was read before, and not before what is read behind it. */
static void hand_over(int signal) {
    if (signal == SIGSEGV) unfence(faulting);
    sem_post(&there);
    step();
    step();
}

static void *reader(void *unused) {
    before(released);
    hand_over(0);
    after_release(released);

    before(reused);
    munmap(reused, SIZE);
    step();
    step();
    after_unmapping(reused);

    before(renewed);
    kept = sweep(swept);
    step();
    step();
    after_renewal(renewed);
    kept = sweep(swept);

    before(handled);
    raise(SIGUSR1);
    after_handler(handled);

    in_the_middle(faulting);
    return unused;
}

static void take_over(long *array) {
    step();
    sem_wait(&there);
    array[RACED] = 1;
    step();
}

static void *writer(void *unused) {
    take_over(released);

    step();
    map(reused, MAP_FIXED)[RACED] = 1;
    step();

    step();
    AnnotateNewMemory(HERE, renewed, sizeof renewed);
    AnnotateNewMemory(HERE, swept, sizeof swept);
    step();

    take_over(handled);
    take_over(faulting);
    return unused;
}

int main(void) {
    prepare();
    reused = map(NULL, 0);
    faulting = fenced();
    signal(SIGUSR1, hand_over);
    signal(SIGSEGV, hand_over);
    run_two(reader, writer);
    return 0;
}
