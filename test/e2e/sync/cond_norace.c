/* A queue of one: condition variables in all their forms. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <time.h>

enum { ITEMS = 1000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int full;
long item, sum;

static void wait_for_change(int way) {
    struct timespec until;
    int result = 0;
    clock_gettime(way % 3 == 1 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &until);
    until.tv_nsec = 0; /* in the past, now and then */
    until.tv_sec += way % 2;
    switch (way % 3) {
    case 0: result = pthread_cond_wait(&changed, &mutex); break;
    case 1: result = pthread_cond_timedwait(&changed, &mutex, &until); break;
    case 2: result = pthread_cond_clockwait(&changed, &mutex, CLOCK_MONOTONIC, &until);
    }
    CHECK(result == 0 || result == ETIMEDOUT);
}

static void *produce(void *unused) {
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        while (full)
            wait_for_change(i);
        item = i;
        full = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *consume(void *unused) {
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&mutex);
        while (!full)
            wait_for_change(i);
        sum += item;
        full = 0;
        pthread_mutex_unlock(&mutex);
        pthread_cond_signal(&changed);
    }
    return unused;
}

int main(void) {
    run_two(produce, consume);
    CHECK(sum == (long)ITEMS * (ITEMS + 1) / 2);
    CHECK(pthread_cond_destroy(&changed) == 0);
    return 0;
}
