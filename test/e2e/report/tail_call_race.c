/* What a function does last is still its own: a call into the runtime there is not made a jump, which would leave the
 * report with the caller's line.
 *
 * FLAGS: -g
 * EXPECT: #0 load_last .*tail_call_race.c:13
 * EXPECT: #0 plain .*tail_call_race.c:16 */
#include "test.h"

#include <stdatomic.h>

atomic_int x;
int result;
__attribute__((noinline)) int load_last(atomic_int *p) { return atomic_load_explicit(p, memory_order_relaxed); }

__attribute__((noinline)) void plain(int *p) {
    *p = 1;
}

static void *first(void *unused) {
    (void)unused;
    result = load_last(&x);
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    plain((int *)&x);
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
