/* A race in a loop is one race, however often it happens; the last line counts. The lines are those of the
 * accesses, wherever the checks are.
 * EXPECT: ^    #0 second .*loop_race.c:24:18
 * EXPECT: ^    #0 first .*loop_race.c:15:18
 * EXPECT: ^deadheat: 1 race reported \([0-9]+ occurrences?\)$
 */
#include "test.h"

enum { COUNT = 1000 };
int array[COUNT];

static void *first(void *unused) {
    (void)unused;
    for (int i = 0; i < COUNT; i++)
        array[i] = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    for (int i = 0; i < COUNT; i++)
        array[i] = 2;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
