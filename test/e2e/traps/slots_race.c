/* A write; then hundreds of short threads come and go; then the other write. */
#include "test.h"

enum { SHORT = 600 };

int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int between;

static void *come_and_go(void *unused) {
    pthread_mutex_lock(&mutex);
    between++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *first(void *unused) {
    x = 1;
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    for (int i = 0; i < SHORT; i++)
        join(spawn(come_and_go, NULL));
    x = 2;
    step();
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
