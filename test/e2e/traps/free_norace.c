/* A use far into a block, a free that is ordered after it, and the memory used again by whoever gets it. */
#include "test.h"

#include <malloc.h>

enum { SIZES = 3 };
static size_t const sizes[SIZES] = {4000, 1 << 20, 5 << 20};
static char volatile *blocks[SIZES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    for (int i = 0; i < SIZES; i++)
        for (size_t at = 0; at < sizes[i]; at += 1024)
            blocks[i][at] = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    step();
    step();
    for (int i = 0; i < SIZES; i++) {
        char volatile *again = malloc(sizes[i]);
        for (size_t at = 0; at < sizes[i]; at += 1024)
            again[at] = 1;
        free((void *)again);
    }
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < SIZES; i++)
        free((void *)blocks[i]);
    step();
    return unused;
}

int main(void) {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, 100 << 20);
    for (int i = 0; i < SIZES; i++)
        blocks[i] = malloc(sizes[i]);
    run_two(first, second);
    return 0;
}
