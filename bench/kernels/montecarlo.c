/* Monte Carlo: SIZE random walks of a price, ROUNDS steps each, every one from a seed of its own. A walk
 * is written down as a whole and then looked at, as the original does. Results are added up under a lock,
 * as integers, so that their order does not matter.
 *
 * Planted: the sum is updated without the lock. */
#include "kernel.h"

#include <math.h>

static double *ends; /* a walk's last price */
static int64_t total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double walk(uint64_t seed, double *path) {
    double const drift = 0.0001, volatility = 0.02;
    path[0] = 100.0;
    for (long i = 1; i < rounds; i++) { /* the sum of three is close enough to normal */
        double normal = kernel_real(&seed) + kernel_real(&seed) + kernel_real(&seed) - 1.5;
        path[i] = path[i - 1] * exp(drift + volatility * 2.0 * normal);
    }
    double mean = 0;
    for (long i = 0; i < rounds; i++)
        mean += path[i];
    mean /= (double)rounds;
    return path[rounds - 1] > mean ? path[rounds - 1] : mean;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    double *path = kernel_memory((size_t)rounds * sizeof *path);
    int64_t mine = 0;
    for (long i = kernel_share(size, me); i < kernel_share(size, me + 1); i++) {
        ends[i] = walk(kernel_mix((uint64_t)i), path);
        mine += (int64_t)(ends[i] * 1e6);
    }
    free(path);
#ifdef RACY
    total += mine; /* planted */
#else
    pthread_mutex_lock(&lock);
    total += mine;
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 500);
    ends = kernel_memory((size_t)size * sizeof *ends);
    kernel_run(work);
    return kernel_print("montecarlo", (uint64_t)total);
}
