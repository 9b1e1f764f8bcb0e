/* The same with a lock. */
#include "threads/unknown.h"

int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *write_it(void *unused) {
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    step();
    return unused;
}

int main(void) {
    steps(2);
    shared = 1;
    pthread_t thread = spawn_unknown(write_it);
    step();
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    join(thread);
    return 0;
}
