/* One of the accesses comes after the unlock. */
#include "test.h"

static pthread_spinlock_t lock;
int x;

static void *first(void *unused) {
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    x = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_spin_lock(&lock);
    x = 2;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    run_two(first, second);
    return 0;
}
