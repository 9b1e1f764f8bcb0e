/* 858 threads at once, all of which lock and unlock: nobody starves.
 * LEVELS: -O2 */
#include "test.h"

enum { THREADS = 858, ROUNDS = 50 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long counter;

static void *run(void *unused) {
    step();
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    static pthread_t threads[THREADS];
    steps(THREADS);
    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn(run, NULL);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    CHECK(counter == (long)THREADS * ROUNDS);
    return 0;
}
