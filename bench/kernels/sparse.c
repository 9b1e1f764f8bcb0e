/* Sparse matrix-vector product, y += A x, with SIZE rows of A as (row, column, value) triples sorted by
 * row. Each thread has a band of rows of its own; all of them read x.
 *
 * Planted: each band but the last ends with the first triple of the next one. */
#include "kernel.h"

enum { PER_ROW = 5 };
static int *row, *column;
static double *value, *x, *y;

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    int from = (int)kernel_share(size, me) * PER_ROW,
        to = (int)kernel_share(size, me + 1) * PER_ROW;
#ifdef RACY
    if (me < threads - 1) to++;
#endif
    for (long n = 0; n < rounds; n++)
        for (int i = from; i < to; i++)
            y[row[i]] += x[column[i]] * value[i]; /* planted */
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 300);
    size_t nonzeros = (size_t)size * PER_ROW;
    row = malloc(nonzeros * sizeof *row);
    column = malloc(nonzeros * sizeof *column);
    value = malloc(nonzeros * sizeof *value);
    x = malloc((size_t)size * sizeof *x);
    y = kernel_memory((size_t)size * sizeof *y);
    unsigned random = 54321;
    for (size_t i = 0; i < nonzeros; i++) {
        random = random * 1103515245u + 12345u;
        row[i] = (int)(i / PER_ROW);
        column[i] = (int)((random >> 8) % (unsigned)size);
        value[i] = (random >> 16) * 1e-6;
    }
    for (long i = 0; i < size; i++)
        x[i] = 1.0 + (double)i * 1e-6;
    kernel_run(work);
    double sum = 0;
    for (long i = 0; i < size; i++)
        sum += y[i];
    return kernel_print_real("sparse", sum);
}
