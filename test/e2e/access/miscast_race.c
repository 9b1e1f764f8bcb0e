/* The last byte of each, in the next eight bytes of shadow.
 *
 * EXPECT: #0 .*set_short
 * EXPECT: #0 .*set_int
 * EXPECT: #0 .*set_long */
#include "miscast.h"

_Alignas(16) unsigned char buffer[64];

static void *first(void *unused) {
    set_all(buffer);
    step();
    return unused;
}
static void *second(void *unused) {
    step();
    buffer[8] = 1;
    buffer[25] = 1;
    buffer[42] = 1;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
