/* The exact question about an access across two cells (rt/same.h), against what it means, for all masks. */
#include "rt/same.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static uint32_t const id = 5 << 8, other = 6 << 8, all = 0xff;

static bool means(uint32_t first, uint32_t second, uintptr_t a, unsigned size) {
    for (unsigned i = 0; i < size; i++) {
        unsigned byte = (unsigned)(a % CELL) + i;
        uint32_t w = byte < CELL ? first : second;
        if ((w & ids) != id || !(w >> byte % CELL & 1)) return false;
    }
    return true;
}

static void all_masks(void **unused) {
    (void)unused;
    static unsigned const sizes[] = {2, 4, 8};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uintptr_t a = 0; a < CELL; a++)
            for (uint32_t m = 0; m <= 0xffff; m++) {
                unsigned size = sizes[s];
                bool one = a + size <= CELL; /* then both looks are at the same word */
                uint32_t first = id | (m & 0xff), second = one ? first : id | m >> 8;
                assert_int_equal(have_exactly(first, second, id | all, a, size),
                                 means(first, second, a, size));
                assert_false(
                    have_exactly(other | all, one ? other | all : second, id | all, a, size));
                if (!one) assert_false(have_exactly(first, other | all, id | all, a, size));
            }
}

int main(void) {
    struct CMUnitTest const tests[] = {cmocka_unit_test(all_masks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
