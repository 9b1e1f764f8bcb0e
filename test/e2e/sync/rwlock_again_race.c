/* Readers are not ordered among themselves, however often they have read before, and a writer in between
 * does not change that for what came after its turn. */
#include "test.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void read_again(void) {
    for (int i = 0; i < 3; i++) {
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_unlock(&lock);
    }
}

static void *first(void *unused) {
    read_again();
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    read_again();
    x = 1;
    read_again();
    step();
    return unused;
}

static void *second(void *unused) {
    read_again();
    step();
    read_again();
    x = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
