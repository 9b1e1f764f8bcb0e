/* Everything under a lock. */
#include "ranges.h"

static void touch(int round) {
    pthread_mutex_lock(&lock);
    *(char volatile *)(area + byte_of(round)) = 4;
    pthread_mutex_unlock(&lock);
}

static void use_locked(int round) {
    pthread_mutex_lock(&lock);
    use(round);
    pthread_mutex_unlock(&lock);
}

static void *first(void *unused) {
    scatter(1, 3);
    for (int i = 0; i < ROUNDS; i++) {
        step();
        touch(i);
        step();
        use_locked(i);
    }
    return unused;
}

static void *second(void *unused) {
    scatter(2, 5);
    for (int i = 0; i < ROUNDS; i++) {
        step();
        step();
        use_locked(i);
    }
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
