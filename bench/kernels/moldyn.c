/* Molecular dynamics: SIZE^3 particles under the Lennard-Jones potential in a box with periodic walls.
 * Each thread computes the pairs of its share of particles into forces of its own; then the forces are
 * added up and the particles moved, by bands. Sums are formed in a fixed order.
 *
 * Planted: the pairs within reach are counted in a shared variable, between the same two barriers. */
#include "kernel.h"

#include <math.h>

enum { DIMENSIONS = 3 };
struct particle {
    double position[DIMENSIONS], velocity[DIMENSIONS], force[DIMENSIONS];
};
static struct particle *particles;
static double (**forces)[DIMENSIONS]; /* a thread, a particle */
static long count, interactions[KERNEL_THREADS];
static double box;
static pthread_barrier_t barrier;
#ifdef RACY
static long all_interactions;
#endif

static double const reach = 2.5, step = 0.002;

/* Forces between i and all later particles; returns how many are within reach. */
static long pairs(long i, double (*force)[DIMENSIONS]) {
    long found = 0;
    for (long j = i + 1; j < count; j++) {
        double d[DIMENSIONS], square = 0;
        for (int k = 0; k < DIMENSIONS; k++) {
            d[k] = particles[i].position[k] - particles[j].position[k];
            if (d[k] > box / 2) d[k] -= box;
            if (d[k] < -box / 2) d[k] += box;
            square += d[k] * d[k];
        }
        if (square > reach * reach) continue;
        double inverse = 1 / square, sixth = inverse * inverse * inverse;
        double strength = 48 * inverse * sixth * (sixth - 0.5);
        for (int k = 0; k < DIMENSIONS; k++) {
            force[i][k] += strength * d[k];
            force[j][k] -= strength * d[k];
        }
        found++;
    }
    return found;
}

static void move(long i) {
    struct particle *p = &particles[i];
    for (int k = 0; k < DIMENSIONS; k++) {
        double sum = 0;
        for (int t = 0; t < threads; t++) {
            sum += forces[t][i][k];
            forces[t][i][k] = 0;
        }
        p->force[k] = sum;
        p->velocity[k] += step * p->force[k];
        p->position[k] += step * p->velocity[k];
        if (p->position[k] < 0) p->position[k] += box;
        if (p->position[k] >= box) p->position[k] -= box;
    }
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    for (long n = 0; n < rounds; n++) {
        long found = 0;
        for (long i = me; i < count; i += threads)
            found += pairs(i, forces[me]);
        interactions[me] += found;
#ifdef RACY
        all_interactions += found; /* planted */
#endif
        pthread_barrier_wait(&barrier);
        for (long i = kernel_share(count, me); i < kernel_share(count, me + 1); i++)
            move(i);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void place(void) {
    uint64_t seed = 7;
    double const distance = 1.2;
    box = (double)size * distance;
    for (long i = 0; i < count; i++) {
        long at[DIMENSIONS] = {i % size, i / size % size, i / size / size};
        for (int k = 0; k < DIMENSIONS; k++) {
            particles[i].position[k] = ((double)at[k] + 0.25) * distance;
            particles[i].velocity[k] = kernel_real(&seed) - 0.5;
        }
    }
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 10);
    count = size * size * size;
    particles = kernel_memory((size_t)count * sizeof *particles);
    forces = kernel_memory((size_t)threads * sizeof *forces);
    for (int t = 0; t < threads; t++)
        forces[t] = kernel_memory((size_t)count * sizeof **forces);
    place();
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    kernel_run(work);
    double energy = 0;
    long pairs_in_reach = 0;
    for (long i = 0; i < count; i++)
        for (int k = 0; k < DIMENSIONS; k++)
            energy += particles[i].velocity[k] * particles[i].velocity[k] / 2;
    for (int t = 0; t < threads; t++)
        pairs_in_reach += interactions[t];
    return kernel_print_real("moldyn", energy + (double)pairs_in_reach);
}
