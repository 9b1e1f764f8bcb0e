/* Plain writes, then atomic accesses by another thread that nothing orders: each is a race, also where the same access
 * to the same state was one just before.
 *
 * FLAGS: -g
 * EXPECT: ^ *#0 .*after_plain_race.c:34
 * EXPECT: ^ *#0 .*after_plain_race.c:35
 * EXPECT: ^ *#0 .*after_plain_race.c:36
 * EXPECT: ^ *#0 .*after_plain_race.c:37
 * EXPECT: ^ *#0 .*after_plain_race.c:38
 * EXPECT: ^ *#0 .*after_plain_race.c:39
 * EXPECT: ^ *#0 .*after_plain_race.c:40
 * EXPECT: ^ *#0 .*after_plain_race.c:41
 * EXPECT: ^ *#0 .*after_plain_race.c:42 */
#include "test.h"

#include <stdatomic.h>

long before, values[9], sum;

static void *first(void *unused) {
    (void)unused;
    for (int i = 0; i < 9; i++)
        values[i] = i;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    before = 1; /* from here on the memory around it is shared */
    _Atomic long *v = (_Atomic long *)values;
    long s = 0;
    s += atomic_load_explicit(&v[0], memory_order_relaxed);
    s += atomic_load_explicit(&v[1], memory_order_relaxed);
    s += atomic_load_explicit(&v[2], memory_order_relaxed);
    atomic_store_explicit(&v[3], 1, memory_order_relaxed);
    atomic_store_explicit(&v[4], 1, memory_order_relaxed);
    atomic_store_explicit(&v[5], 1, memory_order_relaxed);
    s += atomic_fetch_add_explicit(&v[6], 1, memory_order_relaxed);
    s += atomic_fetch_add_explicit(&v[7], 1, memory_order_relaxed);
    s += atomic_fetch_add_explicit(&v[8], 1, memory_order_relaxed);
    sum = s;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
