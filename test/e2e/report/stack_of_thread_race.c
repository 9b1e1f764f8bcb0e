/* The stack of a thread, at full optimisation, where the variable may have no fixed place: at least whose.
 * EXPECT: stack of thread T1( 'owner')?\.$
 */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

static int *published;

static void *owner(void *unused) {
    (void)unused;
    int local = 0;
    published = &local;
    step();
    step();
    local++;
    step();
    return local != 2 ? (void *)1 : NULL;
}

static void *other(void *unused) {
    (void)unused;
    step();
    int *p = __atomic_load_n(&published, __ATOMIC_RELAXED);
    (*p)++;
    step();
    step();
    return NULL;
}

int main(void) {
    run_two(owner, other);
    return 0;
}
