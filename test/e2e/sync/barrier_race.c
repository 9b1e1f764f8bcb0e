/* A barrier orders what came before it: not what a fast thread does after, on its way to the next round. */
#include "test.h"

static pthread_barrier_t barrier;
int x;

static void *first(void *unused) {
    pthread_barrier_wait(&barrier);
    x = 1;
    step();
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *second(void *unused) {
    pthread_barrier_wait(&barrier);
    step();
    x = 2;
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    CHECK(pthread_barrier_init(&barrier, NULL, 2) == 0);
    run_two(first, second);
    return 0;
}
