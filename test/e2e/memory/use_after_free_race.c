/* The other way about: a use that comes after the free, and is not ordered with it. */
#include "test.h"

char volatile *block;

static void *first(void *unused) {
    free((void *)block);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    block[300] = 1;
    return unused;
}

int main(void) {
    block = malloc(1000);
    run_two(first, second);
    return 0;
}
