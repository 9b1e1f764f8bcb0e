/* memcpy of a racy block: the caller is the frame that counts, and the bytes that race are told.
 * EXPECT: ^  Read of size 64 at 0x[0-9a-f]+ by thread T2:$
 * EXPECT: ^    #[01] second .*memcpy_race\.c:
 * EXPECT: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1:$
 * EXPECT: ^  The race is on 4 bytes at 0x[0-9a-f]+: bytes 20 to 23 of the read, all of the previous write\.$
 */
#include "test.h"

#include <string.h>

int array[16];
size_t volatile whole = sizeof array;

static void *first(void *unused) {
    (void)unused;
    array[5] = 1;
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    int copy[16];
    step();
    memcpy(copy, array, whole);
    return copy[5] == 1 ? NULL : (void *)1;
}

int main(void) {
    run_two(first, second);
    return 0;
}
