/* Accesses of different sizes that overlap: the report says on which bytes.
 * EXPECT: ^  Read of size 2 at 0x[0-9a-f]+ by thread T2:$
 * EXPECT: ^  Previous write of size 8 at 0x[0-9a-f]+ by thread T1:$
 * EXPECT: ^  The race is on 2 bytes at 0x[0-9a-f]+: all of the read, bytes 4 to 5 of the previous write\.$
 * EXPECT: ^  Location is global 'word' of size 8 at 0x[0-9a-f]+, offset 4, declared at .*part_race\.c:9
 */
#include "test.h"

union { unsigned long whole; unsigned short parts[4]; } word;
unsigned short volatile seen;

static void *first(void *unused) {
    (void)unused;
    word.whole = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    seen = word.parts[2];
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
