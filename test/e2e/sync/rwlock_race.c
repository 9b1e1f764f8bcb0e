/* Readers do not exclude each other, and one's end is not ordered before another's beginning. */
#include "test.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void *first(void *unused) {
    pthread_rwlock_rdlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_rwlock_rdlock(&lock);
    x = 2;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
