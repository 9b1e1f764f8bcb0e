/* The same, with a mutex: each addition is ordered before or after each of the other thread's. */
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 100000 };

static long counter;
static pthread_mutex_t counter_mutex = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&counter_mutex);
        counter++;
        pthread_mutex_unlock(&counter_mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("counted %ld of %d\n", counter, 2 * ROUNDS);
    return 0;
}
