/* The same hundreds of threads between two writes that are ordered. */
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
    pthread_mutex_lock(&mutex);
    between++;
    pthread_mutex_unlock(&mutex);
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    for (int i = 0; i < SHORT; i++)
        join(spawn(come_and_go, NULL)); /* the first of them is ordered after the write */
    x = 2;
    step();
    return unused;
}

int main(void) {
    run_two(first, second);
    CHECK(between == SHORT + 1);
    return 0;
}
