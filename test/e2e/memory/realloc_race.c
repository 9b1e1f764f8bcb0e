/* realloc is a write to the whole block, even if it stays where it is. */
#include "test.h"

char *block;

static void *first(void *unused) {
    CHECK(block[500] == 0);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    block = realloc(block, 990);
    return unused;
}

int main(void) {
    block = calloc(1, 1000);
    run_two(first, second);
    free(block);
    return 0;
}
