/* Red-black successive over-relaxation on a square grid of SIZE by SIZE: each thread sweeps a band of
 * rows, a barrier after each colour.
 *
 * Planted: each band is one row too long, so that two threads sweep the row between two bands. */
#include "kernel.h"

static double **grid;
static pthread_barrier_t barrier;

static void sweep(long from, long to, int colour) {
    double const omega = 1.25, quarter = omega * 0.25, rest = 1.0 - omega;
    for (long i = from + (from + colour) % 2; i < to; i += 2) {
        double *row = grid[i], *above = grid[i - 1], *below = grid[i + 1];
        for (long j = 1; j < size - 1; j++) /* planted: the next line */
            row[j] = quarter * (above[j] + below[j] + row[j - 1] + row[j + 1]) + rest * row[j];
    }
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    long from = 1 + kernel_share(size - 2, me), to = 1 + kernel_share(size - 2, me + 1);
#ifdef RACY
    if (me < threads - 1) to++;
#endif
    for (long n = 0; n < rounds; n++)
        for (int colour = 0; colour < 2; colour++) {
            sweep(from, to, colour);
            pthread_barrier_wait(&barrier);
        }
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 200);
    if (size < 3) size = 3;
    grid = kernel_memory((size_t)size * sizeof *grid);
    unsigned random = 12345;
    for (long i = 0; i < size; i++) {
        grid[i] = malloc((size_t)size * sizeof **grid);
        for (long j = 0; j < size; j++) {
            random = random * 1103515245u + 12345u;
            grid[i][j] = (random >> 8) * 1e-9;
        }
    }
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    kernel_run(work);
    double sum = 0;
    for (long i = 0; i < size; i++)
        for (long j = 0; j < size; j++)
            sum += grid[i][j];
    return kernel_print_real("sor", sum);
}
