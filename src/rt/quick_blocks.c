/* The quick way through blocks: what nearly all accesses to them are, without a race and without a
 * record, and made by a thread that has an epoch open, with none of the judge's generality. The
 * steps are those of rt/quick.h and rt/parts.h; where they do not decide, the judge does
 * (rt/judge.c, rt/blocks.c). */
#include "rt/lists.h"
#include "rt/own.h"
#include "rt/shortest.h"
#include "rt/stats.h"

/* One access, to whole cells or to some bytes of one. */
struct quick {
    struct dh_thread *self;
    struct dh_steps *steps; /* what it makes of states, as far as that is known */
    enum dh_kind kind;
    bool changed;
    dh_word mine;    /* the word of the access */
    uintptr_t begin; /* where it begins */
    size_t size;
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

static DH_COLD void steps_begin(struct dh_steps *steps, dh_word mine) {
    *steps = (struct dh_steps){.mine = mine, .last = DH_STEPS - 1, .collections = dh_collections};
    for (uint32_t i = 0; i < DH_STEPS; i++)
        steps->known[i].before = DH_BLOCK_FINE; /* no state */
}

static inline struct dh_steps *steps_of(struct dh_thread *self, enum dh_kind kind, dh_word mine) {
    if (DH_UNLIKELY(!self->memos)) self->memos = dh_alloc(sizeof *self->memos);
    struct dh_steps *steps = &self->memos->steps[kind == DH_READ];
    if (steps->mine != mine || DH_UNLIKELY(steps->collections != dh_collections))
        steps_begin(steps, mine);
    return steps;
}

static inline struct quick quick_of(struct dh_thread *self, enum dh_kind kind, dh_word bytes,
                                    uintptr_t begin, size_t size) {
    dh_word mine = (__dh_tls.epoch & ~DH_WORD_BYTES_MASK) | bytes;
    return (struct quick){.self = self,
                          .steps = steps_of(self, kind, mine),
                          .kind = kind,
                          .mine = mine,
                          .begin = begin,
                          .size = size};
}

/* What the access makes of a state, which is remembered; 0: the long way has to say. */
static __attribute__((noinline)) dh_cell steps_find(struct dh_steps *steps, struct dh_thread *self,
                                                    enum dh_kind kind, dh_cell state) {
    dh_cell next = state;
    if (!quick_epochs(self, &next, steps->mine, kind)
        && !quick_parts(self, &next, steps->mine, kind))
        return 0;
    uint32_t i = steps->last = (steps->last + 1) % DH_STEPS;
    steps->known[i].before = state;
    steps->known[i].after = next;
    return next;
}

/* 0: not known. */
static inline __attribute__((always_inline)) dh_cell steps_know(struct dh_steps const *steps,
                                                                dh_cell state) {
    for (uint32_t i = 0; i < DH_STEPS; i++)
        if (state == steps->known[i].before) return steps->known[i].after;
    return 0;
}

static inline bool quick_next(struct quick *q, dh_cell state, dh_cell *next) {
    *next = steps_know(q->steps, state);
    if (*next == 0) *next = steps_find(q->steps, q->self, q->kind, state);
    return *next != 0;
}

/* The same for a cell of epochs that are ordered before it: neighbours that were written one by one
 * have as many states, which are not worth remembering. False: not decided. */
static inline __attribute__((always_inline)) bool quick_cell(struct quick *q, dh_cell old,
                                                             dh_cell *next) {
    if (old == 0 || !dh_shortest_is_ordered(0, old, q->self)) return false;
    *next = old;
    return dh_quick_step(next, q->mine, q->kind);
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
        if (!quick_cell(q, old, &next)
            && (dh_cell_is_record(old) || dh_cell_is_split(old)
                || !quick_next(q, old ? old : dh_coarse(at), &next)))
            return at;
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

/* The bytes of one block, as far as they are in its list's pieces and not fine. Ends with the list.
 * Returns how far it got; *fine_end says how far it is fine from there on, if it is. */
static uintptr_t quick_list(struct quick *q, struct dh_list *l, uintptr_t at, uintptr_t end,
                            uintptr_t *fine_end) {
    uintptr_t const block = at & ~(DH_BLOCK - 1), cell = DH_CELL_BYTES;
    uint32_t const begin = (uint32_t)((at - block) / cell);
    uint32_t const to = (uint32_t)((end - block + cell - 1) / cell);
    struct dh_pieces *p = &l->pieces;
    uint32_t from = begin;
    if (DH_UNLIKELY(l->period != 0) || !quick_admit(q, l, at)) {
        dh_list_unlock(l);
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
            if (from == begin && at == q->begin && q->size >= DH_BLOCK_SHORT
                && dh_list_leads(p, i, from, stop)) {
                dh_list_lead(p, i, block + from++ * cell, next);
                q->changed = true;
            }
            if (!dh_pieces_put_swept(p, i, from, stop, next)) {
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

/* Whole blocks, while they have one state each. Returns how far it got. */
static inline uintptr_t quick_whole(struct quick *q, uintptr_t at, uintptr_t end) {
    uintptr_t const from = at;
    for (; end - at >= DH_BLOCK; at += DH_BLOCK) {
        dh_cell *entry = dh_block_of(at), old = __atomic_load_n(entry, __ATOMIC_ACQUIRE), next;
        if (!dh_entry_is_state(old)) break;
        dh_cell state = old ? old : dh_coarse(at);
        if (!quick_next(q, state, &next)) break;
        if (next == state) continue;
        if (old == 0) dh_shadow_touch(at);
        if (dh_owner_of(at) == __dh_critical.owner)
            __atomic_store_n(entry, next, __ATOMIC_RELEASE);
        else if (!__atomic_compare_exchange_n(entry, &old, next, false, __ATOMIC_SEQ_CST,
                                              __ATOMIC_RELAXED))
            break;
        q->changed = true;
    }
    q->self->stats[DH_STAT_block_steps] += (at - from) / DH_BLOCK;
    return at;
}

/* A part of a block that has one state. It stays that if the access adds nothing; else *list: it is
 * to become one. */
static uintptr_t quick_state(struct quick *q, uintptr_t at, uintptr_t end, dh_cell old,
                             bool *list) {
    dh_cell state = old ? old : dh_coarse(at), next;
    if (!quick_next(q, state, &next)) return at;
    *list = next != state;
    if (*list) return at;
    dh_block_visit(q->self, dh_word_epoch_id(q->mine), q->size, at);
    return end;
}

static uintptr_t quick_blocks(struct quick *q, uintptr_t at, uintptr_t end) {
    while (at < end) {
        if (at % DH_BLOCK == 0) at = quick_whole(q, at, end);
        if (at == end) break;
        uintptr_t const from = at, stop = dh_block_end(at) < end ? dh_block_end(at) : end;
        dh_cell *entry = dh_block_of(at), old = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
        uintptr_t fine_end = old == DH_BLOCK_FINE ? stop : at;
        bool list = dh_entry_is_list(old);
        if (dh_entry_is_state(old)) {
            if (stop - at == DH_BLOCK) break; /* as quick_whole found it */
            at = quick_state(q, at, stop, old, &list);
        }
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

/* ---- the shortest of it ----
 * Long accesses to whole cells, in states that are known, in blocks of one state and in lists that
 * have room. Where it ends quick_blocks goes on: what was done of a list is found on record. */

/* Cells of a list; `begins`: so does the access. False: not all of them. */
static __attribute__((noinline)) bool swept_pieces(struct dh_steps const *steps, struct dh_list *l,
                                                   uintptr_t address, uint32_t to, bool begins,
                                                   bool *changed) {
    struct dh_pieces *p = &l->pieces;
    uint32_t const begin = dh_cell_in_block(address);
    uint32_t from = begin;
    bool done = l->period == 0;
    while (done && from < to) {
        uint32_t i = dh_piece_of(p, from), stop = dh_piece_end(p, i);
        dh_cell old = p->cell[i], next = steps_know(steps, old);
        if (stop > to) stop = to;
        if (from == begin && begins && next != 0 && next != old
            && dh_list_leads(p, i, from, stop)) {
            dh_list_lead(p, i, address, next);
            from++;
            *changed = true;
        }
        done = next != 0 && (next == old || dh_pieces_put_swept(p, i, from, stop, next));
        if (!done) break;
        *changed |= next != old;
        from = stop;
    }
    dh_list_done(l);
    return done;
}

/* What is done most, and leaves as many pieces as there were: from the first cell of the last piece
 * to the end of the block, */
static inline __attribute__((always_inline)) bool swept_last_piece(struct dh_steps const *steps,
                                                                   struct dh_pieces *p,
                                                                   uintptr_t address, bool begins,
                                                                   bool *changed) {
    uint32_t const i = p->count - 1, from = dh_cell_in_block(address);
    if (p->start[i] != from || i == 0) return false;
    dh_cell const left = p->cell[i - 1], old = p->cell[i], next = steps_know(steps, old);
    if (next == 0 || next == left) return false;
    if (next == old) return true;
    if (begins && dh_list_leads(p, i, from, DH_BLOCK_CELLS)) {
        __atomic_store_n(dh_shadow(address), next, __ATOMIC_RELEASE);
        p->start[i] = (uint8_t)(from + 1);
    }
    p->cell[i] = next;
    *changed = true;
    return true;
}
/* and from the beginning of the block to the end of the first piece. */
static inline __attribute__((always_inline)) bool
swept_first_piece(struct dh_steps const *steps, struct dh_pieces *p, uint32_t to, bool *changed) {
    if (p->count == 1 || p->start[1] != to) return false;
    dh_cell const old = p->cell[0], next = steps_know(steps, old);
    if (next == 0 || next == p->cell[1]) return false;
    *changed |= next != old;
    p->cell[0] = next;
    return true;
}

/* A part of a block. False: not all of it. */
static inline __attribute__((always_inline)) bool
swept_list(struct dh_steps const *steps, uintptr_t at, uintptr_t stop, bool begins, bool *changed) {
    dh_cell *entry = dh_block_of(at), old = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
    if (DH_UNLIKELY(!dh_entry_is_list(old))) return false;
    struct dh_list *l = dh_list_lock(entry, old);
    if (DH_UNLIKELY(!l)) return false;
    if (l->credit < DH_CREDIT_MOST) l->credit += DH_CREDIT_MORE;
    if (DH_LIKELY(l->period == 0)
        && (stop % DH_BLOCK == 0
                ? swept_last_piece(steps, &l->pieces, at, begins, changed)
                : at % DH_BLOCK == 0
                      && swept_first_piece(steps, &l->pieces, dh_cell_in_block(stop), changed))) {
        dh_list_unlock(l);
        return true;
    }
    return swept_pieces(steps, l, at, dh_cell_in_block(stop - 1) + 1, begins, changed);
}

/* Whole blocks from `at` to `end`. Returns how far it got. */
static inline __attribute__((always_inline)) uintptr_t
swept_blocks(struct dh_steps const *steps, uintptr_t at, uintptr_t end, bool own, bool *changed) {
    dh_cell before = 0, after = 0; /* neighbours mostly have the same state */
    for (dh_cell *entry = dh_block_of(at); at != end; at += DH_BLOCK, entry++) {
        dh_cell old = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
        if (old == 0) break; /* what its unit says may be anything */
        if (old != before) {
            after = steps_know(steps, old);
            if (after == 0) break;
            before = old;
        }
        if (after == old) continue;
        if (own)
            __atomic_store_n(entry, after, __ATOMIC_RELEASE);
        else if (!__atomic_compare_exchange_n(entry, &old, after, false, __ATOMIC_SEQ_CST,
                                              __ATOMIC_RELAXED))
            break;
        *changed = true;
    }
    return at;
}

/* Returns how far it got. `begins`: so does the access; `own`: all of it is our own. */
static uintptr_t swept(struct dh_thread *self, struct dh_steps const *steps, uintptr_t at,
                       uintptr_t const end, bool begins, bool own, bool *changed) {
    uintptr_t const first = (at + DH_BLOCK - 1) & ~(DH_BLOCK - 1), last = end & ~(DH_BLOCK - 1);
    if (at != first) {
        uintptr_t const stop = first < end ? first : end;
        if (!swept_list(steps, at, stop, begins, changed)) return at;
        self->stats[DH_STAT_list_steps]++;
        at = stop;
    }
    if (at < last) {
        at = swept_blocks(steps, at, last, own, changed);
        self->stats[DH_STAT_block_steps] += (at - first) / DH_BLOCK;
        if (at != last) return at;
    }
    if (at != end) {
        if (!swept_list(steps, at, end, false, changed)) return at;
        self->stats[DH_STAT_list_steps]++;
    }
    return end;
}

/* The list at the end of a long access is mostly in another processor's cache, where others swept
 * it last. */
static inline void fetch_list(uintptr_t address) {
    dh_cell entry = __atomic_load_n(dh_block_of(address), __ATOMIC_RELAXED);
    if (dh_entry_is_list(entry)) dh_prefetch_write(&dh_lists[dh_cell_record(entry)]);
}

static __attribute__((noinline)) bool quick_rest(struct dh_thread *self, enum dh_kind kind,
                                                 uintptr_t begin, uintptr_t at, uintptr_t end,
                                                 size_t size, bool *changed) {
    while (at < end) {
        uintptr_t stop = end & ~(uintptr_t)(DH_CELL_BYTES - 1);
        dh_word bytes = DH_WORD_BYTES_MASK;
        if (at % DH_CELL_BYTES != 0 || stop <= at) {
            stop = (at | (DH_CELL_BYTES - 1)) + 1;
            bytes = DH_WORD_BYTES_MASK << at % DH_CELL_BYTES & DH_WORD_BYTES_MASK;
            if (end < stop) bytes &= DH_WORD_BYTES_MASK >> (stop - end);
            if (end < stop) stop = end;
        }
        struct quick q = quick_of(self, kind, bytes, begin, size);
        at = quick_blocks(&q, at, stop);
        *changed |= q.changed;
        if (at < stop) return false;
    }
    return true;
}

bool dh_blocks_quick(struct dh_thread *self, enum dh_kind kind, uintptr_t begin, uintptr_t at,
                     uintptr_t end, bool *changed) {
    size_t const size = end - at;
    if (at >= DH_ADDRESS_END || size >= DH_ADDRESS_END - at) return false;
    if (size > DH_BLOCK) fetch_list(end - 1);
    bool own = true;
    for (uintptr_t g = at >> DH_GRANULE_SHIFT; g <= (end - 1) >> DH_GRANULE_SHIFT; g++) {
        uint32_t const owner = dh_owner_of(g << DH_GRANULE_SHIFT);
        if (!dh_own_settled(owner)) return false;
        own &= owner != DH_OWNER_SHARED;
    }
    if (size >= DH_BLOCK_SHORT && (at | size) % DH_CELL_BYTES == 0) {
        at = swept(self, steps_of(self, kind, __dh_tls.epoch), at, end, at == begin, own, changed);
        if (at == end) return true;
    }
    return quick_rest(self, kind, begin, at, end, size, changed);
}

/* The cell at this address, of piece i, becomes `next`, another state than it has. False: there is
 * no room for it as a piece. */
static inline __attribute__((always_inline)) bool put_cell(struct dh_pieces *p, uint32_t i,
                                                           uintptr_t address, dh_cell next) {
    uint32_t const cell = dh_cell_in_block(address);
    if (!dh_list_leads(p, i, cell, dh_piece_end(p, i)))
        return dh_pieces_put_swept(p, i, cell, cell + 1, next);
    dh_list_lead(p, i, address, next);
    return true;
}

/* The same in a list that had none. False: it has become fine, as what it was. */
static __attribute__((noinline)) bool put_shortened(struct dh_thread *self, struct dh_list *l,
                                                    uintptr_t address, dh_cell next) {
    dh_list_shorten(l, address);
    DH_COUNT(self, refined_full);
    uint32_t i = dh_piece_of(&l->pieces, dh_cell_in_block(address));
    return l->pieces.cell[i] != DH_PIECE_FINE && put_cell(&l->pieces, i, address, next);
}

bool dh_block_quick(struct dh_thread *self, enum dh_kind kind, uintptr_t address, uint32_t size,
                    dh_word bytes, bool *changed) {
    dh_cell *at = dh_block_of(address), entry = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (DH_LIKELY(dh_entry_is_list(entry)) && dh_own_settled(dh_owner_of(address))) {
        dh_word mine = (__dh_tls.epoch & ~DH_WORD_BYTES_MASK) | bytes;
        struct dh_steps *steps = steps_of(self, kind, mine);
        struct dh_list *l = dh_list_lock(at, entry);
        if (!l) return false;
        struct dh_pieces *p = &l->pieces;
        uint32_t i = dh_piece_of(p, dh_cell_in_block(address));
        dh_cell old = p->cell[i], next = 0;
        if (DH_LIKELY(l->period == 0 && l->credit != 0 && old != DH_PIECE_FINE)) {
            next = steps_know(steps, old);
            if (next == 0) next = steps_find(steps, self, kind, old);
        }
        if (next != 0
            && (next == old || put_cell(p, i, address, next)
                || put_shortened(self, l, address, next))) {
            *changed = next != old;
            l->credit--;
            dh_list_done(l);
            DH_COUNT(self, list_steps);
            return true;
        }
        dh_list_unlock(l);
    }
    return dh_blocks_quick(self, kind, address, address, address + size, changed);
}
