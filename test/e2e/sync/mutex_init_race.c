/* A mutex that is destroyed and made again is another one, at the same address. */
#include "test.h"

static pthread_mutex_t mutex;
int x;

static void *first(void *unused) {
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    x = 1;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_mutex_init(&mutex, NULL);
    pthread_mutex_lock(&mutex);
    x = 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
