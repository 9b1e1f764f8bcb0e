/* 4,096 threads alive at once. Each writes a place of its own, adds to a sum under a mutex, and reads its
 * neighbour's place after a barrier. Nothing is to be reported, and it must not take for ever.
 * LEVELS: -O2
 */
#include "many.h"

static long place[ALIVE], sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void *run(void *argument) {
    long me = (long)argument;
    place[me] = me;
    all_here();
    pthread_mutex_lock(&mutex);
    sum += place[me];
    pthread_mutex_unlock(&mutex);
    pthread_barrier_wait(&barrier);
    CHECK(place[(me + 1) % ALIVE] == (me + 1) % ALIVE);
    return NULL;
}

int main(void) {
    pthread_barrier_init(&barrier, NULL, ALIVE);
    run_all(run);
    CHECK(sum == (long)ALIVE * (ALIVE - 1) / 2);
    return 0;
}
