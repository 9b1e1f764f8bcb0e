/* The first SIZE pairs of Fourier coefficients of (x + 1)^x on [0, 2], each by the trapezoid rule with
 * ROUNDS points. Little memory and much arithmetic: what a detector costs where there is little to
 * check.
 *
 * Planted: every thread computes the first coefficient, where one should. */
#include "kernel.h"

#include <math.h>

enum { COSINE, SINE };
static double *coefficients[2];

static double term(double x, double omega, int select) {
    double y = pow(x + 1.0, x);
    return select == COSINE ? y * cos(omega * x) : y * sin(omega * x);
}

static double integrate(double omega, int select) {
    double const end = 2.0, step = end / (double)rounds;
    double sum = (term(0.0, omega, select) + term(end, omega, select)) / 2.0;
    for (long i = 1; i < rounds; i++)
        sum += term((double)i * step, omega, select);
    return sum * step;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    double const pi = 3.14159265358979323846;
#ifdef RACY
    int first = 1;
#else
    int first = me == 0;
#endif
    if (first) coefficients[COSINE][0] = integrate(0.0, COSINE) / 2.0; /* planted */
    for (long i = 1 + kernel_share(size - 1, me); i < 1 + kernel_share(size - 1, me + 1); i++)
        for (int select = COSINE; select <= SINE; select++)
            coefficients[select][i] = integrate(pi * (double)i, select);
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 1000);
    coefficients[COSINE] = kernel_memory((size_t)size * sizeof(double));
    coefficients[SINE] = kernel_memory((size_t)size * sizeof(double));
    kernel_run(work);
    double sum = 0;
    for (long i = 0; i < size; i++)
        sum += coefficients[COSINE][i] - coefficients[SINE][i];
    return kernel_print_real("series", sum);
}
