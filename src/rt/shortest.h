/* The shortest of the ways past the inlined test, for what most of them are: an access to a cell that
 * lies in fine shadow and holds nothing but epochs, all of them ordered before it. The same steps as
 * rt/quick.h, which is asked next: it finds the cell as it was, so nothing is lost by trying.
 *
 * All that is called from here keeps the registers, so that only those are saved that are used, and
 * whatever is rare is done elsewhere: then there are few of them.
 */
#ifndef DEADHEAT_RT_SHORTEST_H
#define DEADHEAT_RT_SHORTEST_H

#include "rt/quick.h"

#define DH_SHORTEST_OBJECTS dh_cell_of(DH_WORD_OBJECT, DH_WORD_OBJECT)

/* Nobody's, or an epoch of this thread's slot; or the one of another's that it met last: what was written
 * in one epoch is read in one. */
static inline bool dh_shortest_own(dh_word w, struct dh_thread const *self) {
    return w == 0 || DH_LIKELY(dh_bound_slot(dh_bound_of(w)) == self->slot)
           || (w & ~DH_WORD_BYTES_MASK) == self->ordered;
}

/* Both words of a cell are ordered before the running thread, which remembers that. Keeps all registers. */
__attribute__((preserve_most)) bool dh_shortest_ordered(dh_cell cell);

/* What the running epoch's access to these bytes makes of the cell: dh_quick_step, where all bytes of it
 * leave nothing of an older word of the same kind. */
static inline bool dh_shortest_made(dh_cell *cell, dh_word bytes, enum dh_kind kind) {
    dh_word const id = __dh_tls.epoch & ~DH_WORD_BYTES_MASK;
    dh_word write = dh_cell_write(*cell), read = dh_cell_read(*cell);
    if (bytes != DH_WORD_BYTES_MASK) return dh_quick_step(cell, id | bytes, kind);
    if (kind == DH_READ)
        *cell = dh_cell_of(write, id | bytes);
    else
        *cell = dh_cell_of(id | bytes, (read & ~DH_WORD_BYTES_MASK) == id ? read : 0);
    return true;
}

/* The epoch may be written to the cell at `at`, in shadow of this owner, with these bytes: *next is what
 * the cell becomes then. */
static inline __attribute__((always_inline)) bool
dh_shortest_step(dh_cell cell, dh_cell *next, uint32_t owner, dh_word bytes, enum dh_kind kind) {
    struct dh_thread const *self = __dh_tls.self;
    *next = cell;
    return DH_LIKELY(cell != 0) && DH_LIKELY((cell & DH_SHORTEST_OBJECTS) == 0)
           && dh_own_settled(owner)
           && ((dh_shortest_own(dh_cell_write(cell), self)
                && dh_shortest_own(dh_cell_read(cell), self))
               || dh_shortest_ordered(cell))
           && dh_shortest_made(next, bytes, kind);
}

/* It becomes that, if it still is what it was. */
static inline bool dh_shortest_exchange(dh_cell *at, dh_cell cell, dh_cell next, uint32_t owner) {
    if (DH_UNLIKELY(owner == DH_OWNER_SHARED))
        return __atomic_compare_exchange_n(at, &cell, next, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_RELAXED);
    __atomic_store_n(at, next, __ATOMIC_RELAXED);
    return true;
}

/* Has the cell a set for reads that the thread remembers its epoch to be in? */
static inline __attribute__((always_inline)) bool dh_shortest_known(dh_cell *at, dh_word bytes) {
    dh_critical_enter_known();
    dh_cell cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    bool known = __dh_tls.epoch - 1 < DH_WORD_OBJECT
                 && dh_parts_remembers(__dh_tls.self, dh_cell_read(cell), bytes);
    dh_critical_leave();
    return known;
}

/* From the function that the program called. False: nothing was done. */
static inline __attribute__((always_inline)) bool dh_shortest(uintptr_t address, uint32_t size,
                                                              enum dh_kind kind) {
    dh_word bytes = ((1u << size) - 1) << address % DH_CELL_BYTES;
    dh_cell *at = dh_shadow(address), cell, next;
    if (DH_UNLIKELY(bytes > DH_WORD_BYTES_MASK)) return false;
    cell = __atomic_load_n(at, __ATOMIC_RELAXED);
    if ((cell & DH_SHORTEST_OBJECTS) != 0)
        return kind == DH_READ && dh_word_is_set(dh_cell_read(cell))
               && dh_shortest_known(at, bytes);
    if (DH_UNLIKELY(dh_recording)) return false;
    if (kind == DH_WRITE) dh_prefetch_write(at);
    dh_critical_enter_known();
    /* Asked inside: until then a signal handler may end the epoch. */
    if (DH_LIKELY(__dh_tls.epoch - 1 < DH_WORD_OBJECT) || dh_epochs_open_quick()) {
        uint32_t owner = dh_owner_of(address);
        cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
        if (dh_shortest_step(cell, &next, owner, bytes, kind)
            && dh_shortest_exchange(at, cell, next, owner)) {
            if (DH_LIKELY(cell != next))
                dh_history_note(__dh_tls.self, address, size,
                                kind == DH_WRITE ? DH_ACCESS_WRITE : 0, DH_HERE);
            dh_critical_leave();
            return true;
        }
    }
    dh_critical_leave();
    return false;
}

#endif
