/* The same the other way round, and the atomic access finds it.
 * EXPECT: ^  Atomic read of size 4 at 0x[0-9a-f]+ by thread T2:$
 * EXPECT: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1:$
 */
#include "test.h"

int shared;

static void *first(void *unused) {
    (void)unused;
    shared = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    (void)__atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
