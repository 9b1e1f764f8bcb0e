/* Two mutexes, one variable. */
#include "test.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *first(void *unused) {
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
