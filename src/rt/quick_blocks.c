/* The quick way through blocks: what nearly all accesses to them are, without a race and without a record, and
 * made by a thread that has an epoch open, with none of the judge's generality. The steps are those of
 * rt/quick.h and rt/parts.h; where they do not decide, the judge does (rt/judge.c, rt/blocks.c). */
#include "rt/lists.h"
#include "rt/own.h"
#include "rt/quick.h"
#include "rt/stats.h"

/* One access, to whole cells or to some bytes of one. Neighbours mostly are in the same state, or in one
 * of two: what becomes of these is found out once. */
struct quick {
    struct dh_thread *self;
    enum dh_kind kind;
    bool changed;
    dh_word mine; /* the word of the access */
    size_t size;
    dh_cell before[2], after[2];
};

/* What the access makes of a state. False: the long way has to say. */
static __attribute__((noinline)) bool quick_parts(struct dh_thread *self, dh_cell *next,
                                                  dh_word mine, enum dh_kind kind) {
    if (!dh_parts_change(self, next, mine, kind)) return false;
    if (kind == DH_READ) dh_parts_remember(*next);
    return true;
}

/* The same where there are but epochs, ordered before it. */
static inline __attribute__((always_inline)) bool
quick_epochs(struct dh_thread *self, dh_cell *next, dh_word mine, enum dh_kind kind) {
    dh_word const care = ~DH_WORD_BYTES_MASK | mine;
    dh_word same_kind = kind == DH_READ ? dh_cell_read(*next) : dh_cell_write(*next);
    return ((same_kind ^ mine) & care) == 0
           || (kind == DH_READ && ((same_kind ^ __dh_tls.readset) & care) == 0)
           || (dh_quick_ordered(dh_cell_write(*next), self)
               && dh_quick_ordered(dh_cell_read(*next), self) && dh_quick_step(next, mine, kind));
}

static __attribute__((noinline)) bool quick_find(struct quick *q, dh_cell state, dh_cell *next) {
    *next = state;
    if (!quick_epochs(q->self, next, q->mine, q->kind)
        && !quick_parts(q->self, next, q->mine, q->kind))
        return false;
    q->before[1] = q->before[0];
    q->after[1] = q->after[0];
    q->before[0] = state;
    q->after[0] = *next;
    return true;
}

static inline bool quick_next(struct quick *q, dh_cell state, dh_cell *next) {
    for (int i = 0; i < 2; i++)
        if (state == q->before[i]) {
            *next = q->after[i];
            return true;
        }
    return quick_find(q, state, next);
}

/* Bytes of one fine place. Returns how far it got. */
static uintptr_t quick_fine(struct quick *q, uintptr_t at, uintptr_t end) {
    bool own = dh_owner_of(at) == __dh_critical.owner;
    dh_shadow_touch(at);
    if (own && dh_word_mask(q->mine) == DH_WORD_BYTES_MASK)
        at = dh_quick_cells(at, end, q->kind, q->self, &q->changed);
    for (uintptr_t next_at; at < end; at = next_at) {
        dh_cell *c = dh_shadow(at), old = __atomic_load_n(c, __ATOMIC_ACQUIRE), next;
        next_at = (at | (DH_CELL_BYTES - 1)) + 1;
        if (dh_cell_is_record(old) || dh_cell_is_split(old)) return at;
        if (!quick_next(q, old ? old : dh_coarse(at), &next)) return at;
        if (next == old) continue;
        if (own)
            __atomic_store_n(c, next, __ATOMIC_RELAXED);
        else if (!__atomic_compare_exchange_n(c, &old, next, false, __ATOMIC_SEQ_CST,
                                              __ATOMIC_RELAXED))
            return at;
        q->changed = true;
    }
    return end;
}

/* As list_admit; without credit nothing is done. */
static inline bool quick_admit(struct quick const *q, struct dh_list *l, uintptr_t at) {
    if (q->size >= DH_BLOCK_SHORT) {
        l->credit += l->credit < DH_CREDIT_MOST ? DH_CREDIT_MORE : 0;
        return true;
    }
    if (DH_UNLIKELY(l->credit == 0)) return dh_list_fine_at(l, at);
    l->credit--;
    return true;
}

/* The bytes of one block, as far as they are in its list's pieces and not fine. Ends with the list. Returns
 * how far it got; *fine_end says how far it is fine from there on, if it is. */
static uintptr_t quick_list(struct quick *q, struct dh_list *l, uintptr_t at, uintptr_t end,
                            uintptr_t *fine_end) {
    uintptr_t const block = at & ~(DH_BLOCK - 1), cell = DH_CELL_BYTES;
    uint32_t const begin = (uint32_t)((at - block) / cell);
    uint32_t const to = (uint32_t)((end - block + cell - 1) / cell);
    struct dh_pieces *p = &l->pieces;
    uint32_t from = begin;
    if (DH_UNLIKELY(l->period != 0) || !quick_admit(q, l, at)) {
        dh_mutex_unlock(&l->lock);
        return at;
    }
    while (from < to) {
        uint32_t i = dh_piece_of(p, from), stop = dh_piece_end(p, i);
        dh_cell old = p->cell[i], next;
        if (old == DH_PIECE_FINE) {
            *fine_end = block + stop * cell;
            break;
        }
        if (stop > to) stop = to;
        if (!quick_next(q, old, &next)) break;
        if (next != old) {
            if (!dh_pieces_put_into(p, i, from, stop, next)) {
                dh_list_shorten(l, at);
                DH_COUNT(q->self, refined_full);
                continue;
            }
            q->changed = true;
        }
        from = stop;
    }
    dh_list_done(l);
    DH_COUNT(q->self, list_steps);
    return from == begin ? at : from == to ? end : block + from * cell;
}

/* A block, or a part of one, that has one state. Returns how far it got, and whether a list is to be made of
 * it first. */
static uintptr_t quick_state(struct quick *q, uintptr_t at, uintptr_t end, dh_cell *entry,
                             dh_cell old, bool *list) {
    dh_cell state = old ? old : dh_coarse(at), next;
    if (!quick_next(q, state, &next)) return at;
    if (end - at < DH_BLOCK) {
        *list = next != state;
        if (*list) return at;
        dh_block_visit(q->self, dh_word_epoch_id(q->mine), q->size, at);
        return end;
    }
    if (next != state) {
        if (old == 0) dh_shadow_touch(at);
        if (dh_owner_of(at) == __dh_critical.owner)
            __atomic_store_n(entry, next, __ATOMIC_RELEASE);
        else if (!__atomic_compare_exchange_n(entry, &old, next, false, __ATOMIC_SEQ_CST,
                                              __ATOMIC_RELAXED))
            return at;
        q->changed = true;
    }
    DH_COUNT(q->self, block_steps);
    return end;
}

static uintptr_t quick_blocks(struct quick *q, uintptr_t at, uintptr_t end) {
    while (at < end) {
        uintptr_t const from = at, stop = dh_block_end(at) < end ? dh_block_end(at) : end;
        dh_cell *entry = dh_block_of(at), old = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
        uintptr_t fine_end = old == DH_BLOCK_FINE ? stop : at;
        bool list = dh_entry_is_list(old);
        if (dh_entry_is_state(old)) at = quick_state(q, at, stop, entry, old, &list);
        if (list) {
            struct dh_list *l = dh_list_of(at, entry, old);
            if (!l) return at;
            at = quick_list(q, l, at, stop, &fine_end);
        }
        if (at < fine_end) at = quick_fine(q, at, fine_end < stop ? fine_end : stop);
        if (at == from) break;
    }
    return at;
}

bool dh_blocks_quick(struct dh_thread *self, enum dh_kind kind, uintptr_t address, size_t size,
                     bool *changed) {
    uintptr_t at = address, end = address + size;
    if (address >= DH_ADDRESS_END || size >= DH_ADDRESS_END - address) return false;
    for (uintptr_t g = at >> DH_GRANULE_SHIFT; g <= (end - 1) >> DH_GRANULE_SHIFT; g++)
        if (!dh_own_settled(dh_owner_of(g << DH_GRANULE_SHIFT))) return false;
    while (at < end) {
        uintptr_t stop = end & ~(uintptr_t)(DH_CELL_BYTES - 1);
        dh_word bytes = DH_WORD_BYTES_MASK;
        if (at % DH_CELL_BYTES != 0 || stop <= at) {
            stop = (at | (DH_CELL_BYTES - 1)) + 1;
            bytes = DH_WORD_BYTES_MASK << at % DH_CELL_BYTES & DH_WORD_BYTES_MASK;
            if (end < stop) bytes &= DH_WORD_BYTES_MASK >> (stop - end);
            if (end < stop) stop = end;
        }
        struct quick q = {.self = self,
                          .kind = kind,
                          .mine = (__dh_tls.epoch & ~DH_WORD_BYTES_MASK) | bytes,
                          .size = size,
                          .before = {DH_BLOCK_FINE, DH_BLOCK_FINE}};
        at = quick_blocks(&q, at, stop);
        *changed |= q.changed;
        if (at < stop) return false;
    }
    return true;
}

bool dh_block_quick(struct dh_thread *self, enum dh_kind kind, uintptr_t address, uint32_t size,
                    dh_word bytes, bool *changed) {
    dh_cell *at = dh_block_of(address), entry = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (DH_LIKELY(dh_entry_is_list(entry)) && dh_own_settled(dh_owner_of(address))) {
        struct dh_list *l = dh_list_lock(at, entry);
        if (!l) return false;
        struct dh_pieces *p = &l->pieces;
        uint32_t cell = dh_cell_in_block(address), i = dh_piece_of(p, cell);
        dh_cell old = p->cell[i], next = old;
        if (DH_LIKELY(l->period == 0 && l->credit != 0 && old != DH_PIECE_FINE)
            && quick_epochs(self, &next, (__dh_tls.epoch & ~DH_WORD_BYTES_MASK) | bytes, kind)
            && dh_pieces_put_into(p, i, cell, cell + 1, next)) {
            *changed = next != old;
            l->credit--;
            dh_list_done(l);
            DH_COUNT(self, list_steps);
            return true;
        }
        dh_mutex_unlock(&l->lock);
    }
    return dh_blocks_quick(self, kind, address, size, changed);
}
