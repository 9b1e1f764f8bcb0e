/* In each round one byte, written without the lock, is all that is wrong: whoever looks for it finds it in
 * its range, wherever that is.
 * EXPECT: ^  Previous write of size 1 at .* by thread T1:$
 * EXPECT: ^deadheat: 1 race reported \(60 occurrences\)$
 */
#include "ranges.h"

static void *first(void *unused) {
    scatter(1, 3);
    step();
    for (int i = 0; i < ROUNDS; i++) {
        step();
        pthread_mutex_lock(&lock); /* what the other did in the last round is ordered before this one */
        pthread_mutex_unlock(&lock);
        *(char volatile *)(area + byte_of(i)) = 4;
        step();
    }
    return unused;
}

static void *second(void *unused) {
    step();
    scatter(2, 5);
    for (int i = 0; i < ROUNDS; i++) {
        step();
        step();
        memset(range_of(i), 2, size_of(i));
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
