/* A stale pointer into memory that another thread has been given since. */
#include "test.h"

char volatile *old;

static void *first(void *unused) {
    old = malloc(100);
    old[50] = 1;
    step();
    step();
    old[50] = 2;
    return unused;
}

static void *second(void *unused) {
    step();
    free((void *)old);
    char volatile *new = malloc(100);
    new[50] = 3;
    step();
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
