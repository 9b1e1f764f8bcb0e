/* A range that was checked ends where it ends: what is beside it belongs to another thread. */
#include "within.h"

static void *second(void *unused) {
    step();
    table[256] = 1;
    swept[0] = swept[COUNT / 2] = 1;
    bytes[COUNT / 2 + 1] = 1;
    wrapped[1] = wrapped[254] = wrapped[256] = 1;
    pairs[0].second = pairs[2].first = 3;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
