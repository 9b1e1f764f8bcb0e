/* Red-black successive over-relaxation on a square grid: each thread sweeps a band of rows, a barrier
 * after each colour. Prints a checksum. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2 };
static int size = 1000, iterations = 100;
static double **grid;
static pthread_barrier_t barrier;

static void sweep(int from, int to, int colour) {
    double const omega = 1.25, quarter = omega * 0.25, rest = 1.0 - omega;
    for (int i = from + (from + colour) % 2; i < to; i += 2) {
        double *row = grid[i], *above = grid[i - 1], *below = grid[i + 1];
        for (int j = 1; j < size - 1; j++)
            row[j] = quarter * (above[j] + below[j] + row[j - 1] + row[j + 1]) + rest * row[j];
    }
}

static void *work(void *argument) {
    int me = (int)(long)argument, band = (size - 2) / THREADS;
    int from = 1 + me * band, to = me == THREADS - 1 ? size - 1 : from + band;
    for (int n = 0; n < iterations; n++)
        for (int colour = 0; colour < 2; colour++) {
            sweep(from, to, colour);
            pthread_barrier_wait(&barrier);
        }
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) iterations = atoi(argv[1]);
    if (argc > 2) size = atoi(argv[2]);
    grid = malloc((size_t)size * sizeof *grid);
    unsigned random = 12345;
    for (int i = 0; i < size; i++) {
        grid[i] = malloc((size_t)size * sizeof **grid);
        for (int j = 0; j < size; j++) {
            random = random * 1103515245u + 12345u;
            grid[i][j] = (random >> 8) * 1e-9;
        }
    }
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, 0, THREADS);
    for (long t = 0; t < THREADS; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], 0);
    double sum = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            sum += grid[i][j];
    printf("sor %d %d %.9e\n", size, iterations, sum);
}
