/* A lock that is destroyed and made again is another one, at the same address. */
#include "test.h"

static pthread_rwlock_t lock;
int x;

static void *first(void *unused) {
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_wrlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_wrlock(&lock);
    x = 2;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
