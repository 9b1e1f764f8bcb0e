#include "called.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    long sum = use() + use();
    pthread_mutex_unlock(&lock);
    step();
    return (void *)sum;
}

static void *second(void *unused) {
    (void)unused;
    step();
    pthread_mutex_lock(&lock);
    long sum = use_otherwise();
    pthread_mutex_unlock(&lock);
    return (void *)sum;
}

int main(void) {
    run_two(first, second);
    return 0;
}
