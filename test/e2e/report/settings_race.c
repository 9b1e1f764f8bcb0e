/* Of an access that is among the last few thousand everything is known, though the locks and stacks of as
 * many others were written down since, each in an epoch of its own: in the places of older ones only.
 * ENV: DEADHEAT_OPTIONS=history_size=0
 * EXPECT: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1 \(holding lock M1 \(write\)\):$
 * EXPECT: ^    #0 marked .*settings_race\.c:[0-9]+
 * EXPECT: ^    #1 first .*settings_race\.c:[0-9]+
 * EXPECT: ^  Lock M1 'the_lock' at 0x[0-9a-f]+ taken by thread T1 at:$
 * REJECT: no longer on record
 */
#include "test.h"

enum { COUNT = 1 << 12 };
int shared;
static long array[COUNT];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER;

/* At no regular distance. */
static unsigned next(unsigned place) { return (place * 1103515245u + 12345u) % COUNT; }

static unsigned epochs(unsigned place, int count, int accesses) {
    for (int i = 0; i < count; i++) {
        pthread_mutex_lock(&mutex);
        for (int k = 0; k < accesses; k++) {
            place = next(place);
            array[place] = i;
        }
        pthread_mutex_unlock(&mutex);
    }
    return place;
}

__attribute__((noinline)) static void marked(void) {
    pthread_mutex_lock(&the_lock);
    shared = 1;
    pthread_mutex_unlock(&the_lock);
}

static void *first(void *unused) {
    (void)unused;
    unsigned place = epochs(1, 3000, 1);
    place = epochs(place, 20000, 3);
    marked();
    epochs(place, 2500, 1);
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
