/* Cancelled in a wait, a thread has the mutex again when its cleanup handlers run. */
#include "test.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
int x;

static void unlock(void *unused) {
    (void)unused;
    x++;
    pthread_mutex_unlock(&mutex);
}

static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    x++;
    step();
    pthread_cleanup_push(unlock, NULL);
    for (;;)
        pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

static void *worker(void *waiting) {
    step();
    pthread_mutex_lock(&mutex);
    x++;
    pthread_cancel(*(pthread_t *)waiting);
    pthread_mutex_unlock(&mutex);
    for (int done = 0; !done;) {
        pthread_mutex_lock(&mutex);
        done = x >= 3;
        x += done;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    steps(2);
    pthread_t waiting = spawn(waiter, NULL), working = spawn(worker, &waiting);
    join(working);
    join(waiting);
    CHECK(x == 4);
    return 0;
}
