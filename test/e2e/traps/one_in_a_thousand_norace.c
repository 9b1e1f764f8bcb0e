/* The same with a lock: silence, every time. */
#include "one_in_a_thousand.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *body(void *unused) {
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    for (int i = 0; i < ROUNDS; i++)
        CHECK(status_of(body) == 0);
    return 0;
}
