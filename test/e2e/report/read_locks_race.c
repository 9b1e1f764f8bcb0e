/* Both sides hold one lock, for reading, and one of them writes: the report says that they do, and why it
 * does not help.
 * EXPECT: ^  Write of size 4 .* by thread T2 \(holding lock M1 \(read\)\):$
 * EXPECT: ^  Previous read of size 4 .* by thread T1 \(holding lock M1 \(read\)\):$
 * EXPECT: ^  Both sides hold M1 \(read, read\), but only for reading: readers do not exclude each other\.$
 */
#include "test.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int shared;
int volatile seen;

static void *first(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    seen = shared;
    step();
    step();
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    pthread_rwlock_rdlock(&lock);
    shared = 2;
    pthread_rwlock_unlock(&lock);
    step();
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
