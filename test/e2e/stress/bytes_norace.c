/* Every byte is used under its lock: nothing is to be reported, whatever cells go through.
 * LEVELS: -O2
 */
#include "bytes.h"

static void *run(void *argument) {
    storm((long)argument);
    return NULL;
}

int main(void) {
    run_storm(run);
    for (int i = 0; i < WIDTH; i++)
        CHECK(written[i] > 0);
    return 0;
}
