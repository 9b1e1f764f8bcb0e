/* Pieces against what they stand for: the cells of a block, one by one. */
#include "rt/pieces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RUNS = 2000, STEPS = 60 };

static unsigned long state;
static unsigned pick(unsigned n) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

static void assert_same(struct dh_pieces const *p, dh_cell const *cells) {
    assert_true(p->count >= 1 && p->count <= DH_PIECES_MAX);
    assert_int_equal(p->start[0], 0);
    for (uint32_t i = 1; i < p->count; i++) {
        assert_true(p->start[i] > p->start[i - 1]);
        assert_true(p->cell[i] != p->cell[i - 1]);
    }
    for (uint32_t c = 0; c < DH_BLOCK_CELLS; c++) {
        uint32_t i = dh_piece_of(p, c);
        assert_true(p->start[i] <= c && c < dh_piece_end(p, i));
        assert_true(p->cell[i] == cells[c]);
    }
}

static uint32_t pieces_of(dh_cell const *cells) {
    uint32_t count = 1;
    for (uint32_t c = 1; c < DH_BLOCK_CELLS; c++)
        count += cells[c] != cells[c - 1];
    return count;
}

/* A change is refused exactly if there would be too many pieces, and then nothing has changed. */
static void cells_are_put(void **unused) {
    (void)unused;
    for (unsigned run = 0; run < RUNS; run++) {
        struct dh_pieces p;
        dh_cell cells[DH_BLOCK_CELLS], next[DH_BLOCK_CELLS];
        unsigned states = 1 + pick(6), longest = 1 + pick(DH_BLOCK_CELLS);
        dh_pieces_begin(&p, 7);
        for (uint32_t c = 0; c < DH_BLOCK_CELLS; c++)
            cells[c] = 7;
        for (unsigned step = 0; step < STEPS; step++) {
            uint32_t from = pick(DH_BLOCK_CELLS), to = from + 1 + pick(longest);
            dh_cell cell = pick(10) == 0 ? DH_PIECE_FINE : pick(states);
            if (to > DH_BLOCK_CELLS) to = DH_BLOCK_CELLS;
            for (uint32_t c = 0; c < DH_BLOCK_CELLS; c++)
                next[c] = c >= from && c < to ? cell : cells[c];
            bool fits = pieces_of(next) <= DH_PIECES_MAX;
            assert_int_equal(dh_pieces_put(&p, from, to, cell), fits);
            for (uint32_t c = 0; fits && c < DH_BLOCK_CELLS; c++)
                cells[c] = next[c];
            assert_same(&p, cells);
            bool fine = false;
            for (uint32_t c = 0; c < DH_BLOCK_CELLS; c++)
                fine |= cells[c] == DH_PIECE_FINE;
            assert_int_equal(dh_pieces_any_fine(&p), fine);
        }
    }
}

/* The same of some cells of one piece, by the way that sweeps take. */
static void cells_are_swept(void **unused) {
    (void)unused;
    for (unsigned run = 0; run < RUNS; run++) {
        struct dh_pieces p;
        dh_cell cells[DH_BLOCK_CELLS], next[DH_BLOCK_CELLS];
        unsigned states = 2 + pick(12);
        dh_pieces_begin(&p, 7);
        for (uint32_t c = 0; c < DH_BLOCK_CELLS; c++)
            cells[c] = 7;
        for (unsigned step = 0; step < STEPS; step++) {
            uint32_t i = pick(2) == 0 ? p.count - 1 : pick(p.count);
            uint32_t from = p.start[i], to = dh_piece_end(&p, i);
            if (pick(2) == 0) from += pick(to - from);
            if (pick(2) == 0) to -= pick(to - from);
            dh_cell cell = pick(states);
            if (cell == p.cell[i]) continue;
            for (uint32_t c = 0; c < DH_BLOCK_CELLS; c++)
                next[c] = c >= from && c < to ? cell : cells[c];
            bool fits = pieces_of(next) <= DH_PIECES_MAX;
            assert_int_equal(dh_pieces_put_swept(&p, i, from, to, cell), fits);
            for (uint32_t c = 0; fits && c < DH_BLOCK_CELLS; c++)
                cells[c] = next[c];
            assert_same(&p, cells);
        }
    }
}

/* Making the smallest neighbours fine again and again ends with one piece, and never refines more cells
 * than it must for that pair. */
static void smallest_neighbours(void **unused) {
    (void)unused;
    struct dh_pieces p;
    dh_pieces_begin(&p, 1);
    assert_true(dh_pieces_put(&p, 3, 4, 2));
    assert_true(dh_pieces_put(&p, 4, 5, 3));
    assert_int_equal(dh_pieces_smallest(&p), 1); /* of 3, 1, 1 and 123 cells */
    assert_true(dh_pieces_put(&p, 3, 5, DH_PIECE_FINE));
    assert_int_equal(dh_pieces_smallest(&p), 0);
    assert_true(dh_pieces_put(&p, 0, 5, DH_PIECE_FINE));
    assert_int_equal(p.count, 2);
    assert_true(dh_pieces_put(&p, 0, DH_BLOCK_CELLS, DH_PIECE_FINE));
    assert_int_equal(p.count, 1);
}

/* Whatever states pieces are given, afterwards neighbours differ again, and each cell has its state. */
static void same_neighbours_unite(void **unused) {
    (void)unused;
    for (unsigned run = 0; run < RUNS; run++) {
        struct dh_pieces p;
        dh_cell cells[DH_BLOCK_CELLS];
        dh_pieces_begin(&p, 7);
        for (unsigned step = 0; step < DH_PIECES_MAX; step++)
            dh_pieces_put(&p, pick(DH_BLOCK_CELLS), DH_BLOCK_CELLS, 10 + step);
        for (uint32_t i = 0; i < p.count; i++)
            p.cell[i] = pick(2) == 0 ? DH_PIECE_FINE : pick(2);
        for (uint32_t c = 0; c < DH_BLOCK_CELLS; c++)
            cells[c] = p.cell[dh_piece_of(&p, c)];
        dh_pieces_unite(&p);
        assert_int_equal(p.count, pieces_of(cells));
        assert_same(&p, cells);
    }
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(cells_are_put),
        cmocka_unit_test(cells_are_swept),
        cmocka_unit_test(smallest_neighbours),
        cmocka_unit_test(same_neighbours_unite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
