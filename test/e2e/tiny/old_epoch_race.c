/* A write in an early epoch, thousands of epochs by both threads afterwards, and then the other access. */
#include "test.h"

int x;
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int busy[2];

static void many_epochs(int own) {
    for (int i = 0; i < 5000; i++) {
        pthread_mutex_lock(&mutex[own]);
        busy[own]++;
        pthread_mutex_unlock(&mutex[own]);
    }
}

static void *first(void *unused) {
    x = 1;
    many_epochs(0);
    step();
    return unused;
}

static void *second(void *unused) {
    many_epochs(1);
    step();
    x = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
