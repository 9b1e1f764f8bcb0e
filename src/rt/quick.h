/* The first access of an epoch to eight aligned bytes, or four, where nothing special is about: what most
 * calls past the inlined test are. The same steps as rt/judge.c, without the detours: a plain access, an
 * open epoch, two cells alike (or one), words that need no set, no race. Whatever else: false, nothing was
 * done, and the long way decides.
 */
#ifndef DEADHEAT_RT_QUICK_H
#define DEADHEAT_RT_QUICK_H

#include "core/step.h"
#include "rt/epochs.h"
#include "rt/history.h"
#include "rt/shadow.h"

static inline bool dh_quick_exchange(dh_cell *at, uint32_t size, dh_cell old, dh_cell new) {
    if (size == 4)
        return __atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    unsigned __int128 two_old = (unsigned __int128)old << 64 | old;
    unsigned __int128 two_new = (unsigned __int128)new << 64 | new;
    return __sync_bool_compare_and_swap((unsigned __int128 *)at, two_old, two_new);
}

static inline bool dh_quick_cells(struct dh_thread *self, uintptr_t address, uint32_t size,
                                  enum dh_kind kind) {
    if (!dh_touched[address >> DH_TOUCHED_SHIFT]) return false;
    dh_cell *at = dh_shadow(address), cell = __atomic_load_n(at, __ATOMIC_RELAXED), next = cell;
    if (size == 8 && __atomic_load_n(at + 1, __ATOMIC_RELAXED) != cell) return false;
    if (cell == 0 && *dh_coarse_of(address) != 0) return false;
    struct dh_view view = dh_thread_view(self);
    struct dh_access access = {
        .epoch = {self->slot, self->tick},
        .id = dh_word_epoch_id(__dh_tls.epoch),
        .mask = DH_WORD_BYTES_MASK,
        .kind = (uint8_t)kind,
    };
    struct dh_verdict v;
    if (!dh_cell_step(&next, access, &view, &dh_tables, &v) || v.racy || !v.changed) return false;
    if (!dh_quick_exchange(at, size, cell, next)) return false;
    /* A unit made coarse meanwhile: let the long way look again (rt/shadow.h). */
    return cell != 0 || __atomic_load_n(dh_coarse_of(address), __ATOMIC_ACQUIRE) == 0;
}

static inline bool dh_quick(uintptr_t address, uint32_t size, enum dh_kind kind, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    if (__dh_tls.epoch - 1 >= DH_WORD_OBJECT || address >= DH_ADDRESS_END) return false;
    dh_critical_enter();
    bool done = dh_quick_cells(self, address, size, kind);
    if (done) {
        uint32_t flags = kind == DH_WRITE ? DH_ACCESS_WRITE : 0;
        if (!dh_history_continue(self, address, flags, size, here))
            dh_history_add(self, address, size, flags, here);
    }
    dh_critical_leave();
    return done;
}

#endif
