/* Loops with several ways out: not an element more than was accessed is checked. */
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
    for (int i = AT + 1; i < N; i++) {
        node.keys[i] = i;
        text[i] = 'y';
        by_end[i] = by_break[i] = by_return[i] = by_goto[i] = by_switch[i] = deep[i] = 1;
    }
    for (int i = AT; i < N; i++)
        by_test[i] = 1;
    for (int i = 0; i < N; i++)
        nothing[i] = 1;
    for (int i = AT + 1; i < N / 2; i++)
        both[i] = 1;
    for (int i = N / 2 + AT; i < N; i++)
        both[i] = 1;
    for (int i = AT / 4; i < N; i++)
        inner_way[i] = 1;
    return NULL;
}

int main(void) {
    prepare();
    run_two(first, second);
    return 0;
}
