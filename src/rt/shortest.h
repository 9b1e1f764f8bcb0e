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

/* The cell has the access of the running epoch to these bytes on record: in the way that the inlined test
 * sees, only that it asks for whole cells where an access is not aligned, or in a set, which it cannot look
 * into. Data that all threads read has many sets, and so has an array whose neighbours are used at
 * different times. */
static inline __attribute__((always_inline)) bool
dh_shortest_recorded(uintptr_t address, dh_word bytes, enum dh_kind kind) {
    dh_cell cell = __atomic_load_n(dh_shadow(address), __ATOMIC_ACQUIRE);
    dh_word word = kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell);
    dh_word const care = ~DH_WORD_BYTES_MASK | bytes;
    if (((word ^ __dh_tls.epoch) & care) == 0) return true;
    if (!dh_word_is_set(word) || !dh_quick_in_set(word, __dh_tls.epoch & care)) return false;
    if (kind == DH_READ) dh_parts_remember(cell);
    return true;
}

/* The same for one cell or two, whose bytes follow those of the first. Keep all registers. */
__attribute__((preserve_most)) bool dh_shortest_known_read(uintptr_t address, dh_word bytes);
__attribute__((preserve_most)) bool dh_shortest_known_write(uintptr_t address, dh_word bytes);

static inline __attribute__((always_inline)) bool
dh_shortest_known(uintptr_t address, dh_word bytes, enum dh_kind kind) {
    dh_word const first = bytes & DH_WORD_BYTES_MASK, second = bytes >> DH_CELL_BYTES;
    dh_critical_enter_known();
    bool known = __dh_tls.epoch - 1 < DH_WORD_OBJECT && dh_shortest_recorded(address, first, kind)
                 && (second == 0 || dh_shortest_recorded(address + DH_CELL_BYTES, second, kind));
    dh_critical_leave();
    return known;
}

/* Parts of cells are in sets more often than not, so that the test is where it is needed. Of whole cells most
 * are not, and their shortest way should not save registers for it. */
static inline __attribute__((always_inline)) bool
dh_shortest_ask(dh_cell cell, uintptr_t address, dh_word bytes, uint32_t size, enum dh_kind kind) {
    dh_word word = kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell);
    if (bytes <= DH_WORD_BYTES_MASK && !dh_word_is_set(word)) return false;
    if (size < DH_CELL_BYTES) return dh_shortest_known(address, bytes, kind);
    return kind == DH_READ ? dh_shortest_known_read(address, bytes)
                           : dh_shortest_known_write(address, bytes);
}

/* A cell of epochs that needs more than its words after an access to these bytes: a hint, for the quick way
 * finds out. */
static inline bool dh_shortest_breaks(dh_cell cell, dh_word bytes, enum dh_kind kind) {
    dh_word old = kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell);
    return (old & DH_WORD_BYTES_MASK & ~bytes) != 0
           && ((old ^ __dh_tls.epoch) & ~DH_WORD_BYTES_MASK) != 0;
}

/* From the function that the program called. False: nothing was done. */
static inline __attribute__((always_inline)) bool dh_shortest(uintptr_t address, uint32_t size,
                                                              enum dh_kind kind) {
    dh_word bytes = ((1u << size) - 1) << address % DH_CELL_BYTES;
    dh_cell *at = dh_shadow(address), cell, next;
    cell = __atomic_load_n(at, __ATOMIC_RELAXED);
    if ((cell & DH_SHORTEST_OBJECTS) != 0 || bytes > DH_WORD_BYTES_MASK)
        return dh_shortest_ask(cell, address, bytes, size, kind);
    if (DH_UNLIKELY(dh_recording)) return false;
    if (size < DH_CELL_BYTES && dh_shortest_breaks(cell, bytes, kind)) return false;
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
