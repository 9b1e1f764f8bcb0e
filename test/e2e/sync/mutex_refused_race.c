/* An unlock that is refused, because the thread is not the owner, publishes nothing. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <errno.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int x;

static void *first(void *unused) {
    step();
    x = 1;
    CHECK(pthread_mutex_unlock(&mutex) == EPERM);
    step();
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&mutex);
    step();
    step();
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    x = 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
