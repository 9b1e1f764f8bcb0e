/* With report_atomic_races=0 such a race is not reported.
 * ENV: DEADHEAT_OPTIONS=report_atomic_races=0
 */
#include "test.h"

int shared;

static void *first(void *unused) {
    (void)unused;
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
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
