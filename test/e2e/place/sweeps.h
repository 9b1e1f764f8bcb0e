/* Rows that two threads take turns at, as in a factorisation: in each step one of them reads an
 * element of every row, and then each writes the rest of its rows, a part that shrinks. So blocks
 * have one state, or are lists with a fine trail, and neighbours share blocks (rt/quick_blocks.c).
 * Everything is ordered so far. */
#include "test.h"

enum { ROWS = 24, LENGTH = 470, STEPS = 300 };

_Alignas(1024) double rows[ROWS][LENGTH];
_Alignas(65536) double own[4096]; /* the first thread's alone, in granules of its own */
double column;
static pthread_barrier_t turn;

static __attribute__((noinline)) void write_range(double *to, long from, long end) {
    for (long j = from; j < end; j++)
        to[j] += 1;
}
static __attribute__((noinline)) double read_range(double const *of, long from, long end) {
    double sum = 0;
    for (long j = from; j < end; j++)
        sum += of[j];
    return sum;
}

static void take_turns(long me) {
    for (long k = 0; k < STEPS; k++) {
        if (me == k % 2)
            for (long i = 0; i < ROWS; i++)
                column += rows[i][k];
        pthread_barrier_wait(&turn);
        for (long i = (me + k) % 2; i < ROWS; i += 2) {
            rows[i][k] = (double)k;
            write_range(rows[i], k + 1, LENGTH);
        }
        if (me == 0) write_range(own, k, 4096 - 3 * k);
        pthread_barrier_wait(&turn);
    }
}
