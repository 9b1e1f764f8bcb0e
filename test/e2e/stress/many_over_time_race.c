/* 20,000 threads one after the other, 20 at a time. The first and the last of them write one variable, and
 * nothing orders them: the first is joined at the very end. Its write is still known when thousands have come
 * and gone; its stack need not be.
 * LEVELS: -O2
 * EXPECT: by thread T20000
 * EXPECT: Previous write( of size 4)? at 0x[0-9a-f]+ by thread T1:
 * EXPECT: Location is global 'shared'
 * EXPECT: 1 race reported
 */
#include "test.h"

enum { BATCH = 20, BATCHES = 1000 };

int shared;
static unsigned volatile written;

static void *write_first(void *unused) {
    (void)unused;
    shared = 1;
    __tsan_testonly_barrier_wait(&written);
    return NULL;
}

static void *write_last(void *unused) {
    (void)unused;
    shared = 2;
    return NULL;
}

static void *nothing(void *own) {
    *(int *)own = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[BATCH];
    int own[BATCH];
    __tsan_testonly_barrier_init(&written, 2);
    pthread_t first = spawn(write_first, NULL);
    __tsan_testonly_barrier_wait(&written);
    int made = 1;
    for (int batch = 0; batch < BATCHES; batch++) {
        int count = 0;
        for (; count < BATCH && made < BATCH * BATCHES; count++, made++)
            threads[count] = made == BATCH * BATCHES - 1 ? spawn(write_last, NULL)
                                                         : spawn(nothing, &own[count]);
        while (count > 0)
            join(threads[--count]);
    }
    join(first);
    return shared != 2;
}
