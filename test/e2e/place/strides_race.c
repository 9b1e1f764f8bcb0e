/* One element of a field that the first thread has written, and one of a field that it has read: among many that were
 * said together, these are reported, with their lines.
 *
 * FLAGS: -g
 * EXPECT: ^ *#0 use.* .*strides_race.c:19
 * EXPECT: ^ *#0 use.* .*strides_race.c:20
 * EXPECT: ^ *#0 use.* .*strides_race.c:21
 * EXPECT: ^ *#0 .*fill.* .*strides.h:14
 * EXPECT: ^ *#0 .*fill_other.* .*strides.h:18
 * EXPECT: ^ *#0 .*sum.* .*strides.h:23
 * REJECT: strides_race.c:(17|18): */
struct cell;
static void use(struct cell *p);
#include "strides.h"

static void use(struct cell *p) {
    for (int i = 0; i < N; i++)
        p[i].half = i;
    p[N / 2].yours = 1;
    result += p[N / 3].mine;
    result += p[N / 4].other;
}
