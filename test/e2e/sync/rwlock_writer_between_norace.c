/* With a writer in between, a reader's past is ordered before another reader. */
#include "test.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void *first(void *unused) {
    pthread_rwlock_rdlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    step();
    return unused;
}

static void *third(void *unused) {
    step();
    step();
    pthread_rwlock_rdlock(&lock);
    x = 2;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    steps(3);
    pthread_t a = spawn(first, NULL), b = spawn(second, NULL), c = spawn(third, NULL);
    join(a);
    join(b);
    join(c);
    return 0;
}
