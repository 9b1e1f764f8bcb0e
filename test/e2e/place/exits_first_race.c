/* Loops with several ways out: the first access is checked, however far they went.
 *
 * FLAGS: -g
 * EXPECT: ^ *#0 position .*exits.h:21
 * EXPECT: ^ *#0 scan .*exits.h:26
 * EXPECT: ^ *#0 to_the_end .*exits.h:33
 * EXPECT: ^ *#0 breaking .*exits.h:40
 * EXPECT: ^ *#0 breaking_before .*exits.h:50
 * EXPECT: ^ *#0 returning .*exits.h:58
 * EXPECT: ^ *#0 going .*exits.h:67
 * EXPECT: ^ *#0 switching .*exits.h:79
 * EXPECT: ^ *#0 half_a_round .*exits.h:107
 * EXPECT: ^ *#0 half_a_round .*exits.h:109
 * EXPECT: ^ *#0 nested .*exits.h:121
 * EXPECT: ^ *#0 out_of_both .*exits.h:130 */
#include "exits.h"

static void *first(void *unused) {
    (void)unused;
    run_all();
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    node.keys[0] = 0;
    text[0] = 'x';
    by_end[0] = 1;
    by_break[0] = 1;
    by_test[0] = 1;
    by_return[0] = 1;
    by_goto[0] = 1;
    by_switch[0] = 1;
    both[0] = 1;
    both[N / 2] = 1;
    inner_way[0] = 1;
    deep[0] = 1;
    return NULL;
}

int main(void) {
    prepare();
    run_two(first, second);
    return 0;
}
