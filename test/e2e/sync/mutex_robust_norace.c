/* The owner of a robust mutex ends, and the next one takes over what it left. */
#include "test.h"

#include <errno.h>

static pthread_mutex_t mutex, other;
int x, y;

static void *first(void *unused) {
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&mutex);
    x = y = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    CHECK(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    x++;
    CHECK(pthread_mutex_consistent(&mutex) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_mutex_lock(&other) == EOWNERDEAD);
    CHECK(x == 2 && y == 1);
    CHECK(pthread_mutex_unlock(&other) == 0);
    CHECK(pthread_mutex_lock(&other) == ENOTRECOVERABLE);
    return unused;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    CHECK(pthread_mutex_init(&mutex, &attr) == 0);
    CHECK(pthread_mutex_init(&other, &attr) == 0);
    run_two(first, second);
    return 0;
}
