/* Two threads add to one counter, and nothing orders their additions. */
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 100000 };

static long counter;

static void *count(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++)
        counter++; /* read, add, write: the other thread's addition may come between */
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
