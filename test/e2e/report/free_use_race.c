/* The other way round: a block is used that another thread has freed.
 * EXPECT: ^  Read of size 8 at 0x[0-9a-f]+ by thread T2:$
 * EXPECT: ^  Previous free of size 24 at 0x[0-9a-f]+ by thread T1:$
 * EXPECT: ^  Location is freed heap block of size 24 at 0x[0-9a-f]+, offset 16, allocated by main thread at:$
 */
#include "test.h"

static long *block;
long volatile seen;

static void *first(void *unused) {
    (void)unused;
    free(block);
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    seen = block[2];
    return NULL;
}

int main(void) {
    block = malloc(3 * sizeof(long));
    run_two(first, second);
    return 0;
}
