/* Sparse matrix-vector product, y += A x, with A as (row, column, value) triples sorted by row. Each thread
 * has a band of rows of its own; all of them read x. Prints a checksum. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2 };
static int size = 50000, per_row = 5, iterations = 100;
static int *row, *column, first[THREADS + 1];
static double *value, *x, *y;

static void *work(void *argument) {
    int me = (int)(long)argument;
    for (int n = 0; n < iterations; n++)
        for (int i = first[me]; i < first[me + 1]; i++)
            y[row[i]] += x[column[i]] * value[i];
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) iterations = atoi(argv[1]);
    if (argc > 2) size = atoi(argv[2]);
    size_t nonzeros = (size_t)size * (size_t)per_row;
    row = malloc(nonzeros * sizeof *row);
    column = malloc(nonzeros * sizeof *column);
    value = malloc(nonzeros * sizeof *value);
    x = malloc((size_t)size * sizeof *x);
    y = calloc((size_t)size, sizeof *y);
    unsigned random = 54321;
    for (size_t i = 0; i < nonzeros; i++) {
        random = random * 1103515245u + 12345u;
        row[i] = (int)(i / (size_t)per_row);
        column[i] = (int)((random >> 8) % (unsigned)size);
        value[i] = (random >> 16) * 1e-6;
    }
    for (int i = 0; i < size; i++)
        x[i] = 1.0 + i * 1e-6;
    for (int t = 0; t <= THREADS; t++)
        first[t] = (int)((long)size * t / THREADS) * per_row;
    pthread_t threads[THREADS];
    for (long t = 0; t < THREADS; t++)
        pthread_create(&threads[t], 0, work, (void *)t);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], 0);
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += y[i];
    printf("sparse %d %d %.9e\n", size, iterations, sum);
}
