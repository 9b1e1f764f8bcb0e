/* Two sweeps whose checks stand before their loops meet in one element each time. The report is of the element's
 * access, not of the sweep's whole range. Which of the two sides comes first depends on when checks are made.
 * EXPECT: ^  .*rite of size 4 at .* by thread T2:$
 * EXPECT: ^    #0 upwards .*runs_race.c:21:
 * EXPECT: ^  .*rite of size 2 at .* by thread T2:$
 * EXPECT: ^    #0 downwards .*runs_race.c:26:
 * EXPECT: ^  Read of size 8 at .* by thread T2:$
 * EXPECT: ^    #0 striding .*runs_race.c:32:
 * EXPECT: global 'ints' of size 4004 at .*, offset 2000,
 * EXPECT: ^deadheat: 3 races reported
 */
#include "test.h"

enum { COUNT = 1001 };
int ints[COUNT];
short shorts[COUNT];
long longs[COUNT];

__attribute__((noinline)) static void upwards(int from, int to, int step) {
    for (int i = from; i < to; i += step)
        ints[i] = i;
}

__attribute__((noinline)) static void downwards(int from, int to) {
    for (int i = to; i-- > from;)
        shorts[i] = (short)i;
}

__attribute__((noinline)) static long striding(int from) {
    long sum = 0;
    for (int i = from; i < COUNT; i += 7)
        sum += longs[i];
    return sum;
}

static void *first(void *unused) {
    (void)unused;
    upwards(0, 501, 1);
    downwards(0, 501);
    longs[7 * 20 + 3] = 1;
    longs[7 * 20 + 4] = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    upwards(500, COUNT, 1);
    downwards(500, COUNT);
    return (void *)striding(3);
}

int main(void) {
    run_two(first, second);
    return 0;
}
