/* Sweeps that end in the middle: not a byte more than they accessed is checked, and memory that is somebody else's
 * by then is not. */
#include "ends.h"

static void touch(void) {
    jumped[LAST + 1]++;
    ended[LAST + 1]++;
    hung[LAST + 1]++;
    interrupted[LAST + 1]++;
    interrupted[8]++;
    assembled[LAST + 1]++;
    middle[LAST - 5]++;
    middle[LAST + 1]++;
}

/* What was freed may be had again, and is the new owner's. */
static void touch_block(void) {
    for (int i = 0; i < 64; i++) {
        int *again = malloc(N * sizeof *again);
        CHECK(again);
        memset(again, 0, N * sizeof *again);
        free(again);
    }
}

int main(void) {
    run_all(touch, touch_block);
    return 0;
}
