/* The cells of a block, written as *pieces*: neighbours with the same state are one. A piece goes
 * from its `start` to the next one's, the last one to the end of the block.
 *
 *   Invariant: start[0] is 0, starts ascend, and neighbouring pieces differ.
 *
 * A piece may also say that its cells are fine: then the state of each is where it always is.
 */
#ifndef DEADHEAT_RT_PIECES_H
#define DEADHEAT_RT_PIECES_H

#include "rt/layout.h"

#define DH_BLOCK_CELLS ((1u << DH_BLOCK_SHIFT) / DH_CELL_BYTES)
#ifndef DH_PIECES_MAX
#define DH_PIECES_MAX 11u
#endif

#define DH_PIECE_FINE UINT64_MAX /* no cell is this */

struct dh_pieces {
    uint32_t count;
    uint8_t start[DH_PIECES_MAX + 1];
    dh_cell cell[DH_PIECES_MAX];
};

_Static_assert(DH_BLOCK_CELLS <= 256, "a place in a block is a byte");

static inline void dh_pieces_begin(struct dh_pieces *p, dh_cell cell) {
    p->count = 1;
    p->start[0] = 0;
    p->cell[0] = cell;
}

/* Where piece i ends. */
static inline uint32_t dh_piece_end(struct dh_pieces const *p, uint32_t i) {
    return i + 1 < p->count ? p->start[i + 1] : DH_BLOCK_CELLS;
}

/* The piece that this cell is in. Mostly it is the first, of what was swept up to here, or one of
 * the last. */
static inline uint32_t dh_piece_of(struct dh_pieces const *p, uint32_t cell) {
    uint32_t i = p->count - 1;
    if (i == 0 || cell < p->start[1]) return 0;
    while (p->start[i] > cell)
        i--;
    return i;
}

/* The cells from `from` to `to`, at least one, become `cell`. False if that would be too many
 * pieces: then nothing was done. */
bool dh_pieces_put(struct dh_pieces *p, uint32_t from, uint32_t to, dh_cell cell);
/* The same for cells of piece i. */
bool dh_pieces_put_into(struct dh_pieces *p, uint32_t i, uint32_t from, uint32_t to, dh_cell cell);

/* The same, inlined for what sweeps do most: some cells of the last piece change, or all of
 * another. `cell` is another state than the piece has. */
static inline __attribute__((always_inline)) bool
dh_pieces_put_swept(struct dh_pieces *p, uint32_t i, uint32_t from, uint32_t to, dh_cell cell) {
    uint32_t count = p->count;
    bool first = from == p->start[i], last = to == DH_BLOCK_CELLS;
    bool like_left = first && i > 0 && p->cell[i - 1] == cell;
    if (i + 1 == count && first && last) {
        p->cell[i] = cell;
        p->count = count - like_left;
        return true;
    }
    if (i + 1 == count && !like_left && count + !first + !last <= DH_PIECES_MAX) {
        dh_cell const old = p->cell[i];
        if (!first) {
            i = count++;
            p->start[i] = (uint8_t)from;
        }
        p->cell[i] = cell;
        if (!last) {
            p->start[count] = (uint8_t)to;
            p->cell[count++] = old;
        }
        p->count = count;
        return true;
    }
    if (i + 1 < count && first && to == p->start[i + 1] && !like_left && p->cell[i + 1] != cell) {
        p->cell[i] = cell;
        return true;
    }
    return dh_pieces_put_into(p, i, from, to, cell);
}

/* Some piece is fine. */
bool dh_pieces_any_fine(struct dh_pieces const *p);

/* The two neighbours that have the fewest cells to become fine, if they became one fine piece: the
 * number of the first. There are at least two. */
uint32_t dh_pieces_smallest(struct dh_pieces const *p);

/* Neighbours that have become the same become one. */
void dh_pieces_unite(struct dh_pieces *p);

#endif
