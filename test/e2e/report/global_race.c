/* A global variable: its name, size and declaration; both stacks; both threads and where they were made;
 * the summary lines.
 * EXPECT: ^  Write of size 4 at 0x[0-9a-f]+ by thread T2:$
 * EXPECT: ^    #0 second .*global_race\.c:[0-9]+:13 \(global_race\+0x[0-9a-f]+\)$
 * EXPECT: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1:$
 * EXPECT: ^    #0 first .*global_race\.c:[0-9]+:13 \(global_race\+0x[0-9a-f]+\)$
 * EXPECT: ^  Location is global 'counter' of size 4 at 0x[0-9a-f]+, declared at .*global_race\.c:22 \(
 * EXPECT: ^  Neither side holds a lock\.$
 * EXPECT: ^  Thread T2 \(tid=[0-9]+, running\) created by main thread at:$
 * EXPECT: ^  Thread T1 \(tid=[0-9]+, (running|finished)\) created by main thread at:$
 * EXPECT: ^    #[01] run_two .*test\.h:[0-9]+
 * EXPECT: ^    #[12] main .*global_race\.c:[0-9]+
 * EXPECT: ^  Fingerprint: [0-9a-f]{16}$
 * EXPECT: ^SUMMARY: Deadheat: data race .*global_race\.c:[0-9]+:13 in second$
 * EXPECT: ^deadheat: 1 race reported \(1 occurrence\)$
 * REJECT: The race is on
 * REJECT: \[inlined\].*\[inlined\]
 * REJECT: no longer on record
 */
#include "test.h"

int counter;

static void *first(void *unused) {
    (void)unused;
    counter = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    counter = 2;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
