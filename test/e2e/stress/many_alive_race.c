/* 4,096 threads alive at once, and a race between the first and the last of them: no slot is too few.
 * LEVELS: -O2
 * EXPECT: of size 4 at 0x[0-9a-f]+ by thread T4096
 * EXPECT: Previous write of size 4 at 0x[0-9a-f]+ by thread T1:$
 * EXPECT: #0 run .*many_alive_race\.c:15
 * EXPECT: Location is global 'shared'
 * EXPECT: 1 race reported
 */
#include "many.h"

int shared;

static void *run(void *argument) {
    long me = (long)argument;
    if (me == 0) shared = 1;
    all_here();
    if (me == ALIVE - 1) shared = 2;
    all_here();
    return NULL;
}

int main(void) {
    run_all(run);
    return shared != 2;
}
