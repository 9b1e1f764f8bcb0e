/* Of one element.
 *
 * EXPECT: ^  Free of size 524288 at .* by thread T1:$
 * EXPECT: ^  Previous write of size 4 at .* by thread T2:$
 * EXPECT: ^deadheat: 1 race reported */
static void last(void);
#include "table.h"

static void last(void) {
    pthread_mutex_lock(&done);
    pthread_mutex_unlock(&done);
    table[N / 2 + 1] = 1;
}
