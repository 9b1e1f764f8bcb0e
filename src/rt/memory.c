/* Memory that comes and goes. Blocks of at least a whole unit use the coarse shadow (rt/shadow.h).
 */
#include "rt/access.h"
#include "rt/benign.h"
#include "rt/called_from.h"
#include "rt/epochs.h"
#include "rt/history.h"
#include "rt/judge.h"
#include "rt/own.h"
#include "rt/shadow.h"
#include "rt/tape.h"

struct span {
    uintptr_t from, to;
};

/* The whole units inside a block; empty if there are none. */
static struct span units_inside(uintptr_t address, size_t size) {
    struct span s = {(address + DH_UNIT - 1) & ~(DH_UNIT - 1), (address + size) & ~(DH_UNIT - 1)};
    if (s.from >= s.to) s.from = s.to = address;
    return s;
}

/* Coarse cells were written: comes back when every access that may have seen the old ones has left
 * its critical section. Nobody else is in memory that the running thread owns. Inside a critical
 * section, which it leaves meanwhile; no handler of the program's runs in between. */
static void let_accesses_end(struct span units) {
    uintptr_t a = units.from;
    while (a < units.to && dh_owner_of(a) == __dh_critical.owner)
        a += (uintptr_t)1 << DH_GRANULE_SHIFT;
    if (a >= units.to) return;
    uint64_t signals = dh_signals_block();
    dh_critical_leave();
    dh_world_stop();
    dh_world_go();
    dh_critical_enter();
    dh_signals_restore(signals);
}

/* Pushes what the coarse cell says down into the fine cells of the unit: needed where only a part
 * of the unit is going to lose its history. */
static void refine_unit(uintptr_t address) {
    dh_cell coarse = *dh_coarse_of(address);
    if (coarse == 0) return;
    uintptr_t unit = address & ~(DH_UNIT - 1);
    dh_shadow_touch(unit);
    dh_cell *at = dh_shadow(unit);
    for (uintptr_t i = 0; i < DH_UNIT / DH_CELL_BYTES; i++) {
        dh_cell empty = 0;
        __atomic_compare_exchange_n(at + i, &empty, coarse, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_RELAXED);
    }
    __atomic_store_n(dh_coarse_of(address), 0, __ATOMIC_SEQ_CST);
}

/* ---- birth ---- */

/* Every cell from `from` to `to` becomes `cell`, whatever it was. */
static void overwrite(uintptr_t from, uintptr_t to, dh_cell cell) {
    if (from >= to) return;
    for (uintptr_t a = from; a < to; a += (uintptr_t)1 << DH_TOUCHED_SHIFT)
        dh_shadow_touch(a);
    dh_shadow_touch(to - 1);
    for (uintptr_t a = from & ~(uintptr_t)(DH_CELL_BYTES - 1); a < to; a += DH_CELL_BYTES) {
        dh_cell *at = dh_shadow(a);
        if (DH_UNLIKELY(dh_cell_is_record(__atomic_load_n(at, __ATOMIC_RELAXED)))) {
            struct dh_record *r = dh_record_lock_as_is(a, false);
            if (r) {
                dh_record_end(r, cell);
                continue;
            }
        }
        __atomic_store_n(at, cell, __ATOMIC_RELAXED);
    }
}

static void born_units(struct span units, dh_cell cell) {
    if (units.from == units.to) return;
    for (uintptr_t a = units.from; a < units.to; a += DH_UNIT) {
        dh_shadow_touch(a);
        __atomic_store_n(dh_coarse_of(a), cell, __ATOMIC_SEQ_CST);
    }
    let_accesses_end(units);
    dh_shadow_clear(units.from, units.to);
    dh_own_forget(units.from, units.to);
}

void dh_memory_born(void const *p, size_t size, struct dh_here here) {
    struct dh_judge j;
    uintptr_t address = (uintptr_t)p;
    uint32_t flags = DH_ACCESS_WRITE | DH_ACCESS_ALLOC;
    if (dh_call_ignored(here)) {
        dh_memory_fresh(p, size);
        return;
    }
    if (!dh_judge_begin(&j, DH_WRITE, flags, address, size, here)) return;
    dh_word word = j.access.id ? dh_word_of_epoch(j.access.id, DH_WORD_BYTES_MASK) : 0;
    struct span units = units_inside(address, size);
    if (word == 0) units.from = units.to = address;
    overwrite(address, units.from, dh_cell_of(word, 0));
    born_units(units, dh_cell_of(word, 0));
    overwrite(units.to, address + size, dh_cell_of(word, 0));
    j.changed = true;
    if (word == 0) dh_judge_range(&j); /* ids have run out: the write goes to records */
    dh_judge_end(&j);
}

/* ---- death ---- */

/* The program's objects in this memory end with it. */
static void end_records(uintptr_t from, uintptr_t to, dh_cell cell) {
    for (uintptr_t a = from & ~(uintptr_t)(DH_CELL_BYTES - 1); a < to; a += DH_CELL_BYTES) {
        if (!dh_cell_is_record(__atomic_load_n(dh_shadow(a), __ATOMIC_RELAXED))) continue;
        struct dh_record *r = dh_record_lock_as_is(a, false);
        if (r) dh_record_end(r, cell);
    }
}

static void dies_finely(struct dh_judge *j, uintptr_t from, uintptr_t to, dh_cell cell) {
    if (from >= to) return;
    uintptr_t address = j->address;
    size_t size = j->size;
    j->address = from;
    j->size = to - from;
    dh_judge_range(j);
    if (cell != 0) end_records(from, to, cell);
    j->address = address;
    j->size = size;
}

/* One fine cell of a unit that has become coarse: judge what it held. */
static void take_away(struct dh_judge *j, uintptr_t address, dh_cell *at) {
    struct dh_verdict v;
    struct dh_entry list[2 * DH_SET_MAX + 1];
    dh_cell old = __atomic_load_n(at, __ATOMIC_RELAXED);
    j->access.mask = DH_WORD_BYTES_MASK;
    if (dh_cell_is_record(old)) {
        struct dh_record *r = dh_record_lock_as_is(address, false);
        if (r) {
            dh_record_step(r, j->access, &j->view, &v);
            dh_record_end(r, 0);
            dh_judge_note(j, address, &v);
        }
        return;
    }
    old = __atomic_exchange_n(at, 0, __ATOMIC_SEQ_CST);
    uint32_t count = dh_cell_entries(old, &dh_tables, list);
    dh_entries_step(list, count, j->access, &j->view, &v);
    dh_judge_note(j, address, &v);
}

static void dies_coarsely(struct dh_judge *j, struct span units, dh_cell cell) {
    if (units.from == units.to) return;
    struct span used = {units.to, units.from}; /* where there may be fine cells */
    for (uintptr_t a = units.from; a < units.to; a += DH_UNIT) {
        struct dh_verdict v;
        if (DH_TOUCHED[a >> DH_TOUCHED_SHIFT]) {
            if (used.from > a) used.from = a;
            used.to = a + DH_UNIT;
        }
        dh_shadow_touch(a);
        dh_cell old = __atomic_exchange_n(dh_coarse_of(a), cell, __ATOMIC_SEQ_CST);
        struct dh_entry list[2 * DH_SET_MAX + 1];
        j->access.mask = DH_WORD_BYTES_MASK;
        uint32_t count = dh_cell_entries(old, &dh_tables, list);
        dh_entries_step(list, count, j->access, &j->view, &v);
        dh_judge_note_unit(j, a, &v);
    }
    let_accesses_end(units);
    for (uintptr_t a = used.from; a < used.to; a += DH_CELL_BYTES) {
        dh_cell *at = dh_shadow(a);
        if (__atomic_load_n(at, __ATOMIC_RELAXED) != 0) take_away(j, a, at);
    }
    dh_shadow_clear(units.from, units.to);
}

void dh_memory_dies(void const *p, size_t size, struct dh_here here) {
    struct dh_judge j;
    uintptr_t address = (uintptr_t)p;
    uint32_t flags = DH_ACCESS_WRITE | DH_ACCESS_FREE;
    if (dh_call_ignored(here)) {
        dh_memory_fresh(p, size);
        dh_benign_gone(address, size);
        return;
    }
    if (!dh_judge_begin(&j, DH_WRITE, flags, address, size, here)) return;
    dh_word word = j.access.id ? dh_word_of_epoch(j.access.id, DH_WORD_BYTES_MASK) : 0;
    dh_cell cell = dh_cell_of(word, 0);
    struct span units = units_inside(address, size);
    if (word == 0) units.from = units.to = address;
    dies_finely(&j, address, units.from, cell);
    dies_coarsely(&j, units, cell);
    dies_finely(&j, units.to, address + size, cell);
    j.changed = true;
    dh_judge_end(&j);
    dh_benign_gone(address, size);
}

/* ---- fresh ---- */

void dh_memory_fresh(void const *p, size_t size) {
    uintptr_t const last = DH_CELL_BYTES - 1;
    uintptr_t from = (uintptr_t)p & ~last, to = ((uintptr_t)p + size + last) & ~last;
    if (dh_alone_now || size == 0 || !dh_has_shadow(from, to - from)) return;
    dh_own_forget(from, to);
    dh_critical_enter();
    /* What libc does in threads that nobody knows it does to its own memory. */
    if (DH_UNLIKELY(dh_recording) && __dh_tls.self) dh_tape_fresh(__dh_tls.self, from, to - from);
    struct span units = units_inside(from, to - from);
    if (units.from > from) refine_unit(from);
    if (units.to < to) refine_unit(to - 1);
    for (uintptr_t a = units.from; a < units.to; a += DH_UNIT)
        if (*dh_coarse_of(a) != 0) __atomic_store_n(dh_coarse_of(a), 0, __ATOMIC_SEQ_CST);
    dh_shadow_clear(from, to);
    dh_critical_leave();
}
