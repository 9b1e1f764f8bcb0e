/* The first access of an epoch to a place inside one cell where nothing special is about: what most calls
 * past the inlined test are. The same steps as rt/judge.c, without the detours: a plain access, an open
 * epoch, words that need no set, no race. Whatever else: false, nothing was done, and the long way
 * decides.
 */
#ifndef DEADHEAT_RT_QUICK_H
#define DEADHEAT_RT_QUICK_H

#include "core/step.h"
#include "rt/epochs.h"
#include "rt/history.h"
#include "rt/shadow.h"

/* The word is nobody's, or the running thread's own: ordered, without a look at clocks. */
static inline bool dh_quick_own(dh_word w, dh_slot slot) {
    return w == 0 || (!(w & DH_WORD_OBJECT) && dh_tables.epochs[dh_word_epoch_id(w)].slot == slot);
}

/* The state after this access, where both words are direct and whoever is in them is ordered. The same as
 * dh_cell_step then, which is asked where one is not our own. */
static inline bool dh_quick_step(struct dh_thread *self, dh_cell *cell, dh_word mine, enum dh_kind kind) {
    dh_word write = dh_cell_write(*cell), read = dh_cell_read(*cell), rest = DH_WORD_BYTES_MASK & ~mine;
    dh_word mine_id = mine & ~DH_WORD_BYTES_MASK;
    if (DH_LIKELY(dh_quick_own(write, self->slot) && dh_quick_own(read, self->slot))) {
        dh_word old = kind == DH_READ ? read : write;
        if ((old & ~DH_WORD_BYTES_MASK) == mine_id)
            mine |= old;
        else if (old & rest)
            return false;
        if (kind == DH_READ) {
            *cell = dh_cell_of(write, mine);
            return true;
        }
        if ((read & ~DH_WORD_BYTES_MASK) != mine_id) read = read & rest ? read & ~(mine & DH_WORD_BYTES_MASK) : 0;
        *cell = dh_cell_of(mine, read);
        return true;
    }
    struct dh_view view = dh_thread_view(self);
    struct dh_access access = {
        .epoch = {self->slot, self->tick},
        .id = dh_word_epoch_id(mine),
        .mask = (uint8_t)mine,
        .kind = (uint8_t)kind,
    };
    struct dh_verdict v;
    return dh_cell_step(cell, access, &view, &dh_tables, &v) && !v.racy;
}

static inline bool dh_quick_cell(struct dh_thread *self, uintptr_t address, uint32_t size,
                                 enum dh_kind kind) {
    if (!dh_touched[address >> DH_TOUCHED_SHIFT]) return false;
    dh_cell *at = dh_shadow(address), cell = __atomic_load_n(at, __ATOMIC_RELAXED), next = cell;
    bool empty = cell == 0;
    if (empty && *dh_coarse_of(address) != 0) return false;
    dh_word bytes = size == DH_CELL_BYTES ? DH_WORD_BYTES_MASK
                                          : ((1u << size) - 1) << address % DH_CELL_BYTES;
    dh_word mine = (__dh_tls.epoch & ~DH_WORD_BYTES_MASK) | bytes;
    if (!dh_quick_step(self, &next, mine, kind)) return false;
    if (next == cell) return true;
    if (!__atomic_compare_exchange_n(at, &cell, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        return false;
    /* A unit made coarse meanwhile: let the long way look again (rt/shadow.h). */
    return !empty || __atomic_load_n(dh_coarse_of(address), __ATOMIC_ACQUIRE) == 0;
}

static inline __attribute__((always_inline)) bool dh_quick(uintptr_t address, uint32_t size,
                                                           enum dh_kind kind, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    if (__dh_tls.epoch - 1 >= DH_WORD_OBJECT) return false;
    dh_critical_enter();
    bool done = dh_quick_cell(self, address, size, kind);
    if (done) {
        uint32_t flags = kind == DH_WRITE ? DH_ACCESS_WRITE : 0;
        if (!dh_history_continue(self, address, flags, size, here))
            dh_history_add_cold(self, address, size, flags, here);
    }
    dh_critical_leave();
    return done;
}

#endif
