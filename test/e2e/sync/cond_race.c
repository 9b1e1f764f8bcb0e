/* A signal orders nothing: what was written outside the mutex is not seen through it. */
#include "test.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready, x;

static void *first(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    x = 1;
    pthread_cond_signal(&changed);
    step();
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    step();
    x = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
