/* Sweeps that end in the middle: what they did is checked.
 *
 * EXPECT: #0 that_jumps
 * EXPECT: #0 that_ends
 * EXPECT: #0 that_hangs
 * EXPECT: #0 handler
 * EXPECT: #0 with_assembly
 * EXPECT: #0 from_the_middle
 * EXPECT: #0 sweep
 * EXPECT: #0 before_realloc
 * EXPECT: #0 of_a_block */
#include "ends.h"

static void touch(void) {
    jumped[LAST]++;
    ended[LAST]++;
    hung[LAST]++;
    interrupted[LAST]++;
    assembled[LAST]++;
    middle[LAST - 4]++;
    freed[LAST]++;
    moved[LAST]++;
}

static void touch_block(void) { outlived[LAST]++; }

int main(void) {
    run_all(touch, touch_block);
    return 0;
}
