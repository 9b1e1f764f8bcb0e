/* A trylock that failed, and a timed one that gave up, order nothing. */
#include "test.h"

#include <errno.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *first(void *unused) {
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    step();
    step();
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *second(void *unused) {
    struct timespec past = {0, 0};
    step();
    CHECK(pthread_mutex_trylock(&mutex) == EBUSY);
    CHECK(pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
    x++;
    step();
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
