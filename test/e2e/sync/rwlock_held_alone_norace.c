/* Locked for reading while the process had one thread, unlocked after another reader came and went: both
 * readers are ordered before the writer. */
#include "test.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    step();
    step();
    return unused;
}

static void *writer(void *unused) {
    step();
    step();
    pthread_rwlock_wrlock(&lock);
    x = y = 2;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    steps(3);
    pthread_rwlock_rdlock(&lock);
    pthread_t a = spawn(reader, NULL), b = spawn(writer, NULL);
    step();
    y = 1;
    pthread_rwlock_unlock(&lock);
    step();
    join(a);
    join(b);
    return 0;
}
