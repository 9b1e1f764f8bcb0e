/* Small blocks are freed, the last byte of each still in use: all of them are found, in each round, by
 * the reads and by the writes.
 *
 * EXPECT: ^deadheat: 2 races reported \(597 occurrences\)$
 */
#include "small.h"

static void turn(void) {}
