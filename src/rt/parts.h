/* Cells that take more than a word: bytes used at different times, reads by several threads. What
 * becomes of such a cell is computed on its words (core/parts.h), and the thread remembers its last
 * changes, because bulk work takes cell after cell through the same few. A cell whose change is not like
 * any other's lately is split instead (rt/splits.h).
 */
#ifndef DEADHEAT_RT_PARTS_H
#define DEADHEAT_RT_PARTS_H

#include "rt/abi.h"
#include "rt/state.h"

/* Inside a critical section: what becomes of `cell`, which is no record and not split, when the running thread,
 * in its running epoch, makes the access of the word `mine`. False: a race, or no room, and nothing
 * was decided. */
bool dh_parts_change(struct dh_thread *self, dh_cell *cell, dh_word mine, enum dh_kind kind);

/* The same for the quick way (rt/quick.h), with the exchange, of any cell but a record; it may become split
 * (rt/splits.h). */
enum dh_outcome { DH_UNDECIDED, DH_ON_RECORD, DH_NEWS };
enum dh_outcome dh_parts_quick(struct dh_thread *self, dh_cell *at, dh_cell cell, dh_word mine,
                               enum dh_kind kind, bool own);

/* Inside a critical section: our epoch is in the set that the cell has for reads. The inlined test may
 * trust the set from now on, if that is so on all eight bytes. */
void dh_parts_remember(struct dh_thread *self, dh_cell cell);

static inline uint64_t *dh_parts_known(struct dh_sharing *sharing, dh_word set) {
    return &sharing->known[dh_word_set_id(set) & ((1u << DH_KNOWN_BITS) - 1)];
}

/* Inside: is this a set that is remembered to have the epoch on these bytes? */
static inline bool dh_parts_remembers(struct dh_thread *self, dh_word read, dh_word bytes) {
    if (!dh_word_is_set(read) || !self->sharing) return false;
    uint64_t wanted = (uint64_t)(read | DH_WORD_BYTES_MASK) << 32 | __dh_tls.epoch;
    uint64_t others = (uint64_t)(DH_WORD_BYTES_MASK & ~bytes) << 32;
    return ((*dh_parts_known(self->sharing, read) ^ wanted) & ~others) == 0;
}

#endif
