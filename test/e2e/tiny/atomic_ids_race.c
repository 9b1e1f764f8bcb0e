/* A thread remembers what its atomic loads made of plain states (rt/rolls.h). The ids in those are soon somebody
 * else's: each of these loads races all the same. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
// EXPECT: \(60 occurrences\)
#include "test.h"

#include <stdatomic.h>

enum { COUNT = 60, EPOCHS = 600 };
static _Atomic long before[COUNT], after[COUNT];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void next_epoch(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void __attribute__((noinline)) load_all(_Atomic long *p) {
    for (int i = 0; i < COUNT; i++)
        (void)atomic_load_explicit(&p[i], memory_order_relaxed);
}

static void *load(void *unused) {
    load_all(before); /* in order: this thread was made after the writes */
    step();
    step();
    load_all(after);
    return unused;
}
static void *nothing(void *unused) { return unused; }

int main(void) {
    join(spawn(nothing, NULL)); /* from here on there are epochs */
    for (int i = 0; i < COUNT; i++) {
        next_epoch();
        *(long volatile *)&before[i] = 1;
    }
    steps(2);
    pthread_t other = spawn(load, NULL);
    step();
    for (int i = 0; i < EPOCHS; i++) {
        next_epoch();
        *(long volatile *)&after[i % COUNT] = 1;
    }
    step();
    join(other);
    return 0;
}
