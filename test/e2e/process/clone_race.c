/* The child has the race.
 * FLAGS: -D_GNU_SOURCE
 * LEVELS: -O2
 * EXPECT: Location is global 'shared'
 */
#include "process/clone.h"

int shared;

static void *first(void *unused) {
    shared = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    shared = 2;
    return unused;
}

static int work(void *unused) {
    run_two(first, second);
    exit(unused == NULL);
}

int main(void) {
    pthread_t other = spawn(keep_busy, NULL);
    int status = in_clone(work);
    atomic_store(&over, 1);
    join(other);
    return status;
}
