/* The threads of the last pair race with their first accesses: the report has the stack of the older one, though the
 * ring that it is in has one like it from another thread.
 * ENV: DEADHEAT_OPTIONS=history_size=0
 * EXPECT: ^  Previous write of size 8 at 0x[0-9a-f]+ by thread T199:$
 * EXPECT: ^    #0 mark 
 * REJECT: no longer on record
 */
static long *mark_of(int me, unsigned pair);
#include "threads/generations.h"

static long *mark_of(int me, unsigned pair) {
    return &marks[pair == PAIRS - 1 ? 0 : me][pair];
}

int main(void) { return run_pairs(); }
