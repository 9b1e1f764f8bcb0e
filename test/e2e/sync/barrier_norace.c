/* Phases: in each, a thread writes what another wrote in the one before. */
#include "test.h"

enum { THREADS = 4, ROUNDS = 500 };

static pthread_barrier_t barrier;
int cells[THREADS], serial;

static void *work(void *number) {
    int at = (int)(long)number;
    for (int i = 0; i < ROUNDS; i++) {
        CHECK(cells[(at + i) % THREADS] == i);
        cells[(at + i) % THREADS]++;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    CHECK(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
    for (long i = 0; i < THREADS; i++)
        threads[i] = spawn(work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    CHECK(serial == ROUNDS);
    CHECK(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
