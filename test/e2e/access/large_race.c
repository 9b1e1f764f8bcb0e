/* A large block, born as a whole, whose parts different threads have used: only one byte is used by two. */
#include "test.h"

enum { SIZE = 3 << 20, AT = (1 << 20) + 77 };

static char volatile *block;

static void *first(void *unused) {
    for (int i = 0; i <= AT; i += 7)
        block[i] = 1;
    block[AT] = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    for (int i = AT; i < SIZE; i += 7)
        block[i] = 1;
    return unused;
}

int main(void) {
    block = malloc(SIZE);
    run_two(first, second);
    free((void *)block);
    return 0;
}
