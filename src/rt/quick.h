/* The first access of an epoch to a place that nobody else has used since we last did: what most
 * calls past the inlined test are. The same steps as rt/judge.c, without the detours. Whatever
 * else: false, nothing was done, and the long way decides.
 */
#ifndef DEADHEAT_RT_QUICK_H
#define DEADHEAT_RT_QUICK_H

#include "core/split.h"
#include "rt/blocks.h"
#include "rt/epochs.h"
#include "rt/history.h"
#include "rt/own.h"
#include "rt/parts.h"
#include "rt/shadow.h"
#include "rt/tape.h"

/* The word is nobody's, or one epoch's that is ordered before us: mostly an older one of our
 * own. */
static inline bool dh_quick_ordered(dh_word w, struct dh_thread const *self) {
    if (w == 0) return true;
    if (w & DH_WORD_OBJECT) return false;
    uint64_t bound = dh_bound_of(w);
    dh_slot slot = dh_bound_slot(bound);
    if (DH_LIKELY(slot == self->slot) || dh_bound_tick(bound) <= dh_vc_tick(self->vc, slot))
        return true;
    struct dh_epoch e = DH_EPOCHS[dh_word_epoch_id(w)];
    return e.slot == self->slot || e.tick <= dh_vc_tick(self->vc, e.slot);
}

/* The state after this access where both words are ordered: what dh_cell_step says then. False
 * where the access covers only some of the bytes of an older word. */
static inline bool dh_quick_step(dh_cell *cell, dh_word mine, enum dh_kind kind) {
    dh_word write = dh_cell_write(*cell), read = dh_cell_read(*cell);
    dh_word bytes = mine & DH_WORD_BYTES_MASK, id = mine & ~DH_WORD_BYTES_MASK;
    dh_word old = kind == DH_READ ? read : write;
    if ((old & ~DH_WORD_BYTES_MASK) == id)
        mine |= old;
    else if (old & DH_WORD_BYTES_MASK & ~bytes)
        return false;
    if (kind == DH_READ) {
        read = mine;
    } else {
        write = mine;
        if ((read & ~DH_WORD_BYTES_MASK) != id) {
            read &= ~bytes;
            if (dh_word_mask(read) == 0) read = 0;
        }
    }
    *cell = dh_cell_of(write, read);
    return true;
}

/* What becomes of a cell that is accessed whole. False: that needs the long way. */
static inline bool dh_quick_whole(dh_cell *cell, enum dh_kind kind, struct dh_thread const *self,
                                  bool empty_unit) {
    dh_word mine = __dh_tls.epoch, set = __dh_tls.readset;
    dh_word same_kind = kind == DH_READ ? dh_cell_read(*cell) : dh_cell_write(*cell);
    if (same_kind == mine || (kind == DH_READ && same_kind == set)) return true;
    if (*cell == 0 && !empty_unit) return false;
    if (!dh_quick_ordered(dh_cell_write(*cell), self)
        || !dh_quick_ordered(dh_cell_read(*cell), self))
        return false;
    return dh_quick_step(cell, mine, kind);
}

/* The same for whole cells from `at` to `end`, inside one fine place that is the running thread's
 * own: nobody else changes anything there meanwhile, its coarse cell included. Returns the first
 * cell that needs the long way, or the end.
 *
 * Neighbours mostly have the same state, for they were accessed together: what becomes of it is
 * found out once, and then four cells are looked at a time. */
static inline uintptr_t dh_quick_cells(uintptr_t at, uintptr_t end, enum dh_kind kind,
                                       struct dh_thread const *self, bool *changed) {
    bool empty_unit = *dh_coarse_of(at) == 0;
    dh_cell *cell = dh_shadow(at);
    dh_cell *const first = cell, *const last = cell + (end - at) / DH_CELL_BYTES;
    while (cell < last) {
        dh_cell const old = *cell;
        dh_cell new = old;
        if (!dh_quick_whole(&new, kind, self, empty_unit)) break;
        if (new != old) *changed = true;
        while (last - cell >= 4
               && ((cell[0] ^ old) | (cell[1] ^ old) | (cell[2] ^ old) | (cell[3] ^ old)) == 0) {
            if (new != old) cell[0] = cell[1] = cell[2] = cell[3] = new;
            cell += 4;
        }
        for (; cell < last && *cell == old; cell++)
            if (new != old) *cell = new;
    }
    return at + (uintptr_t)(cell - first) * DH_CELL_BYTES;
}

/* READSAMEEPOCH, WRITESAMEEPOCH: fine cells say that this very access was made, in the way that the
 * inlined test sees (emit/fastpath.c). Outside of critical sections, too. */
static inline bool dh_quick_on_record(uintptr_t address, size_t size, enum dh_kind kind) {
    dh_word mine = __dh_tls.epoch, set = kind == DH_READ ? __dh_tls.readset : mine;
    for (uintptr_t at = address, end = address + size; at < end;) {
        uintptr_t next = (at | (DH_CELL_BYTES - 1)) + 1;
        dh_cell cell = __atomic_load_n(dh_shadow(at), __ATOMIC_RELAXED);
        dh_word word = kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell);
        dh_word bytes = DH_WORD_BYTES_MASK << at % DH_CELL_BYTES & DH_WORD_BYTES_MASK;
        if (end < next) bytes &= DH_WORD_BYTES_MASK >> (next - end);
        dh_word care = ~DH_WORD_BYTES_MASK | bytes;
        if (((word ^ mine) & care) != 0 && ((word ^ set) & care) != 0
            && !(dh_word_is_set(word) && dh_known_set_has(word, bytes)))
            return false;
        at = next;
    }
    return true;
}

/* The access to these bytes, of cells and blocks as they are, with the running epoch, which is
 * opened if need be. Inside a critical section; the memory has shadow. False: the long way has to
 * make it. What was made of it is on record, and *changed says if any of that was new. In
 * rt/access.c. */
bool dh_range_quick(struct dh_thread *self, uintptr_t address, size_t size, enum dh_kind kind,
                    bool *changed);

/* The set holds this epoch on all these bytes: the access is on record. */
static inline __attribute__((always_inline)) bool dh_quick_in_set(dh_word set, dh_word mine) {
    uint32_t count;
    uint32_t const *words = dh_set_words(&dh_tables, set, &count);
    return dh_words_have(words, count, mine);
}

/* `bytes` of the cell at `address`; *changed says whether that was news. A cell of 0 stands for
 * what its unit says, if its block leaves that to the cells (rt/shadow.h). Whatever is called from
 * here keeps the registers, so that who comes here saves only those that are used. */
static inline __attribute__((always_inline)) bool dh_quick_cell(uintptr_t address, dh_word bytes,
                                                                enum dh_kind kind,
                                                                struct dh_thread *self,
                                                                bool *changed) {
    uint32_t owner = dh_owner_of(address);
    dh_cell *at = dh_shadow(address), cell = __atomic_load_n(at, __ATOMIC_ACQUIRE), state = cell;
    dh_word mine = (__dh_tls.epoch & ~DH_WORD_BYTES_MASK) | bytes;
    if (!dh_own_settled(owner)) return false;
    if (DH_UNLIKELY(cell == 0)) {
        if (!dh_block_is_fine(address)) return false;
        state = __atomic_load_n(dh_coarse_of(address), __ATOMIC_ACQUIRE);
    }
    dh_word same_kind = kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell);
    dh_cell next = 0;
    if (!dh_cell_is_split(cell)) {
        next = dh_parts_changed(self, cell, mine, kind);
        if (next == 0 && dh_word_is_set(same_kind) && dh_quick_in_set(same_kind, mine)) {
            dh_parts_on_record(self, cell, mine, kind);
            next = cell;
        } else if (next == 0) {
            next = state;
            if (!dh_quick_step(&next, mine, kind) || !dh_quick_ordered(dh_cell_write(state), self)
                || !dh_quick_ordered(dh_cell_read(state), self))
                next = 0;
        }
    }
    if (next == 0) {
        if (cell == 0) return false;
        enum dh_outcome outcome =
            dh_parts_quick(self, at, cell, mine, kind, owner != DH_OWNER_SHARED);
        if (outcome == DH_NEWS) *changed = true;
        return outcome != DH_UNDECIDED;
    }
    if (next == state) {
        /* Others read here after us: the next will be so, too. */
        if (kind == DH_READ) dh_parts_remember(cell);
        if (dh_word_is_set(same_kind)) dh_known_set_put(same_kind, mine);
        return true;
    }
    *changed = true;
    if (owner != DH_OWNER_SHARED)
        __atomic_store_n(at, next, __ATOMIC_RELAXED);
    else if (!__atomic_compare_exchange_n(at, &cell, next, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED))
        return false;
    if (kind == DH_READ) dh_parts_remember(next);
    return true;
}

static inline __attribute__((always_inline)) bool
dh_quick(uintptr_t address, uint32_t size, bool aligned, enum dh_kind kind, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    bool changed = false, done;
    uint32_t at = address % DH_CELL_BYTES;
    uint32_t bytes = ((1u << size) - 1) << at; /* of one cell, or two */
    /* What the compiler took for aligned need not be: programs cast pointers. */
    if (DH_UNLIKELY(aligned && at + size > DH_CELL_BYTES)) return false;
    dh_critical_enter();
    /* Asked inside: until then a signal handler may end the epoch. */
    done = (DH_LIKELY(__dh_tls.epoch - 1 < DH_WORD_OBJECT) || dh_epochs_open_quick())
           && dh_quick_cell(address, bytes & DH_WORD_BYTES_MASK, kind, self, &changed)
           && (aligned || at + size <= DH_CELL_BYTES
               || dh_quick_cell(address + DH_CELL_BYTES, bytes >> DH_CELL_BYTES, kind, self,
                                &changed));
    if (changed && done && DH_UNLIKELY(dh_recording))
        dh_tape_quick(self, kind, address, size, here.pc);
    if (changed) dh_history_note(self, address, size, kind == DH_WRITE ? DH_ACCESS_WRITE : 0, here);
    dh_critical_leave();
    return done;
}

#endif
