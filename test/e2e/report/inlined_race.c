/* Frames that the compiler inlined are there, marked, and in order.
 * LEVELS: -O2
 * EXPECT: ^    #0 innermost .*inlined_race\.c:14:[0-9]+ \(.*\) \[inlined\]$
 * EXPECT: ^    #1 between .*inlined_race\.c:18:[0-9]+ \(.*\) \[inlined\]$
 * EXPECT: ^    #2 outer .*inlined_race\.c:[0-9]+:[0-9]+ \([^)]*\)$
 * EXPECT: in innermost$
 */
#include "test.h"

long total;
#define INLINE static inline __attribute__((always_inline))

INLINE void innermost(long n) {
    total += n;
}

INLINE void between(long n) {
    innermost(n + 1);
}

static void *outer(void *unused) {
    (void)unused;
    step();
    between(1);
    return NULL;
}

static void *other(void *unused) {
    (void)unused;
    between(2);
    step();
    return NULL;
}

int main(void) {
    run_two(outer, other);
    return 0;
}
