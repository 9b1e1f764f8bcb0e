/* A block is freed while another thread has used it without order. The free is one side of the race.
 * EXPECT: ^  Free of size 24 at 0x[0-9a-f]+ by thread T2:$
 * EXPECT: ^  Previous write of size 8 at 0x[0-9a-f]+ by thread T1:$
 * EXPECT: ^    #[01] second .*free_race\.c:[0-9]+
 * EXPECT: ^    #0 first .*free_race\.c:[0-9]+
 * EXPECT: The race is on 8 bytes at 0x[0-9a-f]+: bytes 8 to 15 of the free, all of the previous write\.
 * EXPECT: ^  Location is heap block of size 24 at 0x[0-9a-f]+, offset 8, allocated by main thread at:$
 */
#include "test.h"

static long *block;

static void *first(void *unused) {
    (void)unused;
    block[1] = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    free(block);
    return NULL;
}

int main(void) {
    block = malloc(3 * sizeof(long));
    run_two(first, second);
    return 0;
}
