/* An atomic access and a plain one: each is called what it is.
 * EXPECT: ^  Write of size 4 at 0x[0-9a-f]+ by thread T2:$
 * EXPECT: ^  Previous atomic write of size 4 at 0x[0-9a-f]+ by thread T1:$
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
