/* 858 threads at once, all of which lock and unlock; the first and the last of them race.
 * LEVELS: -O2 */
#include "test.h"

enum { THREADS = 858, ROUNDS = 10 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long counter;
int x;

static void count(void) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
}

static void *run(void *number) {
    long me = (long)number;
    count();
    step();
    if (me == 0) x = 1;
    step();
    if (me == THREADS - 1) x = 2;
    step();
    count();
    return NULL;
}

int main(void) {
    static pthread_t threads[THREADS];
    steps(THREADS);
    for (long i = 0; i < THREADS; i++)
        threads[i] = spawn(run, (void *)i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return x != 2;
}
