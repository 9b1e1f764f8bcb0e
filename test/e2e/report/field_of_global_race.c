/* A field of a global struct: the variable and the field.
 * EXPECT: at 0x[0-9a-f]+ \(struct settings\.limit\) by thread T2
 * EXPECT: ^  Location is global 'settings' of size 24 at 0x[0-9a-f]+, offset 16
 */
#include "test.h"

struct settings {
    char const *name;
    int colour, depth;
    long limit;
} settings;

static void *first(void *unused) {
    (void)unused;
    settings.limit = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    settings.limit = 2;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
