/* The classic: the waiter is inside its wait, the writer has no mutex at all. */
#include "test.h"

#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int x;

static void *first(void *unused) {
    step();
    pthread_mutex_lock(&mutex); /* now it waits */
    pthread_mutex_unlock(&mutex);
    x = 1;
    pthread_cond_signal(&changed);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&mutex);
    step();
    pthread_cond_wait(&changed, &mutex);
    x = 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
