/* Bytes of the same cells, each with a lock of its own, used by threads that go on changing places; now
 * and then one holds all locks and moves everything, or gives the memory back and takes new. */
#include "test.h"

#include <string.h>

enum { THREADS = 4, CELLS = 40, WIDTH = 8, ROUNDS = 40000 };

static pthread_mutex_t lock[WIDTH];
static pthread_barrier_t over;
static unsigned char volatile (*cells)[WIDTH];
static long written[WIDTH];

static unsigned next(unsigned *state) {
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

static void all_locks(int (*what)(pthread_mutex_t *)) {
    for (int i = 0; i < WIDTH; i++)
        what(&lock[i]);
}

static void one_column(unsigned *state) {
    unsigned column = next(state) % WIDTH, first = next(state) % CELLS;
    unsigned write = next(state) % 2, sum = 0;
    pthread_mutex_lock(&lock[column]);
    for (unsigned i = first; i < CELLS; i++)
        if (write)
            cells[i][column]++;
        else
            sum += cells[i][column];
    CHECK(sum <= 255 * CELLS);
    if (write) written[column] += CELLS - first;
    pthread_mutex_unlock(&lock[column]);
}

static void everything(unsigned *state) {
    unsigned char copy[CELLS][WIDTH];
    all_locks(pthread_mutex_lock);
    memcpy(copy, (void *)cells, sizeof copy);
    if (next(state) % 2) {
        free((void *)cells);
        cells = malloc(sizeof copy);
    }
    memcpy((void *)cells, copy, sizeof copy);
    all_locks(pthread_mutex_unlock);
}

static void storm(long me) {
    unsigned state = (unsigned)me * 7919 + 1;
    for (int i = 0; i < ROUNDS; i++)
        if (next(&state) % 64 == 0)
            everything(&state);
        else
            one_column(&state);
    pthread_barrier_wait(&over);
}

static void run_storm(void *(*run)(void *)) {
    pthread_t thread[THREADS];
    cells = calloc(CELLS, WIDTH);
    pthread_barrier_init(&over, NULL, THREADS);
    for (int i = 0; i < WIDTH; i++)
        pthread_mutex_init(&lock[i], NULL);
    for (long i = 0; i < THREADS; i++)
        thread[i] = spawn(run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        join(thread[i]);
    free((void *)cells);
}
