/* One field of each record is written without the lock: every one of them is seen, and no other.
 *
 * EXPECT: ^  Write of size 4 at .*\(struct record\.i\) by thread T2:
 * EXPECT: ^  Write of size 2 at .*\(struct record\.s\) by thread T2:
 * EXPECT: ^  Write of size 1 at .*\(struct record\.[cd]\) by thread T2:
 * EXPECT: \(1024 occurrences\)
 */
#include "fields.h"

static void last(void) { one_of_each(); }
