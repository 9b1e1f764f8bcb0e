/* What one pair of threads did is ordered before the next: nothing that was remembered then is taken for the next one's.
 * ENV: DEADHEAT_OPTIONS=history_size=0
 */
static long *mark_of(int me, unsigned pair);
#include "threads/generations.h"

static long *mark_of(int me, unsigned pair) { return &marks[me][pair]; }

int main(void) { return run_pairs(); }
