/* A byte is written; many ordered writes to the other bytes of its word follow, by many threads; then it is
 * written again, by a thread that is ordered after all of these but not after the first. */
#include "test.h"

enum { BYTES = 8, THREADS = 20 };

static _Alignas(8) char bytes[BYTES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    *(char volatile *)&bytes[0] = 1;
    step();
    step();
    return unused;
}

static void *others(void *number) {
    pthread_mutex_lock(&lock);
    for (int i = 1; i < BYTES; i++)
        bytes[i] += (char)(long)number;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *last(void *unused) {
    step();
    for (long i = 0; i < THREADS; i++)
        join(spawn(others, (void *)i));
    *(char volatile *)&bytes[0] = 2;
    step();
    return unused;
}

int main(void) {
    run_two(first, last);
    return 0;
}
