/* A deep stack is cut, and says so; the race is still one.
 * EXPECT: ^    #0 descend .*recursion_race\.c:
 * EXPECT: ^    #63 descend
 * EXPECT: ^    \[more frames, not on record\]$
 * EXPECT: ^deadheat: 1 race reported
 * REJECT: ^    #64
 * LEVELS: -O0
 */
#include "test.h"

int shared;

static int descend(int depth) {
    if (depth == 0) return shared++;
    return descend(depth - 1) + 1;
}

static void *first(void *unused) {
    (void)unused;
    descend(200);
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    descend(200);
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
