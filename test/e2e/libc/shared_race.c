/* Calls that share something inside libc are not to be made at once. */
// FLAGS: -D_GNU_SOURCE -D__NO_INLINE__ -fno-builtin -Wno-deprecated-declarations -lm
// ENV: DEADHEAT_OPTIONS=symbolize=0
// LEVELS: -O1
#include "shared.h"

int main(void) {
    prepare();
    CASES_RUN(pairs, 1);
    return 0;
}
