/* LU factorisation of a SIZE by SIZE matrix with partial pivoting, then the solution of A x = b. In each
 * step one thread finds the pivot and all eliminate, each in rows of its own; a barrier after both. The
 * part of the matrix in use shrinks: a triangle.
 *
 * Planted: every thread notes the pivot that it used, where one should. */
#include "kernel.h"

#include <math.h>

static double **a, *b;
static long *pivots;
static long pivot;
static pthread_barrier_t barrier;

static void find_pivot(long k) {
    long best = k;
    for (long i = k + 1; i < size; i++)
        if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
    double *row = a[best], right = b[best];
    a[best] = a[k];
    b[best] = b[k];
    a[k] = row;
    b[k] = right;
    pivot = best;
}

static void eliminate(long k, long i) {
    double *row = a[i], *top = a[k];
    double factor = row[k] / top[k];
    row[k] = factor;
    for (long j = k + 1; j < size; j++)
        row[j] -= factor * top[j];
    b[i] -= factor * b[k];
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    for (long k = 0; k < size; k++) {
        if (me == 0) find_pivot(k);
        pthread_barrier_wait(&barrier);
#ifdef RACY
        pivots[k] = pivot; /* planted */
#else
        if (me == 0) pivots[k] = pivot;
#endif
        for (long i = k + 1 + me; i < size; i += threads)
            eliminate(k, i);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 1);
    a = kernel_memory((size_t)size * sizeof *a);
    b = kernel_memory((size_t)size * sizeof *b);
    pivots = kernel_memory((size_t)size * sizeof *pivots);
    uint64_t seed = 1325;
    for (long i = 0; i < size; i++) { /* such that the solution is 1 everywhere */
        a[i] = kernel_memory((size_t)size * sizeof **a);
        for (long j = 0; j < size; j++)
            b[i] += a[i][j] = kernel_real(&seed) - 0.5;
    }
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    kernel_run(work);
    double error = 0;
    uint64_t order = 0;
    for (long i = size - 1; i >= 0; i--) {
        for (long j = i + 1; j < size; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
        error = fmax(error, fabs(b[i] - 1.0));
        order = kernel_mix(order + (uint64_t)pivots[i]);
    }
    return kernel_print("lufact", error < 1e-6 ? order : 0);
}
