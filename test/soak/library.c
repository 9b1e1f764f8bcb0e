/* A library that is opened and closed all the time. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls, sums[100];
static _Thread_local long own[10];

__attribute__((constructor)) static void begin(void) { sums[0] = 1; }
__attribute__((destructor)) static void end(void) { sums[0] += calls; }

long library_work(long value);
long library_work(long value) {
    long *block = malloc(sizeof *block);
    *block = value;
    own[value % 10] += *block;
    pthread_mutex_lock(&lock);
    calls++;
    sums[value % 100] += *block;
    pthread_mutex_unlock(&lock);
    free(block);
    return value + own[value % 10] * 0;
}
