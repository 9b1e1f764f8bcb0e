/* Cells that take more than a word: bytes used at different times, reads by several threads. What
 * becomes of such a cell is computed on its words (core/parts.h), and the thread remembers its last
 * changes, because bulk work takes cell after cell through the same few. A cell whose change is not
 * like any other's lately is split instead (rt/splits.h).
 */
#ifndef DEADHEAT_RT_PARTS_H
#define DEADHEAT_RT_PARTS_H

#include "rt/abi.h"
#include "rt/state.h"

/* Inside critical sections: the thread's first change; its end, when what it remembers goes on to
 * the next, which has other epochs; and, with the world stopped, a collection. */
void dh_sharing_begin(struct dh_thread *self);
void dh_sharing_end(struct dh_thread *thread);
void dh_sharing_collect(void);

/* Inside a critical section: what becomes of `cell`, which is no record and not split, when the
 * running thread, in its running epoch, makes the access of the word `mine`. False: a race, or no
 * room, and nothing was decided. */
bool dh_parts_change(struct dh_thread *self, dh_cell *cell, dh_word mine, enum dh_kind kind);

/* The same for the quick way (rt/quick.h), with the exchange, of any cell but a record; it may
 * become split (rt/splits.h). Keeps all registers. */
enum dh_outcome { DH_UNDECIDED, DH_ON_RECORD, DH_NEWS };
__attribute__((preserve_most)) enum dh_outcome dh_parts_quick(struct dh_thread *self, dh_cell *at,
                                                              dh_cell cell, dh_word mine,
                                                              enum dh_kind kind, bool own);

static inline uint64_t dh_parts_access(dh_word mine, enum dh_kind kind) {
    return (uint64_t)mine << 32 | kind;
}
static inline struct dh_change *dh_parts_change_of(struct dh_sharing *sharing, dh_cell old,
                                                   dh_word mine, enum dh_kind kind) {
    uint64_t mixed = (old ^ dh_parts_access(mine, kind)) * 0x9e3779b97f4a7c15u;
    return &sharing->changes[mixed >> (64 - DH_CHANGES_BITS)];
}
static inline bool dh_parts_is_change(struct dh_change const *known, dh_cell old, dh_word mine,
                                      enum dh_kind kind) {
    return known->old == old && known->access == dh_parts_access(mine, kind);
}

/* Inside: what the same access made of a cell in the same state, as far as the thread remembers; 0
 * if it does not; the cell itself if that was on record. What was no race then is none now: within
 * an epoch a thread only learns more. */
static inline dh_cell dh_parts_changed(struct dh_thread const *self, dh_cell old, dh_word mine,
                                       enum dh_kind kind) {
    if (DH_UNLIKELY(!self->sharing)) return 0;
    struct dh_change const *known = dh_parts_change_of(self->sharing, old, mine, kind);
    return dh_parts_is_change(known, old, mine, kind) ? known->new : 0;
}

/* Inside: the access is on record in a set of this cell, which is not split. */
static inline void dh_parts_on_record(struct dh_thread *self, dh_cell cell, dh_word mine,
                                      enum dh_kind kind) {
    if (DH_LIKELY(self->sharing != 0))
        *dh_parts_change_of(self->sharing, cell, mine, kind) =
            (struct dh_change){cell, cell, dh_parts_access(mine, kind)};
}

/* Sets that the thread found an epoch of its own in, each in its place, as a cell: the set for
 * reads, the word of the epoch in it for writes. An epoch that is over matches nothing, so it may
 * stay; a collection forgets all. */
static inline uint64_t *dh_known_set(dh_word set) {
    return &__dh_tls.known[dh_word_set_id(set) % DH_KNOWN_SETS];
}
static inline void dh_known_set_put(dh_word set, dh_word member) {
    __atomic_store_n(dh_known_set(set), dh_cell_of(member, set), __ATOMIC_RELAXED);
}

/* The set has the running epoch on these bytes, as far as the thread remembers. Outside of critical
 * sections, too. */
static inline __attribute__((always_inline)) bool dh_known_set_has(dh_word set, dh_word bytes) {
    dh_cell known = __atomic_load_n(dh_known_set(set), __ATOMIC_RELAXED);
    uint64_t const care = ~(uint64_t)DH_WORD_BYTES_MASK | bytes;
    return ((known ^ dh_cell_of(__dh_tls.epoch, set)) & care) == 0;
}

/* Inside: our epoch is in the set that the cell has for reads, if it has one. The inlined test may
 * trust the set from now on, if that is so on all eight bytes. */
static inline void dh_parts_remember(dh_cell cell) {
    dh_word read = dh_cell_read(cell);
    if (dh_word_is_set(read) && dh_word_mask(read) == DH_WORD_BYTES_MASK) __dh_tls.readset = read;
}

#endif
