/* The shortest of the ways past the inlined test, for what most of them are: an access to a cell
 * that lies in fine shadow and holds nothing but epochs, all of them ordered before it. The same
 * steps as rt/quick.h, which is asked next: it finds the cell as it was, so nothing is lost by
 * trying.
 *
 * Each register that is used here is saved and restored, at every call. All that is called keeps
 * the registers and asks for nothing in one, but for the address, which is there already; and
 * whatever is rare is done elsewhere: then there are few of them.
 */
#ifndef DEADHEAT_RT_SHORTEST_H
#define DEADHEAT_RT_SHORTEST_H

#include "rt/quick.h"

#define DH_SHORTEST_OBJECTS dh_cell_of(DH_WORD_OBJECT, DH_WORD_OBJECT)

/* Both words of a cell, whatever they are, are of epochs that are ordered before the running thread.
 * Keeps all registers; the address is there already. */
__attribute__((preserve_most)) bool dh_shortest_ordered(uintptr_t address, dh_cell cell);

/* Most are of its own slot. */
static inline __attribute__((always_inline)) bool
dh_shortest_is_ordered(uintptr_t address, dh_cell cell, struct dh_thread const *self) {
    dh_word const write = dh_cell_write(cell), read = dh_cell_read(cell);
    return ((write == 0 || DH_LIKELY(dh_bound_is_of(write, &self->own)))
            && (read == 0 || DH_LIKELY(dh_bound_is_of(read, &self->own))))
           || dh_shortest_ordered(address, cell);
}

/* The bytes of a cell that the access is on, and above them those of the next. */
static inline dh_word dh_shortest_bytes(uintptr_t address, uint32_t size) {
    return ((1u << size) - 1) << address % DH_CELL_BYTES;
}

/* What the running epoch's access makes of a cell whose words are ordered: dh_quick_step, where all
 * bytes of it leave nothing of an older word of the same kind. False: it needs more than words. */
static inline __attribute__((always_inline)) bool
dh_shortest_made(dh_cell *cell, uintptr_t address, uint32_t size, enum dh_kind kind) {
    dh_word const mine = __dh_tls.epoch; /* with all bytes */
    dh_word write = dh_cell_write(*cell), read = dh_cell_read(*cell);
    if (size < DH_CELL_BYTES)
        return dh_quick_step(cell, (mine & ~DH_WORD_BYTES_MASK) | dh_shortest_bytes(address, size),
                             kind);
    if (kind == DH_READ)
        *cell = dh_cell_of(write, mine);
    else
        *cell = dh_cell_of(mine, (read ^ mine) <= DH_WORD_BYTES_MASK ? read : 0);
    return true;
}

/* The cell in shadow of this owner becomes that, if it still is what it was, and if it is ours to
 * change. */
static inline __attribute__((always_inline)) bool
dh_shortest_exchange(dh_cell *at, dh_cell cell, dh_cell next, uint32_t owner) {
    if (DH_LIKELY(owner == __dh_critical.owner)) {
        __atomic_store_n(at, next, __ATOMIC_RELAXED);
        return true;
    }
    return DH_LIKELY(owner == DH_OWNER_SHARED)
           && __atomic_compare_exchange_n(at, &cell, next, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED);
}

/* dh_history_note, from the function that the program called. */
static inline __attribute__((always_inline)) void
dh_shortest_note(uintptr_t address, uint32_t size, uint32_t flags, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    if (DH_UNLIKELY(!dh_context_is_of(self->here, here.frame)) && !dh_history_enter_outer()) return;
    dh_event_put(self, address, size, flags, here.pc);
}

/* From the function that the program called: an access within one cell, which is of epochs. False:
 * nothing was done. */
static inline __attribute__((always_inline)) bool dh_shortest(uintptr_t address, uint32_t size,
                                                              enum dh_kind kind) {
    if (DH_UNLIKELY(dh_recording)) return false;
    dh_critical_enter_known();
    /* Asked inside: until then a signal handler may end the epoch. */
    if (DH_UNLIKELY(__dh_tls.epoch - 1 >= DH_WORD_OBJECT) && !dh_epochs_open_quick()) goto undone;
    struct dh_thread *self = __dh_tls.self;
    dh_cell *at = dh_shadow(address), cell = __atomic_load_n(at, __ATOMIC_ACQUIRE), next = cell;
    if (DH_UNLIKELY(cell == 0)) goto undone;
    if (!dh_shortest_is_ordered(address, cell, self)) goto undone;
    if (!dh_shortest_made(&next, address, size, kind)
        || !dh_shortest_exchange(at, cell, next, dh_owner_of(address)))
        goto undone;
    dh_shortest_note(address, size, kind == DH_WRITE ? DH_ACCESS_WRITE : 0, DH_HERE);
    dh_critical_leave();
    return true;
undone:
    dh_critical_leave();
    return false;
}

/* The same, of an access within one cell that has a set for its kind. */
static inline __attribute__((always_inline)) bool
dh_shortest_remembered(uintptr_t address, uint32_t size, enum dh_kind kind) {
    dh_cell cell = __atomic_load_n(dh_shadow(address), __ATOMIC_RELAXED);
    return dh_known_set_has(kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell),
                            dh_shortest_bytes(address, size));
}

/* The set has the running epoch on all bytes of `mine`, which is a word of it: the thread knows the
 * set from now on. */
static inline __attribute__((always_inline)) bool dh_shortest_in_set(dh_word set, dh_word mine) {
    uint32_t const *member = DH_SETS + DH_SET_UNIT * (uint64_t)dh_word_set_id(set);
    uint32_t left = *member;
    do {
        if (left-- == 0) return false;
    } while ((*++member ^ mine) > DH_WORD_BYTES_MASK);
    if ((mine & ~*member) != 0) return false;
    dh_known_set_put(set, *member);
    return true;
}

/* The cell has the access of the running epoch to these bytes on record: in the way that the
 * inlined test sees, only that it asks for whole cells where an access is not aligned, or in a set,
 * which it cannot look into. Data that all threads read has many sets, and so has an array whose
 * neighbours are used at different times. */
static inline __attribute__((always_inline)) bool
dh_shortest_recorded(uintptr_t address, dh_word bytes, enum dh_kind kind) {
    dh_cell cell = __atomic_load_n(dh_shadow(address), __ATOMIC_ACQUIRE);
    dh_word word = kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell);
    dh_word const mine = __dh_tls.epoch & (~DH_WORD_BYTES_MASK | bytes);
    if (!dh_word_is_set(word)) return (word & (~DH_WORD_BYTES_MASK | bytes)) == mine;
    if (!dh_shortest_in_set(word, mine)) return false;
    if (kind == DH_READ) dh_parts_remember(cell);
    return true;
}

/* From the function that the program called: an access within one cell that takes a set for its
 * kind, or does so with this access. What the same access made of a cell in the same state the
 * thread mostly remembers, for those of an array go through the same few states; or the set that is
 * there has the access on record. False: nothing was done. */
static inline __attribute__((always_inline)) bool
dh_shortest_changed(uintptr_t address, uint32_t size, enum dh_kind kind) {
    if (DH_UNLIKELY(dh_recording)) return false;
    dh_critical_enter_known();
    /* Asked inside: until then a signal handler may end the epoch. */
    if (DH_UNLIKELY(__dh_tls.epoch - 1 >= DH_WORD_OBJECT)) goto undone;
    dh_cell *at = dh_shadow(address), cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    dh_word const mine = (__dh_tls.epoch & ~DH_WORD_BYTES_MASK) | dh_shortest_bytes(address, size);
    dh_word const word = kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell);
    dh_cell next = dh_parts_changed(__dh_tls.self, cell, mine, kind);
    if (next == 0 || next == cell) {
        if (!dh_word_is_set(word) || !dh_shortest_in_set(word, mine)) goto undone;
        next = cell;
    } else {
        if (!dh_shortest_exchange(at, cell, next, dh_owner_of(address))) goto undone;
        dh_history_note(__dh_tls.self, address, size, kind == DH_WRITE ? DH_ACCESS_WRITE : 0,
                        DH_HERE);
    }
    if (kind == DH_READ) dh_parts_remember(next);
    dh_critical_leave();
    return true;
undone:
    dh_critical_leave();
    return false;
}

/* From the function that the program called: of one cell or two. */
static inline __attribute__((always_inline)) bool
dh_shortest_known(uintptr_t address, uint32_t size, enum dh_kind kind) {
    dh_word const bytes = dh_shortest_bytes(address, size), second = bytes >> DH_CELL_BYTES;
    dh_critical_enter_known();
    bool known = __dh_tls.epoch - 1 < DH_WORD_OBJECT
                 && dh_shortest_recorded(address, bytes & DH_WORD_BYTES_MASK, kind)
                 && (second == 0 || dh_shortest_recorded(address + DH_CELL_BYTES, second, kind));
    dh_critical_leave();
    return known;
}

#endif
