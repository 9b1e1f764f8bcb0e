/* The same edge, where each thread begins when it is its turn: with a run, with one element, a
 * little further, and at the same place again and again. */
#include "sweeps.h"

enum { AGAIN = 40 };

__attribute__((noinline)) static void write_one(double *to) { *to += 1; }

static void begin_again(long me) {
    double volatile mine = 0;
    for (long k = 0; k < AGAIN; k++) {
        for (long i = (me + k) % 2; i < ROWS; i += 2) {
            long edge = STEPS + 1 + (i % 3) * k;
            if (i % 4 == 1) write_one(&rows[i][edge]);
            write_range(rows[i], edge + i % 5, LENGTH);
            mine += read_range(rows[i], edge - 1, LENGTH - k);
        }
        pthread_barrier_wait(&turn);
        if (me == k % 2)
            for (long i = 0; i < ROWS; i++)
                column += read_range(rows[i], STEPS - k, LENGTH);
        pthread_barrier_wait(&turn);
    }
}

static void *first(void *unused) {
    take_turns(0);
    begin_again(0);
    return unused;
}

static void *second(void *unused) {
    take_turns(1);
    begin_again(1);
    return unused;
}

int main(void) {
    pthread_barrier_init(&turn, NULL, 2);
    run_two(first, second);
    CHECK(rows[0][LENGTH - 1] == STEPS + AGAIN);
    return 0;
}
