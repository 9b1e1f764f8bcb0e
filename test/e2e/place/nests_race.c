/* Loops in loops, and runs side by side: each byte that they access is checked.
 *
 * EXPECT: same_again
 * EXPECT: if_any
 * EXPECT: row_by_row
 * EXPECT: with_gaps
 * EXPECT: shrinking
 * EXPECT: once
 * EXPECT: overlapping
 * EXPECT: one_place
 * EXPECT: positions
 * EXPECT: from_the_end
 * EXPECT: blocks_of_eight
 * EXPECT: two_of_four
 * EXPECT: down_by_two
 * EXPECT: up_by_three */
#include "nests.h"

static void *first(void *unused) {
    (void)unused;
    run_all();
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    keys[10] = 1;
    behind_guard[N / 2 - 1] = 1;
    rows[N - 2][M - 1] = 1;
    gaps[N - 1][M - 1] = 1;
    triangle[N - 11] = 1;
    first_only[3] = 1;
    window[N / 2 + M - 2] = 1;
    still = 1;
    particles[N - 2].at.z = 1;
    reversed[0].speed.z = 1;
    text[8 * (N - 1) - 1] = 1;
    apart[4 * N - 2] = 1;
    down[N - 3] = down_once[2] = 1;
    up[1] = 1;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
