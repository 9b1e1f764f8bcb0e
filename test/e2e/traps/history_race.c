/* The first access is further back than anything that is kept of its thread, and still the race is
 * reported; what is missing is said.
 * ENV: DEADHEAT_OPTIONS=history_size=0
 * EXPECT: ^  Previous write at 0x[0-9a-f]+ by thread T1:$
 * EXPECT: ^    \[stack no longer on record\]$
 * EXPECT: ^  The locks held by the previous access are no longer on record\.$
 */
#include "test.h"

enum { COUNT = 1 << 16 };
int shared;
static long array[COUNT];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    (void)unused;
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
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    shared = 2;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
