/* One thread frees what another is still reading, far into the block. */
#include "test.h"

char *block;

static void *first(void *unused) {
    CHECK(block[5000] == 0);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    free(block);
    return unused;
}

int main(void) {
    block = calloc(1, 10000);
    run_two(first, second);
    return 0;
}
// EXPECT: heap block
