/* An access that is further back than anything that is kept of its thread is still ordered.
 * ENV: DEADHEAT_OPTIONS=history_size=0
 */
#include "test.h"

enum { COUNT = 1 << 16 };
int shared;
static long array[COUNT];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    unsigned place = 1;
    shared = 1;
    for (int i = 0; i < COUNT; i++) {
        place = (place * 1103515245u + 12345u) % COUNT; /* no regular distance */
        array[place]++;
        if (i % 16 == 0) { /* a new epoch */
            pthread_mutex_lock(&mutex);
            pthread_mutex_unlock(&mutex);
        }
    }
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    pthread_mutex_lock(&mutex);
    shared = 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
