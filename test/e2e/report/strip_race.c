/* strip_path_prefix takes the front off every file name in a report; a pattern that is no prefix does
 * nothing.
 * FLAGS: -ffile-prefix-map=/=/long/way/
 * ENV: DEADHEAT_OPTIONS=strip_path_prefix=/long/way/
 * EXPECT: ^    #0 second [^/].*strip_race\.c:
 * REJECT: /long/way
 */
#include "test.h"

int shared;

static void *first(void *unused) {
    (void)unused;
    shared = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    shared = 2;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
