/* The arena and the space that the detectors keep their states in, against plain arrays. */
#include "detect/space.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t state = 7;
static uint32_t below(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

/* ---- arenas ---- */

static void pieces_are_zero_and_come_back(void **unused) {
    struct dh_arena a = {0};
    for (size_t size = 1; size < 100000; size = size * 3 / 2 + 1) {
        unsigned char *p = dh_arena_alloc(&a, size);
        assert_int_equal((uintptr_t)p % DH_ARENA_ALIGN, 0);
        memset(p, 0xee, size);
        dh_arena_return(&a, p, size);
        unsigned char *q = dh_arena_alloc(&a, size);
        assert_ptr_equal(p, q);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(q[i], 0);
    }
    dh_arena_release(&a);
    assert_int_equal(a.held, 0);
}

static void a_copy_brings_everything_back(void **unused) {
    struct dh_arena a = {0};
    struct dh_arena_copy copy = {0};
    unsigned char *p = dh_arena_alloc(&a, 100);
    memset(p, 1, 100);
    dh_arena_save(&a, &copy);
    for (int round = 0; round < 3; round++) {
        memset(p, 2, 100);
        dh_arena_return(&a, p, 100);
        for (int i = 0; i < 100; i++)
            memset(dh_arena_alloc(&a, 5000), 3, 5000);
        dh_arena_restore(&a, &copy);
        for (int i = 0; i < 100; i++)
            assert_int_equal(p[i], 1);
        unsigned char *fresh = dh_arena_alloc(&a, 300);
        for (int i = 0; i < 300; i++)
            assert_int_equal(fresh[i], 0);
        dh_arena_restore(&a, &copy);
    }
    dh_arena_release(&a);
    free(copy.bytes);
}

/* ---- spaces ---- */

enum { CELLS = 3000 };
static uint64_t model[CELLS * 8]; /* a value a byte: all of a cell have the cell's */

static uint64_t base; /* the first address of the model */

static uint64_t set(void *to, uint64_t value, uint64_t address, uint64_t span, unsigned mask) {
    uint64_t at = address - base;
    for (uint64_t i = 0; i < span / 8; i++)
        assert_int_equal(model[at + i * 8], value);
    /* Partial cells are visited with the bytes that are in the range, and nothing else. */
    if (span > 8) assert_int_equal(mask, 0xff);
    uint64_t new = *(uint64_t const *)to + value % 3 + mask;
    for (uint64_t i = 0; i < span; i++)
        model[at + i] = new;
    return new;
}

static void check_all(struct dh_space *space) {
    for (uint64_t i = 0; i < CELLS * 8; i += 8)
        assert_int_equal(dh_space_look(space, base + i), model[i]);
}

static uint64_t walked;
static void walk(void *to, uint64_t value, uint64_t address, uint64_t span) {
    assert_int_not_equal(value, 0);
    for (uint64_t i = 0; i < span; i += 8)
        if (address + i - base < CELLS * 8) assert_int_equal(model[address + i - base], value);
    walked += span / 8;
}

static void random_ranges(uint64_t at) {
    struct dh_arena memory = {0};
    struct dh_space space = {.memory = &memory};
    base = at;
    memset(model, 0, sizeof model);
    for (uint64_t n = 1; n < 1500; n++) {
        uint64_t first = below(CELLS * 8), last = first + below(below(20) ? 40 : CELLS * 8);
        if (last >= CELLS * 8) last = CELLS * 8 - 1;
        uint64_t value = n * 1000;
        switch (below(4)) {
        case 0: dh_space_update(&space, base + first, base + last, set, &value); break;
        case 1: {
            uint64_t *cell = dh_space_cell(&space, base + first);
            assert_int_equal(*cell, model[first]);
            *cell = value;
            for (uint64_t i = 0; i < 8; i++)
                model[first / 8 * 8 + i] = value;
            break;
        }
        case 2:
            if (!dh_space_whole(&first, &last)) break;
            assert_int_equal(first % 8, 0);
            assert_int_equal(last % 8, 7);
            dh_space_clear(&space, base + first, base + last);
            memset(model + first, 0, (last - first + 1) * sizeof *model);
            break;
        default: dh_space_revise(&space, base + first, base + last, set, &value);
        }
        if (n % 50 == 0) check_all(&space);
    }
    check_all(&space);
    uint64_t present = 0;
    for (uint64_t i = 0; i < CELLS * 8; i += 8)
        present += model[i] != 0;
    walked = 0;
    dh_space_walk(&space, walk, NULL);
    assert_int_equal(walked, present);
    dh_arena_release(&memory);
}

static void low_addresses(void **unused) { random_ranges(0); }
static void middle_addresses(void **unused) { random_ranges(UINT64_C(0x7f1234567000)); }
static void the_last_addresses(void **unused) { random_ranges(UINT64_MAX - CELLS * 8 + 1); }
static void across_a_level(void **unused) { random_ranges((UINT64_C(1) << 33) - 8000); }

static uint64_t visits;
static uint64_t visit(void *to, uint64_t value, uint64_t address, uint64_t span, unsigned mask) {
    visits++;
    return 5;
}

static void a_range_of_any_size_is_a_few_values(void **unused) {
    struct dh_arena memory = {0};
    struct dh_space space = {.memory = &memory};
    visits = 0;
    dh_space_update(&space, 3, UINT64_MAX - 3, visit, NULL);
    assert_true(visits < 2 * 64 * 11);
    assert_int_equal(dh_space_look(&space, 1ull << 60), 5);
    *dh_space_cell(&space, 1ull << 60) = 6;
    assert_int_equal(dh_space_look(&space, (1ull << 60) + 8), 5);
    assert_int_equal(dh_space_look(&space, 1ull << 60), 6);
    dh_space_clear(&space, 0, UINT64_MAX);
    assert_int_equal(dh_space_look(&space, 1ull << 60), 0);
    assert_true(memory.held < 1 << 20);
    dh_arena_release(&memory);
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(pieces_are_zero_and_come_back),
        cmocka_unit_test(a_copy_brings_everything_back),
        cmocka_unit_test(low_addresses),
        cmocka_unit_test(middle_addresses),
        cmocka_unit_test(the_last_addresses),
        cmocka_unit_test(across_a_level),
        cmocka_unit_test(a_range_of_any_size_is_a_few_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
