/* Two races of two variables on two lines are two reports, and the last line counts both.
 * EXPECT: Location is global 'apples'
 * EXPECT: Location is global 'pears'
 * EXPECT: ^deadheat: 2 races reported \(2 occurrences\)$
 */
#include "test.h"

int apples, pears;

static void *first(void *unused) {
    (void)unused;
    apples = 1;
    pears = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    apples = 2;
    pears = 2;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
