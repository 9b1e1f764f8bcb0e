/* An array is read in one sweep, then here and there, again and again, in the same epoch: what is on record
 * of it as a whole must be, and stay, on record of its parts; and nothing else. */
#include "test.h"

enum { COUNT = 1024, VISITS = 40, WRITTEN = 300, VISITED = 600, NEAR = 100 };
_Alignas(1024) long longs[COUNT];

__attribute__((noinline)) static long sweep(void) {
    long sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += longs[i];
    return sum;
}

__attribute__((noinline)) static long get(int i) { return longs[i]; }
__attribute__((noinline)) static void put(int i, long value) { longs[i] = value; }

/* One write, and reads of what was read before. */
static long visit(void) {
    long sum = sweep();
    put(WRITTEN, sum);
    for (int i = 0; i < VISITS; i++)
        sum += get(VISITED + i * 37 % NEAR);
    return sum;
}
