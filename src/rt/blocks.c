#include "rt/blocks.h"
#include "core/parts.h"
#include "rt/epochs.h"
#include "rt/judge.h"
#include "rt/lists.h"
#include "rt/own.h"
#include "rt/stats.h"

DH_COLD void dh_block_refine_slow(uintptr_t address) {
    dh_cell *at = dh_block_of(address);
    dh_shadow_touch(address);
    for (;;) {
        dh_cell entry = __atomic_load_n(at, __ATOMIC_ACQUIRE);
        if (entry == DH_BLOCK_FINE) return;
        if (entry == 0) { /* nothing to push down: cells ask their unit */
            if (__atomic_compare_exchange_n(at, &entry, DH_BLOCK_FINE, false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED))
                return;
            continue;
        }
        struct dh_list *l = dh_list_of(address, at, entry);
        if (!l) continue;
        if (dh_list_fine_at(l, address))
            dh_list_unlock(l);
        else
            dh_list_expand(l, address);
        return;
    }
}

/* ---- accesses ---- */

/* Whole blocks, while they have one state each. Neighbours mostly have the same: what becomes of it
 * is found out once. */
static uintptr_t step_whole(struct dh_judge *j, uintptr_t at, uintptr_t end) {
    dh_cell before = 0, after = 0;
    uint64_t blocks = 0;
    j->access.mask = DH_WORD_BYTES_MASK;
    for (; at + DH_BLOCK <= end; at += DH_BLOCK, blocks++) {
        dh_cell *entry = dh_block_of(at), old = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
        if (!dh_entry_is_state(old)) break;
        dh_cell start = old ? old : dh_coarse(at), next = start;
        struct dh_verdict v;
        dh_verdict_begin(&v);
        if (start == before && blocks != 0) {
            next = after;
        } else if (!dh_judge_step(j, &next, &v)) {
            dh_block_refine_slow(at);
            DH_COUNT(j->self, refined_record);
            break;
        }
        if (DH_UNLIKELY(v.racy != 0) && dh_judge_stops(j)) break;
        if (next != start) {
            dh_shadow_touch(at);
            if (dh_owner_of(at) == __dh_critical.owner)
                __atomic_store_n(entry, next, __ATOMIC_RELEASE);
            else if (!__atomic_compare_exchange_n(entry, &old, next, false, __ATOMIC_SEQ_CST,
                                                  __ATOMIC_RELAXED))
                break;
            j->changed = true;
        }
        if (DH_UNLIKELY(v.racy != 0)) {
            dh_judge_note_cells(j, at, DH_BLOCK_CELLS, &v);
            at += DH_BLOCK;
            blocks++;
            break;
        }
        before = start;
        after = next;
    }
    j->self->stats[DH_STAT_block_steps] += blocks;
    return at;
}

/* How far an access got in a list. */
struct progress {
    uint32_t from;  /* the first cell that it has not got to */
    uint32_t piece; /* where the last step began */
    struct dh_verdict verdict;
    enum { GOES_ON, AT_FINE, NEEDS_RECORD } state;
};

/* The cells before `to`, or some bytes of one, piece by piece. Stops after a race, which is for the
 * caller to note when the list is unlocked. */
static void step_pieces(struct dh_judge *j, struct dh_list *l, uintptr_t address, uint32_t to,
                        struct progress *at) {
    struct dh_pieces *p = &l->pieces;
    struct dh_verdict *v = &at->verdict;
    while (at->from < to && v->racy == 0) {
        uint32_t i = dh_piece_of(p, at->from), end = dh_piece_end(p, i);
        if (end > to) end = to;
        if (p->cell[i] == DH_PIECE_FINE) {
            at->state = AT_FINE;
            return;
        }
        dh_cell next = p->cell[i];
        if (!dh_judge_step(j, &next, v)) {
            at->state = NEEDS_RECORD;
            return;
        }
        if (DH_UNLIKELY(v->racy != 0) && dh_judge_stops(j)) {
            dh_verdict_begin(v);
            return;
        }
        if (v->changed && !dh_pieces_put(p, at->from, end, next)) {
            dh_list_shorten(l, address);
            DH_COUNT(j->self, refined_full);
            dh_verdict_begin(v);
            continue;
        }
        j->changed |= v->changed;
        at->piece = at->from;
        at->from = end;
    }
}

/* Which bytes of a cell the accesses have, if they go on in both directions as they are. */
static uint8_t run_mask(struct dh_judge const *j, uintptr_t cell_address) {
    if (j->stride <= j->unit) return DH_WORD_BYTES_MASK;
    intptr_t stride = (intptr_t)j->stride, from = (intptr_t)(cell_address - j->address) % stride;
    unsigned mask = 0;
    for (intptr_t b = 0; b < DH_CELL_BYTES; b++)
        if ((size_t)((from + b + stride) % stride) < j->unit) mask |= 1u << b;
    return (uint8_t)mask;
}

/* The accesses of a run that are in the block become a step of each stride that they touch. False
 * if one is a race, or needs a record: then nothing was done. */
static bool step_strides(struct dh_judge *j, struct dh_list *l, uintptr_t block) {
    dh_cell next[DH_PIECES_MAX];
    bool changed = false;
    for (uint32_t i = 0; i < l->period; i++) {
        struct dh_verdict v;
        dh_verdict_begin(&v);
        next[i] = l->pieces.cell[i];
        j->access.mask = run_mask(j, block + i * DH_CELL_BYTES);
        if (j->access.mask == 0) continue;
        if (!dh_judge_step(j, &next[i], &v) || v.racy != 0) return false;
        changed |= v.changed;
    }
    for (uint32_t i = 0; i < l->period; i++)
        l->pieces.cell[i] = next[i];
    j->changed |= changed;
    return true;
}

/* As step_list, where the list is in strides: as far as it adds nothing to them. Else they end. */
static uintptr_t step_in_strides(struct dh_judge *j, struct dh_list *l, uintptr_t at,
                                 uintptr_t stop, uint32_t from, uint32_t to) {
    bool adds = false;
    for (uint32_t c = from; c < to && c < from + l->period && !adds; c++) {
        dh_cell next = l->pieces.cell[c % l->period];
        struct dh_verdict v;
        dh_verdict_begin(&v);
        adds = !dh_judge_step(j, &next, &v) || v.changed || v.racy != 0;
    }
    if (!adds) {
        dh_list_unlock(l);
        return stop;
    }
    dh_list_expand(l, at);
    DH_COUNT(j->self, refined_stride);
    return at;
}

/* Bytes of one block: those of one cell, or of whole cells. Ends with the list. Returns how far it
 * got; if that is nowhere, *fine_end says how far it is fine from there on. */
static uintptr_t step_list(struct dh_judge *j, struct dh_list *l, uintptr_t at, uintptr_t end,
                           uintptr_t *fine_end) {
    uintptr_t const cell = DH_CELL_BYTES;
    uintptr_t block = at & ~(DH_BLOCK - 1), first = at & ~(cell - 1), stop = end & ~(cell - 1);
    unsigned mask = DH_WORD_BYTES_MASK;
    if (at != first || stop == first) {
        mask = mask << (at - first) & DH_WORD_BYTES_MASK;
        stop = first + cell;
        if (end < stop) mask &= DH_WORD_BYTES_MASK >> (stop - end);
    }
    uint32_t begin = (uint32_t)((first - block) / cell);
    if (l->period != 0) {
        if (end - at == DH_BLOCK && step_strides(j, l, block)) {
            dh_list_done(l);
            return end;
        }
        j->access.mask = (uint8_t)mask;
        return step_in_strides(j, l, at, stop < end ? stop : end, begin,
                               (uint32_t)((stop - block) / cell));
    }
    struct progress p = {.piece = begin, .from = begin, .state = GOES_ON};
    dh_verdict_begin(&p.verdict);
    j->access.mask = (uint8_t)mask;
    step_pieces(j, l, at, (uint32_t)((stop - block) / cell), &p);
    if (p.state == NEEDS_RECORD) {
        dh_list_expand(l, at);
        DH_COUNT(j->self, refined_record);
    } else {
        if (p.state == AT_FINE)
            *fine_end = block + dh_piece_end(&l->pieces, dh_piece_of(&l->pieces, p.from)) * cell;
        dh_list_done(l);
    }
    if (DH_UNLIKELY(p.verdict.racy != 0))
        dh_judge_note_cells(j, block + p.piece * cell, p.from - p.piece, &p.verdict);
    if (p.from == begin) return at;
    stop = block + p.from * cell;
    return stop < end ? stop : end;
}

/* The list's credit for this access. False if there is none: it is in a fine place now, and the
 * list is not locked. */
static bool list_admit(struct dh_judge *j, struct dh_list *l, uintptr_t at) {
    DH_COUNT(j->self, list_steps);
    if (j->size >= DH_BLOCK_SHORT) {
        l->credit += l->credit < DH_CREDIT_MOST ? DH_CREDIT_MORE : 0;
    } else if (l->credit != 0) {
        l->credit--;
    } else if (!dh_list_fine_at(l, at)) { /* there it costs the list nothing */
        if (dh_list_refine(l, at))
            dh_list_done(l);
        else
            dh_list_expand(l, at);
        DH_COUNT(j->self, refined_short);
        return false;
    }
    return true;
}

/* READSAMEEPOCH, WRITESAMEEPOCH, of any bytes of a block that has one state. */
static bool is_on_record(struct dh_judge const *j, dh_cell state) {
    dh_word same_kind = j->access.kind == DH_READ ? dh_cell_read(state) : dh_cell_write(state);
    uint32_t count;
    dh_word const *list = dh_word_list(&same_kind, &dh_tables, &count);
    return j->access.id != 0
           && dh_words_have(list, count, dh_word_of_epoch(j->access.id, DH_WORD_BYTES_MASK));
}

void dh_block_visit(struct dh_thread *self, dh_epoch_id epoch, size_t size, uintptr_t at) {
    uintptr_t block = at >> DH_BLOCK_SHIFT;
    if (size >= DH_BLOCK_SHORT) return;
    if (DH_UNLIKELY(!self->memos)) self->memos = dh_alloc(sizeof *self->memos);
    struct dh_visits *v = &self->memos->visits[block & ((1u << DH_VISITS_BITS) - 1)];
    if (v->block != block || v->epoch != epoch) *v = (struct dh_visits){block, epoch, 0};
    if (++v->count < DH_BLOCK_OFTEN) return;
    v->count = 0;
    dh_block_refine(at);
    DH_COUNT(self, refined_short);
}

uintptr_t dh_blocks_step(struct dh_judge *j, uintptr_t at, uintptr_t end, uintptr_t *fine_end) {
    while (at < end) {
        if (at % DH_BLOCK == 0) at = step_whole(j, at, end);
        if (at >= end || j->stopped) break;
        uintptr_t stop = dh_block_end(at) < end ? dh_block_end(at) : end;
        dh_cell *entry = dh_block_of(at), old = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
        *fine_end = dh_block_end(at);
        if (old == DH_BLOCK_FINE) break;
        if (dh_entry_is_state(old) && stop - at == DH_BLOCK) continue; /* somebody was quicker */
        if (dh_entry_is_state(old) && is_on_record(j, old ? old : dh_coarse(at))) {
            dh_block_visit(j->self, j->access.id, j->size, at);
            at = stop;
            continue;
        }
        struct dh_list *l = dh_list_of(at, entry, old);
        if (!l || !list_admit(j, l, at)) continue;
        uintptr_t from = at;
        at = step_list(j, l, at, stop, fine_end);
        if (at == from || j->stopped) break;
    }
    return at;
}

/* A list in one piece, or in strides, is in strides that are a multiple of the period. False if
 * that is too many of them, or it is in pieces. */
static bool list_stride(struct dh_list *l, uint32_t period) {
    if (l->period == 0 && l->pieces.count != 1) return false;
    uint32_t now = l->pieces.count, multiple = now;
    while (multiple % period != 0 && multiple <= DH_PIECES_MAX)
        multiple += now;
    if (multiple > DH_PIECES_MAX) return false;
    for (uint32_t i = now; i < multiple; i++)
        l->pieces.cell[i] = l->pieces.cell[i - now];
    l->period = l->pieces.count = multiple;
    return true;
}

bool dh_block_step_strides(struct dh_judge *j, uintptr_t block) {
    dh_cell *entry = dh_block_of(block), old = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
    if (old == DH_BLOCK_FINE) return false;
    struct dh_list *l = dh_list_of(block, entry, old);
    if (!l) return false;
    l->credit += l->credit < DH_CREDIT_MOST ? DH_CREDIT_MORE : 0;
    bool done = list_stride(l, (uint32_t)(j->stride / DH_CELL_BYTES)) && step_strides(j, l, block);
    if (done) DH_COUNT(j->self, stride_steps);
    dh_list_done(l);
    return done;
}

/* ---- memory that comes and goes ---- */

static bool list_put(struct dh_list *l, uint32_t from, uint32_t to, dh_cell cell) {
    if (from == 0 && to == DH_BLOCK_CELLS && l->period != 0) {
        dh_list_begin(l, cell);
        return true;
    }
    return l->period == 0 && !dh_pieces_any_fine(&l->pieces)
           && dh_pieces_put(&l->pieces, from, to, cell);
}

bool dh_block_put(uintptr_t from, uintptr_t to, dh_cell cell) {
    uintptr_t block = from & ~(DH_BLOCK - 1);
    dh_cell *at = dh_block_of(from);
    if (to > block + DH_BLOCK) to = block + DH_BLOCK;
    dh_shadow_touch(from);
    for (;;) {
        dh_cell entry = __atomic_load_n(at, __ATOMIC_ACQUIRE);
        if (entry == DH_BLOCK_FINE) return false;
        if (dh_entry_is_state(entry) && to - from == DH_BLOCK) {
            if (__atomic_compare_exchange_n(at, &entry, cell, false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED))
                return true;
            continue;
        }
        struct dh_list *l = dh_list_of(from, at, entry);
        if (!l) continue;
        if (list_put(l, (uint32_t)((from - block) / DH_CELL_BYTES),
                     (uint32_t)((to - block) / DH_CELL_BYTES), cell)) {
            dh_list_done(l);
            return true;
        }
        dh_list_expand(l, from);
        return false;
    }
}

bool dh_block_take(uintptr_t address, struct dh_pieces *said) {
    dh_cell *at = dh_block_of(address);
    for (;;) {
        dh_cell entry = __atomic_load_n(at, __ATOMIC_ACQUIRE);
        if (entry == DH_BLOCK_FINE) return false;
        if (dh_entry_is_state(entry)) {
            dh_pieces_begin(said, entry);
            if (entry == 0
                || __atomic_compare_exchange_n(at, &entry, 0, false, __ATOMIC_SEQ_CST,
                                               __ATOMIC_RELAXED))
                return true;
            continue;
        }
        struct dh_list *l = dh_list_lock(at, entry);
        if (!l) continue;
        if (l->period != 0 || dh_pieces_any_fine(&l->pieces)) {
            dh_list_expand(l, address);
            return false;
        }
        *said = l->pieces;
        __atomic_store_n(at, 0, __ATOMIC_SEQ_CST);
        dh_list_free(l);
        return true;
    }
}

bool dh_block_reset(uintptr_t address) {
    dh_cell *at = dh_block_of(address), entry = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    struct dh_list *l = dh_entry_is_list(entry) ? dh_list_lock(at, entry) : 0;
    bool fine = l ? dh_pieces_any_fine(&l->pieces) : entry == DH_BLOCK_FINE;
    if (entry != 0) __atomic_store_n(at, 0, __ATOMIC_SEQ_CST);
    if (l) dh_list_free(l);
    return !fine;
}

bool dh_block_inherit(uintptr_t address, dh_cell coarse) {
    dh_cell *at = dh_block_of(address), entry = 0;
    if (__atomic_compare_exchange_n(at, &entry, coarse, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        return true;
    struct dh_list *l = dh_entry_is_list(entry) ? dh_list_lock(at, entry) : 0;
    if (l && dh_pieces_any_fine(&l->pieces))
        dh_list_expand(l, address);
    else if (l)
        dh_list_unlock(l);
    return __atomic_load_n(at, __ATOMIC_ACQUIRE) != DH_BLOCK_FINE;
}

bool dh_block_has_cells(uintptr_t address) {
    dh_cell entry = *dh_block_of(address);
    if (!dh_entry_is_list(entry)) return entry == DH_BLOCK_FINE;
    return dh_pieces_any_fine(&dh_lists[dh_cell_record(entry)].pieces);
}
