/* The table of gathers (rt/gathers.h) against what it stands for, and the question that compiled code asks it. */
#include "rt/gathers.h"
#include "rt/same.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

void *dh_fill(void *to, int byte, size_t size) { return memset(to, byte, size); }

static struct dh_gathers table;
static uintptr_t const base = 0x7f1234500000, stands_for = 8ul * DH_GATHER_CELLS * DH_GATHER_WORDS;

static bool has(uint32_t gathering, uintptr_t a) {
    return gather_has(table.words[gather_place(a)], gathering, a);
}

/* What was put is there, its neighbours, and what has its place, are not; nor are addresses within. */
static void says_what_was_put(void **unused) {
    (void)unused;
    uint32_t g = dh_gathers_begin(&table);
    for (uintptr_t a = base; a < base + stands_for; a += 24)
        assert_true(dh_gathers_put(&table, g, a));
    for (uintptr_t a = base; a < base + stands_for; a += 8) {
        assert_int_equal(has(g, a), (a - base) % 24 == 0);
        for (unsigned i = 1; i < 8; i++)
            assert_false(has(g, a + i));
        assert_false(has(0, a));
        for (unsigned bit = 19; bit < 47; bit++)
            assert_false(has(g, a ^ (uintptr_t)1 << bit));
    }
    assert_int_equal(table.credit, DH_GATHER_CREDIT);
    /* Another takes the place of all that the word had. */
    assert_true(dh_gathers_put(&table, g, base + stands_for));
    assert_true(has(g, base + stands_for));
    assert_false(has(g, base));
    assert_false(has(g, base + 24));
    assert_int_equal(table.credit, DH_GATHER_CREDIT - DH_GATHER_COST);
}

/* None says anything of another, also when they return; 0 and an empty word never do. */
static void generations(void **unused) {
    (void)unused;
    for (unsigned i = 0; i < 3 * DH_GATHER_GENERATIONS; i++) {
        uint32_t g = dh_gathers_begin(&table);
        uintptr_t mine = base + 8 * (uintptr_t)(i + 1);
        assert_true(g >> DH_GATHER_ADDRESS_BITS != 0);
        for (uintptr_t a = base; a < base + stands_for; a += 8)
            assert_false(has(g, a));
        assert_true(dh_gathers_put(&table, g, mine));
        assert_true(has(g, mine));
        assert_false(has(0, mine));
        assert_false(has(g, 0));
    }
}

/* Twice what the table stands for, all over: soon given up. As much as it stands for: never. */
static bool pays(uintptr_t size) {
    uint32_t g = dh_gathers_begin(&table);
    uint64_t random = 1;
    for (unsigned i = 0; i < 200000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (!dh_gathers_put(&table, g, base + random / 65536 % size / 8 * 8)) return false;
    }
    return true;
}
static void gives_up(void **unused) {
    (void)unused;
    assert_true(pays(stands_for));
    assert_false(pays(2 * stands_for));
    assert_int_equal(table.credit, 0);
    assert_false(pays(64 * stands_for));
    assert_true(pays(stands_for / 2));
}

int main(void) {
    struct CMUnitTest const tests[] = {cmocka_unit_test(says_what_was_put),
                                       cmocka_unit_test(generations), cmocka_unit_test(gives_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
