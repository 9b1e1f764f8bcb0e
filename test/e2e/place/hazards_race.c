/* Hard loops: each byte that they access is checked.
 *
 * EXPECT: with_open_end
 * EXPECT: that_leaves
 * EXPECT: every_second
 * EXPECT: going_back
 * EXPECT: wrapping
 * EXPECT: one_field
 * EXPECT: computed_goto
 * EXPECT: two_ways_in
 * EXPECT: two_pointers
 * EXPECT: spinning */
#include "hazards.h"

/* Caught while it waits. */
int volatile flag;
__attribute__((noinline)) void spinning(void) {
    while (!flag) {}
}

static void *first(void *unused) {
    (void)unused;
    run_all();
    step();
    spinning();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    open_end[end - 1] = 1;
    leaves[stop] = 1;
    odd[N - 1] = 1;
    backward[N / 2 - 2 * (N / 4 - 1)] = 1;
    wraps[3] = 1;
    fields[N - 2].y = 1;
    jumps[N - 2] = 1;
    irreducible[N - 2] = 1;
    aliased[0] = 1;
    flag = 1;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
