/* Two fields that the first thread reads, and one that it writes, among many that are judged alike.
 *
 * FLAGS: -g
 * EXPECT: ^  Write of size 4 at .* by thread T2:$
 * EXPECT: ^ *#0 .*sum_small.* .*alike.h:28
 * EXPECT: ^ *#0 .*sum_large.* .*alike.h:34
 * EXPECT: ^ *#0 .*clear.* .*alike.h:39
 * EXPECT: ^ *#0 use.* .*alike_race.c:15
 * EXPECT: ^ *#0 use.* .*alike_race.c:16
 * EXPECT: ^ *#0 use.* .*alike_race.c:17 */
static void use(void);
#include "alike.h"

static void use(void) {
    smalls[N / 2].value = 1;
    larges[N / 3].y = 1;
    CHECK(smalls[N / 4].value == 0);
}
