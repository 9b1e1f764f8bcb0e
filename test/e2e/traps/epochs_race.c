/* A write, millions of releases in the process, and then the other write.
 * LEVELS: -O2 */
#include "test.h"

enum { RELEASES = 4500000 };

int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count;

static void *first(void *unused) {
    x = 1;
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    for (int i = 0; i < RELEASES; i++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    x = 2;
    step();
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
