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

/* The inlined test may trust this set from now on, if our epoch is in it on all eight bytes. */
static inline void dh_parts_remember(dh_cell cell, enum dh_kind kind) {
    dh_word read = dh_cell_read(cell);
    if (kind == DH_READ && dh_word_is_set(read) && dh_word_mask(read) == DH_WORD_BYTES_MASK)
        __dh_tls.readset = read;
}

#endif
