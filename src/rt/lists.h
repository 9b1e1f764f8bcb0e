/* Lists: what blocks (rt/blocks.h) have that are in more than one state. For the files that step
 * blocks.
 *
 * Objects are never given back: a number read from an entry can always be followed. What it leads
 * to is believed only under the lock, and only if the entry still has that number.
 *
 * All of these inside a critical section.
 */
#ifndef DEADHEAT_RT_LISTS_H
#define DEADHEAT_RT_LISTS_H

#include "rt/blocks.h"
#include "rt/shadow.h"

enum {
    /* Of short accesses to a list: at first, what a long one adds, and at most. */
    DH_CREDIT_FIRST = 4,
    DH_CREDIT_MORE = 2,
    DH_CREDIT_MOST = 64,
    /* So many cells between fine ones and one that becomes fine do so, too. */
    DH_LIST_NEARLY = 2,
};

/* What every access looks at is in the first line of the cache, with the first three pieces. */
struct dh_list {
    _Alignas(64) uint32_t lock; /* 1: held, by a thread in a critical section */
    uint32_t number;
    union {
        dh_cell *entry; /* whose list this is; null: free, or not yet anybody's */
        struct dh_list *next_free;
    };
    uint32_t credit; /* how many short accesses may still come; long ones add to it */
    /* Not 0: there are no pieces but *strides*, so many, and starts mean nothing. The state of cell
     * c of the block is pieces.cell[c % period]; none is fine. */
    uint32_t period;
    struct dh_pieces pieces;
};

_Static_assert(sizeof(struct dh_list) <= 128, "a list is at most two cache lines");

extern DH_HIDDEN struct dh_list *dh_lists; /* by number */

/* An entry has the form of a record's cell if it is a list. A block that is fine has it, too. */
static inline bool dh_entry_is_list(dh_cell entry) {
    return dh_cell_is_record(entry) && entry != DH_BLOCK_FINE;
}
static inline bool dh_entry_is_state(dh_cell entry) { return !dh_cell_is_record(entry); }

static inline dh_cell dh_coarse(uintptr_t address) {
    return __atomic_load_n(dh_coarse_of(address), __ATOMIC_ACQUIRE);
}

static inline uint32_t dh_cell_in_block(uintptr_t address) {
    return (uint32_t)((address & (DH_BLOCK - 1)) / DH_CELL_BYTES);
}

/* Held for a few dozen instructions, for each part of a block that is swept. So nobody waits for it
 * in the kernel, who would have to be told: letting go is a plain store. */
void dh_list_wait(struct dh_list *l);
static inline void dh_list_take(struct dh_list *l) {
    uint32_t free = 0;
    if (DH_UNLIKELY(!__atomic_compare_exchange_n(&l->lock, &free, 1, false, __ATOMIC_ACQUIRE,
                                                 __ATOMIC_RELAXED)))
        dh_list_wait(l);
}
static inline void dh_list_unlock(struct dh_list *l) {
    __atomic_store_n(&l->lock, 0, __ATOMIC_RELEASE);
}

/* The list of an entry, locked; null if the entry has changed. */
static inline struct dh_list *dh_list_lock(dh_cell *at, dh_cell entry) {
    struct dh_list *l = &dh_lists[dh_cell_record(entry)];
    dh_list_take(l);
    if (DH_LIKELY(__atomic_load_n(at, __ATOMIC_RELAXED) == entry)) return l;
    dh_list_unlock(l);
    return 0;
}

/* The same of a block's state, which becomes a list. */
struct dh_list *dh_list_make(uintptr_t address, dh_cell *at, dh_cell entry);
static inline struct dh_list *dh_list_of(uintptr_t address, dh_cell *at, dh_cell entry) {
    return DH_LIKELY(dh_entry_is_list(entry)) ? dh_list_lock(at, entry)
                                              : dh_list_make(address, at, entry);
}

static inline void dh_list_begin(struct dh_list *l, dh_cell cell) {
    dh_pieces_begin(&l->pieces, cell);
    l->period = 0;
}

/* Unlocks, and does without a list if one state says it all. Where that is 0 the unit says 0,
 * too. */
void dh_list_done_slow(struct dh_list *l);
static inline void dh_list_done(struct dh_list *l) {
    if (DH_LIKELY(l->period == 0 && l->pieces.count != 1))
        dh_list_unlock(l);
    else
        dh_list_done_slow(l);
}

/* A locked list that is, or will be, in no entry. */
void dh_list_free(struct dh_list *l);

/* The whole block becomes fine, and the list ends. */
void dh_list_expand(struct dh_list *l, uintptr_t address);
/* Small neighbours become fine, so that there is room again. */
void dh_list_shorten(struct dh_list *l, uintptr_t address);
/* The piece that the address is in becomes fine, if it is small; else false. An element that is
 * used again and again while the rest is swept is no reason to write down all of it. */
bool dh_list_refine(struct dh_list *l, uintptr_t address);

static inline bool dh_list_fine_at(struct dh_list const *l, uintptr_t address) {
    return l->period == 0
           && l->pieces.cell[dh_piece_of(&l->pieces, dh_cell_in_block(address))] == DH_PIECE_FINE;
}

/* An access begins at this cell of piece i, which is to change, right behind fine ones or nearly
 * so, and the piece goes on behind it up to `stop`, at least. Then it is to become fine, with the
 * few before it, as what the access makes of it. Who works on a part of a row that shrinks, as
 * factorisations do, begins there again and again, each time a cell later, and that cell is what is
 * used by itself meanwhile. Who began in the fine ones does not lead; who begins at the same cell
 * each time has it fine from then on, and the piece does not become shorter any more. */
static inline bool dh_list_leads(struct dh_pieces const *p, uint32_t i, uint32_t cell,
                                 uint32_t stop) {
    return i > 0 && cell - p->start[i] <= DH_LIST_NEARLY && stop - cell > 1
           && p->cell[i - 1] == DH_PIECE_FINE;
}
/* Nobody else changes these cells before they are there. From then on they may: they are not
 * written again. */
static inline void dh_list_lead(struct dh_pieces *p, uint32_t i, uintptr_t address, dh_cell next) {
    uint32_t const cell = dh_cell_in_block(address);
    dh_cell *at = dh_shadow(address);
    for (uint32_t c = p->start[i]; c < cell; c++)
        __atomic_store_n(at - (cell - c), p->cell[i], __ATOMIC_RELEASE);
    __atomic_store_n(at, next, __ATOMIC_RELEASE);
    p->start[i] = (uint8_t)(cell + 1);
}

/* Such an access, of `size` bytes at `at`, was on record in a block that has one state. It costs
 * little, but a test in the program that found it would cost nothing: where many are made the block
 * becomes fine. */
void dh_block_visit(struct dh_thread *self, dh_epoch_id epoch, size_t size, uintptr_t at);

#endif
