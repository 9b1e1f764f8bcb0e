#include "rt/pieces.h"

/* A list that is being made, with room for what one change can add. */
struct longer {
    uint32_t count;
    uint32_t start[DH_PIECES_MAX + 2];
    dh_cell cell[DH_PIECES_MAX + 2];
};

static void append(struct longer *l, uint32_t start, dh_cell cell) {
    if (l->count > 0 && l->cell[l->count - 1] == cell) return;
    l->start[l->count] = start;
    l->cell[l->count++] = cell;
}

/* Few are moved: vectors would take longer. */
#define ONE_BY_ONE _Pragma("clang loop vectorize(disable) unroll(disable)")

/* Piece i, from `start` on, becomes another one. There is room. */
static void split(struct dh_pieces *p, uint32_t i, uint32_t start, dh_cell cell) {
    ONE_BY_ONE for (uint32_t n = p->count++; n > i + 1; n--) {
        p->start[n] = p->start[n - 1];
        p->cell[n] = p->cell[n - 1];
    }
    p->start[i + 1] = (uint8_t)start;
    p->cell[i + 1] = cell;
}

/* Piece i takes in the one behind it. */
static void join(struct dh_pieces *p, uint32_t i) {
    p->count--;
    ONE_BY_ONE for (uint32_t n = i + 1; n < p->count; n++) {
        p->start[n] = p->start[n + 1];
        p->cell[n] = p->cell[n + 1];
    }
}

/* What most changes are, for who sweeps goes on where it left off. */
bool dh_pieces_put_into(struct dh_pieces *p, uint32_t i, uint32_t from, uint32_t to, dh_cell cell) {
    uint32_t start = p->start[i], end = dh_piece_end(p, i);
    dh_cell old = p->cell[i];
    bool first = from == start, last = to == end;
    if (old == cell) return true;
    bool like_left = first && i > 0 && p->cell[i - 1] == cell;
    bool like_right = last && i + 1 < p->count && p->cell[i + 1] == cell;
    if (first && last) {
        p->cell[i] = cell;
        if (like_right) join(p, i);
        if (like_left) join(p, i - 1);
        return true;
    }
    if (like_left) {
        p->start[i] = (uint8_t)to;
        return true;
    }
    if (like_right) {
        p->start[i + 1] = (uint8_t)from;
        return true;
    }
    if (p->count + !first + !last > DH_PIECES_MAX) return false;
    if (!last) split(p, i, to, old);
    if (first)
        p->cell[i] = cell;
    else
        split(p, i, from, cell);
    return true;
}

void dh_pieces_unite(struct dh_pieces *p) {
    uint32_t last = 0;
    ONE_BY_ONE for (uint32_t i = 1; i < p->count; i++) {
        if (p->cell[i] == p->cell[last]) continue;
        p->start[++last] = p->start[i];
        p->cell[last] = p->cell[i];
    }
    p->count = last + 1;
}

bool dh_pieces_put(struct dh_pieces *p, uint32_t from, uint32_t to, dh_cell cell) {
    uint32_t in = dh_piece_of(p, from);
    if (to <= dh_piece_end(p, in) && dh_pieces_put_into(p, in, from, to, cell)) return true;
    struct longer l = {.count = 0};
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t start = p->start[i], end = dh_piece_end(p, i);
        if (start < from) append(&l, start, p->cell[i]);
        if (start <= from && from < end) append(&l, from, cell);
        if (end > to) append(&l, start > to ? start : to, p->cell[i]);
    }
    if (l.count > DH_PIECES_MAX) return false;
    p->count = l.count;
    for (uint32_t i = 0; i < l.count; i++) {
        p->start[i] = (uint8_t)l.start[i];
        p->cell[i] = l.cell[i];
    }
    return true;
}

bool dh_pieces_any_fine(struct dh_pieces const *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->cell[i] == DH_PIECE_FINE) return true;
    return false;
}

static uint32_t not_fine(struct dh_pieces const *p, uint32_t i) {
    return p->cell[i] == DH_PIECE_FINE ? 0 : dh_piece_end(p, i) - p->start[i];
}

uint32_t dh_pieces_smallest(struct dh_pieces const *p) {
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i + 1 < p->count; i++) {
        uint32_t cells = not_fine(p, i) + not_fine(p, i + 1);
        if (cells >= least) continue;
        best = i;
        least = cells;
    }
    return best;
}
