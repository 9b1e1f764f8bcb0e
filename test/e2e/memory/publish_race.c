/* A new block is published without order: even reading what calloc wrote is a race. */
#include "test.h"

int *volatile published;

static void *first(void *unused) {
    published = calloc(100, sizeof *published);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    CHECK(published[50] == 0);
    return unused;
}

int main(void) {
    run_two(first, second);
    free(published);
    return 0;
}
