/* What is within a range that was checked, and what wraps out of one, is found all the same.
 *
 * EXPECT: #0 .*histogram
 * EXPECT: #0 .*element
 * EXPECT: #0 .*wraps
 * EXPECT: #0 .*narrow
 * EXPECT: #0 .*element_of */
#include "within.h"

static void *second(void *unused) {
    step();
    table[255] = 1;
    swept[5] = 1;
    bytes[0] = 1;
    wrapped[0] = 1;
    pairs[1].second = 3;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
