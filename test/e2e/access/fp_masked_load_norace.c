/* A known gap: LLVM replaces a masked load by a whole one and a select where it sees that all the memory is
 * there (InstCombine, before checks are placed): lanes are read that the program does not read. */
// LEVELS: -O2
// FLAGS: -mavx
#include "test.h"

#include <immintrin.h>

int lanes[4];
__m128i result;

static void *first(void *unused) {
    result = _mm_castps_si128(_mm_maskload_ps((float *)lanes, _mm_setr_epi32(0, -1, -1, 0)));
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    lanes[0] = 1;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
