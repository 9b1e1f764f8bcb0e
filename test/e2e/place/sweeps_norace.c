/* Both threads go on, in rows and blocks that the other had, when it is their turn. */
#include "sweeps.h"

static void *first(void *unused) {
    take_turns(0);
    column += read_range(own, 0, 4096);
    for (long i = 0; i < ROWS; i++)
        column += read_range(rows[i], 0, LENGTH);
    pthread_barrier_wait(&turn);
    return unused;
}

static void *second(void *unused) {
    take_turns(1);
    pthread_barrier_wait(&turn);
    for (long i = 0; i < ROWS; i++)
        write_range(rows[i], 0, LENGTH);
    write_range(own, 0, 4096);
    return unused;
}

int main(void) {
    pthread_barrier_init(&turn, NULL, 2);
    run_two(first, second);
    CHECK(own[4095] == 2);
    return 0;
}
