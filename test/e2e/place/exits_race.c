/* Loops with several ways out: the last access before each is checked.
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
    node.keys[AT] = AT;
    text[AT] = 'x';
    by_end[AT] = 1;
    by_break[AT] = 1;
    by_test[AT - 1] = 1;
    by_return[AT] = 1;
    by_goto[AT] = 1;
    by_switch[AT] = 1;
    both[AT] = 1;
    both[N / 2 + AT - 1] = 1;
    inner_way[AT / 4 - 1] = 1;
    deep[AT] = 1;
    return NULL;
}

int main(void) {
    prepare();
    run_two(first, second);
    return 0;
}
