/* The same by two threads in turn, with a lock; and by two at once, of what nobody writes. */
#include "visits.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    long sum = 0;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        sum += visit();
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    put(VISITED, sum);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *reads(void *unused) {
    long sum = sweep();
    step();
    for (int i = 0; i < VISITS; i++)
        sum += get(VISITED + i * 37 % NEAR);
    return sum == 1 ? NULL : unused;
}

int main(void) {
    run_two(work, work);
    run_two(reads, reads);
    return 0;
}
