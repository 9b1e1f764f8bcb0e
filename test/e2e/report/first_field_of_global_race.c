/* The first field of a global struct has its address.
 * EXPECT: at 0x[0-9a-f]+ \(struct settings\.depth\) by thread T2
 * EXPECT: ^  Location is global 'settings' of size 24 at 0x[0-9a-f]+, declared
 */
#include "test.h"

struct settings {
    int depth, colour;
    char const *name;
    long limit;
} settings;

static void *first(void *unused) {
    (void)unused;
    settings.depth = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    settings.depth = 2;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
