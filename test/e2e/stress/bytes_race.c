/* The same, and at the end two threads write one byte, and others the bytes beside it: one race.
 * LEVELS: -O2
 * EXPECT: Write of size 1 at 0x[0-9a-f]+ by thread
 * EXPECT: Previous write of size 1 at 0x[0-9a-f]+ by thread
 * EXPECT: 1 race reported
 */
#include "bytes.h"

static void *run(void *argument) {
    long me = (long)argument;
    storm(me);
    cells[CELLS / 2][me == 1 ? 0 : me] = 1;
    return NULL;
}

int main(void) {
    run_storm(run);
    return 0;
}
