/* Threads in pairs, one pair after the other: what a thread remembers, and the ring of its history, go on to the next
 * ones. Each makes more events than the copy of a short history has room for (but for every fifth pair), reads what
 * both read in epoch after epoch, and makes atomic accesses that many cells share. The first access of each thread is
 * from the same place, a regular distance further from pair to pair. */
#include "test.h"

#include <stdatomic.h>

enum { PAIRS = 100, EPOCHS = 150, CELLS = 64 };

long marks[2][PAIRS];
static long read_by_both[CELLS];
static int halves[2][2 * CELLS];
static _Atomic int flags[CELLS];
static pthread_mutex_t own_locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static unsigned pair;

static __attribute__((noinline)) void mark(long *p) { *p += 1; }

static long work(int me, unsigned epochs) {
    long sum = 0;
    unsigned place = 1;
    for (unsigned i = 0; i < epochs; i++) {
        pthread_mutex_lock(&own_locks[me]);
        for (int n = 0; n < 4; n++) {
            place = (place * 1103515245u + 12345u) % CELLS; /* no regular distance */
            sum += read_by_both[place];
            halves[me][2 * place + n % 2]++;
            sum += halves[me][2 * place];
            sum += atomic_load_explicit(&flags[place], memory_order_relaxed);
            atomic_fetch_or_explicit(&flags[CELLS - 1 - place], 1 << me, memory_order_relaxed);
        }
        pthread_mutex_unlock(&own_locks[me]);
    }
    return sum;
}

/* The first accesses come one after the other. */
static void *live(void *number) {
    int me = (int)(long)number;
    unsigned const now = pair;
    if (me == 1) step();
    mark(mark_of(me, now));
    if (me == 0) step();
    return (void *)work(me, now % 5 == 4 ? 3 : EPOCHS);
}

static int run_pairs(void) {
    for (pair = 0; pair < PAIRS; pair++) {
        steps(2);
        for (int i = 0; i < CELLS; i++)
            read_by_both[i] = i;
        pthread_t first = spawn(live, (void *)0), second = spawn(live, (void *)1);
        join(first);
        join(second);
    }
    for (int i = 0; i < CELLS; i++)
        CHECK(flags[i] <= 3);
    return 0;
}
