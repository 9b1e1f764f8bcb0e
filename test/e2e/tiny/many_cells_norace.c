/* More cells, each last used in an epoch of its own, than there are ids: all ordered by one lock. */
#include "test.h"

enum { CELLS = 2000, THREADS = 4 };
long cells[CELLS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    for (int i = 0; i < CELLS; i++) {
        pthread_mutex_lock(&mutex);
        cells[i]++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn(work, NULL);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    for (int i = 0; i < CELLS; i++)
        CHECK(cells[i] == THREADS);
    return 0;
}
