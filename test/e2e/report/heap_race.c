/* A heap block: its size, the offset in it, who allocated it and where.
 * EXPECT: ^  Location is heap block of size 40 at 0x[0-9a-f]+, offset 16, allocated by main thread at:$
 * EXPECT: ^    #[01] make_block .*heap_race\.c:12:
 * EXPECT: ^    #[12] main .*heap_race\.c:[0-9]+:
 * REJECT: freed
 */
#include "test.h"

static long *block;

__attribute__((noinline)) static long *make_block(void) {
    long *made = malloc(5 * sizeof(long));
    made[0] = 0; /* no tail call */
    return made;
}

static void *first(void *unused) {
    (void)unused;
    block[2] = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    block[2] = 2;
    return NULL;
}

int main(void) {
    block = make_block();
    run_two(first, second);
    printf("%ld\n", block[2]);
    free(block);
    return 0;
}
