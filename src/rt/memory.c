/* Memory that comes and goes. Blocks of at least a whole unit use the coarse shadow (rt/shadow.h).
 */
#include "rt/access.h"
#include "rt/benign.h"
#include "rt/blocks.h"
#include "rt/called_from.h"
#include "rt/epochs.h"
#include "rt/footprint.h"
#include "rt/gathers.h"
#include "rt/history.h"
#include "rt/judge.h"
#include "rt/own.h"
#include "rt/quick.h"
#include "rt/shadow.h"
#include "rt/splits.h"
#include "rt/tape.h"
#include "rt/trails.h"

struct span {
    uintptr_t from, to;
};

/* The whole units inside a block; empty if there are none. */
static struct span units_inside(uintptr_t address, size_t size) {
    struct span s = {(address + DH_UNIT - 1) & ~(DH_UNIT - 1), (address + size) & ~(DH_UNIT - 1)};
    if (s.from >= s.to) s.from = s.to = address;
    return s;
}

/* Nobody else is in memory that the running thread owns. */
static bool is_own(struct span units) {
    uintptr_t a = units.from;
    while (a < units.to && dh_owner_of(a) == __dh_critical.owner)
        a += (uintptr_t)1 << DH_GRANULE_SHIFT;
    return a >= units.to;
}

/* With all others outside critical sections. Inside one, which it leaves meanwhile; no handler of
 * the program's runs in between, so what was put off in this section stays put off until its
 * end. */
static void with_world_stopped(struct span units, void (*act)(struct span)) {
    uint64_t signals = dh_signals_block();
    uint32_t waiting = __dh_critical.signals_waiting;
    __dh_critical.signals_waiting = 0;
    dh_critical_leave();
    dh_world_stop();
    act(units);
    dh_world_go();
    dh_critical_enter();
    __dh_critical.signals_waiting = waiting;
    dh_signals_restore(signals);
}

static void nothing(struct span units) { (void)units; }

/* Coarse cells were written: comes back when every access that may have seen the old ones has left
 * its critical section. */
static void let_accesses_end(struct span units) {
    if (!is_own(units)) with_world_stopped(units, nothing);
}

/* Pushes what the coarse cell says down into the blocks of the unit, and the cells of those that
 * are fine: needed where only a part of the unit is going to lose its history. */
static void refine_unit(uintptr_t address) {
    dh_cell coarse = *dh_coarse_of(address);
    if (coarse == 0) return;
    uintptr_t unit = address & ~(DH_UNIT - 1);
    dh_shadow_touch(unit);
    for (uintptr_t a = unit; a < unit + DH_UNIT; a += DH_BLOCK) {
        if (dh_block_inherit(a, coarse)) continue;
        dh_cell *at = dh_shadow(a);
        for (uintptr_t i = 0; i < DH_BLOCK_CELLS; i++) {
            dh_cell empty = 0;
            __atomic_compare_exchange_n(at + i, &empty, coarse, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED);
        }
    }
    __atomic_store_n(dh_coarse_of(address), 0, __ATOMIC_SEQ_CST);
}

/* Who changes cells of the unit exchanges them. A thread that stores plainly could find a cell
 * empty just before the unit is refined, and its coarse cell just after. */
static bool is_settled(uintptr_t address) {
    uintptr_t unit = address & ~(DH_UNIT - 1), a = unit;
    while (a < unit + DH_UNIT && dh_own_settled(dh_owner_of(a)))
        a += (uintptr_t)1 << DH_GRANULE_SHIFT;
    return a >= unit + DH_UNIT;
}

/* Takes away what coarse cells say of these bytes; the rest of a unit that is only touched keeps
 * it. */
static void forget_coarse(uintptr_t from, uintptr_t to) {
    if (from % DH_UNIT != 0) refine_unit(from);
    if (to % DH_UNIT != 0) refine_unit(to - 1);
    for (uintptr_t a = (from + DH_UNIT - 1) & ~(DH_UNIT - 1); a + DH_UNIT <= to; a += DH_UNIT)
        if (*dh_coarse_of(a) != 0) __atomic_store_n(dh_coarse_of(a), 0, __ATOMIC_SEQ_CST);
}

/* A block of new units says nothing any more. False if there are fine cells to clear. */
static bool reset(uintptr_t from, uintptr_t to) {
    (void)to;
    return dh_block_reset(from);
}

/* The same for a block, or a part of one, that somebody with a stale pointer may be in: what is
 * fine stays fine. */
static bool put_nothing(uintptr_t from, uintptr_t to) { return dh_block_put(from, to, 0); }

/* Blocks and cells of this memory back to 0. [from, to) are cell boundaries. */
static void forget(struct span s, bool (*forget_block)(uintptr_t from, uintptr_t to)) {
    uintptr_t const megabyte = (uintptr_t)1 << DH_TOUCHED_SHIFT;
    struct span fine = {s.from, s.from};
    for (uintptr_t a = s.from, next; a < s.to; a = next) {
        bool touched = DH_TOUCHED[a >> DH_TOUCHED_SHIFT];
        next = touched ? dh_block_end(a) : (a | (megabyte - 1)) + 1;
        if (next > s.to) next = s.to;
        if (!touched || forget_block(a, next)) continue;
        if (fine.to != a) {
            dh_shadow_clear(fine.from, fine.to);
            fine.from = a;
        }
        fine.to = next;
    }
    dh_shadow_clear(fine.from, fine.to);
}
/* Nobody else is in it. */
static void forget_units(struct span units) { forget(units, reset); }

/* These bytes lose their history by the function given, coarse cells included. Where units are
 * refined, until it is done nobody else may do it: who still has in hand what a coarse cell said
 * would say it of another part of the unit, of which it was just forgotten. */
static void forget_all(struct span s, void (*act)(struct span)) {
    static struct dh_mutex forgetting;
    bool low = s.from % DH_UNIT != 0 && *dh_coarse_of(s.from) != 0;
    bool high = s.to % DH_UNIT != 0 && *dh_coarse_of(s.to - 1) != 0;
    bool settled = (!low || is_settled(s.from)) && (!high || is_settled(s.to - 1));
    if (!low && !high) {
        act(s);
    } else if (!settled && __dh_critical.depth == 1) { /* else the caller has the world stopped */
        with_world_stopped(s, act);
    } else {
        dh_mutex_lock(&forgetting);
        act(s);
        dh_mutex_unlock(&forgetting);
    }
}

/* ---- small blocks ----
 * Most are born and die in fine shadow, in a running epoch: then nothing is to be prepared outside
 * of the critical section. Whatever else: false, and the long way decides. It finds what was done
 * of it on record. */

static bool small_begin(uintptr_t address, size_t size) {
    if (size - 1 >= DH_BLOCK_SHORT - 1 || dh_alone_now || dh_recording
        || !dh_has_shadow(address, size))
        return false;
    dh_critical_enter_known();
    /* Asked inside: until then a signal handler may end the epoch. */
    if (DH_LIKELY(__dh_tls.epoch - 1 < DH_WORD_OBJECT) || dh_epochs_open_quick()) return true;
    dh_critical_leave();
    return false;
}

static void small_end(uintptr_t address, size_t size, uint32_t flags, struct dh_here here) {
    dh_history_add(__dh_tls.self, address, (uint32_t)size, flags, here);
    dh_forget(__dh_tls.self);
    dh_critical_leave();
}

/* ---- birth ---- */

static void overwrite_cell(uintptr_t address, dh_cell cell) {
    dh_cell *at = dh_shadow(address);
    dh_cell old = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (DH_UNLIKELY(dh_cell_is_record(old))) {
        struct dh_record *r = dh_record_lock_as_is(address, false);
        if (r) {
            dh_record_end(r, cell);
            return;
        }
    }
    if (DH_UNLIKELY(dh_cell_is_split(old)) && dh_split_lock(at, old)
        && dh_split_end(dh_self(), at, old, cell))
        return;
    __atomic_store_n(at, cell, __ATOMIC_RELAXED);
}

/* Every cell from `from` to `to` becomes `cell`, whatever it was. */
static void overwrite(uintptr_t from, uintptr_t to, dh_cell cell) {
    uintptr_t const last = DH_CELL_BYTES - 1;
    bool few = to - from < DH_BLOCK_SHORT;
    for (uintptr_t a = from & ~last, stop; a < to; a = stop) {
        stop = dh_block_end(a) < to ? dh_block_end(a) : (to + last) & ~last;
        if (!few && dh_block_put(a, stop, cell)) continue;
        for (; a < stop; a += DH_CELL_BYTES) {
            dh_block_refine(a); /* of a list that may be a piece only */
            overwrite_cell(a, cell);
        }
    }
}

static void overwrite_all(struct span s) {
    forget_coarse(s.from, s.to);
    overwrite(s.from, s.to, 0);
}

static void born_units(struct span units, dh_cell cell) {
    if (units.from == units.to) return;
    for (uintptr_t a = units.from; a < units.to; a += DH_UNIT) {
        dh_shadow_touch(a);
        __atomic_store_n(dh_coarse_of(a), cell, __ATOMIC_SEQ_CST);
    }
    if (is_own(units))
        forget_units(units);
    else
        with_world_stopped(units, forget_units);
    dh_own_forget(units.from, units.to);
}

static bool born_small(uintptr_t address, size_t size, uint32_t flags, struct dh_here here) {
    if (!small_begin(address, size)) return false;
    uintptr_t at = address & ~(uintptr_t)(DH_CELL_BYTES - 1), last = address + size - 1;
    /* Of the same block, and so of the same granule. */
    bool done = last < dh_block_end(at) && dh_own_settled(dh_owner_of(at)) && dh_block_is_fine(at);
    if (!done) {
        dh_critical_leave();
        return false;
    }
    for (dh_cell cell = dh_cell_of(__dh_tls.epoch, 0); at <= last; at += DH_CELL_BYTES)
        overwrite_cell(at, cell);
    small_end(address, size, flags, here);
    return true;
}

void dh_memory_born(void const *p, size_t size, struct dh_here here) {
    struct dh_judge j;
    uintptr_t address = (uintptr_t)p;
    uint32_t flags = DH_ACCESS_WRITE | DH_ACCESS_ALLOC;
    if (__dh_tls.self) dh_footprint_commit(__dh_tls.self);
    if (dh_call_ignored(here)) {
        dh_memory_fresh(p, size);
        return;
    }
    if (born_small(address, size, flags, here)) return;
    if (!dh_judge_begin(&j, DH_WRITE, flags, address, size, here)) return;
    dh_cell cell =
        dh_cell_of(j.access.id ? dh_word_of_epoch(j.access.id, DH_WORD_BYTES_MASK) : 0, 0);
    struct span units = units_inside(address, size);
    if (cell != 0) {
        overwrite(address, units.from, cell);
        born_units(units, cell);
        overwrite(units.to, address + size, cell);
    } else { /* ids have run out: the write goes to records, in cells that say nothing else */
        forget_all((struct span){address, address + size}, overwrite_all);
        dh_judge_range(&j);
    }
    j.changed = true;
    dh_forget(j.self);
    dh_judge_end(&j);
}

/* Nobody's memory has lost its history, whoever has read it. */
uint64_t dh_freshened;
static void freshened(void) {
    __atomic_fetch_add(&dh_freshened, 1, __ATOMIC_RELEASE);
    dh_gathers_end_all();
}

/* Some bytes of a cell lose their history, and their objects, the others keep theirs: that takes a
 * record. It is locked. */
static struct dh_record *part_forgotten(uintptr_t address, size_t size, uint8_t bytes) {
    struct dh_record *r = dh_record_lock(address);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        r->entries[i].mask &= (uint8_t)~bytes;
        if (r->entries[i].mask != 0) r->entries[kept++] = r->entries[i];
    }
    r->count = kept;
    r->alike = 0;
    if (r->sync) {
        dh_heads_end(&r->sync->releases, bytes, DH_NO_THREAD);
        dh_heads_end(&r->sync->readers, bytes, DH_NO_THREAD);
        for (size_t i = 0; i < size; i++)
            dh_tape_gone(r->sync, (void const *)(address + i));
    }
    return r;
}

static uint8_t bytes_of(uintptr_t address, size_t size) {
    return (uint8_t)(((1u << size) - 1) << address % DH_CELL_BYTES);
}

static void part_born(uintptr_t address, size_t size, struct dh_here here) {
    struct dh_judge j;
    struct dh_verdict none;
    uint8_t bytes = bytes_of(address, size);
    if (!dh_judge_begin(&j, DH_WRITE, DH_ACCESS_WRITE | DH_ACCESS_ALLOC, address, size, here))
        return;
    struct dh_record *r = part_forgotten(address, size, bytes);
    j.access.mask = bytes;
    dh_record_step(r, j.access, &j.view, &none);
    dh_record_unlock(r);
    j.changed = true;
    dh_forget(j.self);
    dh_judge_end(&j);
}

/* The same for a caller that is not looked at: nothing is recorded. */
static void part_fresh(uintptr_t address, size_t size, struct dh_here here) {
    (void)here;
    if (dh_alone_now || !dh_has_shadow(address, size)) return;
    dh_record_prepare(address);
    dh_critical_enter();
    if (DH_UNLIKELY(dh_recording) && __dh_tls.self) dh_tape_fresh(__dh_tls.self, address, size);
    dh_record_unlock(part_forgotten(address, size, bytes_of(address, size)));
    freshened();
    dh_critical_leave();
}

void dh_memory_renewed(void const *p, size_t size, struct dh_here here) {
    void (*part)(uintptr_t, size_t, struct dh_here) = dh_call_ignored(here) ? part_fresh : part_born;
    uintptr_t const from = (uintptr_t)p, to = from + size, last = DH_CELL_BYTES - 1;
    uintptr_t first_cell = (from + last) & ~last, last_cell = to & ~last;
    if (__dh_tls.self) dh_footprint_commit(__dh_tls.self);
    dh_trails_renew(from, to);
    if (first_cell > last_cell) { /* it is inside one */
        part(from, size, here);
    } else {
        if (from < first_cell) part(from, first_cell - from, here);
        if (first_cell < last_cell)
            dh_memory_born((void const *)first_cell, last_cell - first_cell, here);
        if (last_cell < to) part(last_cell, to - last_cell, here);
    }
    /* It did not die before, and so others may have read it, without a race. */
    dh_critical_enter();
    freshened();
    dh_critical_leave();
}

/* ---- death ---- */

/* The program's objects in this memory end with it. */
static void end_records(uintptr_t from, uintptr_t to, dh_cell cell) {
    for (uintptr_t a = from & ~(uintptr_t)(DH_CELL_BYTES - 1); a < to; a += DH_CELL_BYTES) {
        if (!dh_block_may_have_cells(a)) a = dh_block_end(a);
        if (a >= to) break;
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

/* What so many cells of a unit were, which has become coarse. */
static void entries_taken_away(struct dh_judge *j, uintptr_t address, size_t cells,
                               struct dh_entry *list, uint32_t count) {
    struct dh_verdict v;
    j->access.mask = DH_WORD_BYTES_MASK;
    dh_entries_step(list, count, j->access, &j->view, &v);
    dh_judge_note_cells(j, address, cells, &v);
}

/* Nobody's, or all its epochs are ordered before the death. */
static bool is_ordered(struct dh_judge const *j, dh_word w) {
    uint32_t count;
    dh_word const *words = dh_word_list(&w, &dh_tables, &count);
    if (w & DH_WORD_OBJECT && !dh_word_is_set(w)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!dh_word_ordered(words[i], &j->view, &dh_tables)) return false;
    return true;
}

static void taken_away(struct dh_judge *j, uintptr_t address, size_t cells, dh_cell old) {
    struct dh_entry list[2 * DH_SET_MAX + 1];
    if (is_ordered(j, dh_cell_write(old)) && is_ordered(j, dh_cell_read(old))) return;
    entries_taken_away(j, address, cells, list, dh_cell_entries(old, &dh_tables, list));
}

/* The same of one that is split. False: it no longer is. */
static bool take_away_split(struct dh_judge *j, uintptr_t address, dh_cell *at, dh_cell cell) {
    struct dh_entry list[2 * DH_SET_MAX + 1];
    struct dh_split *s = dh_split_lock(at, cell);
    if (!s) return false;
    uint32_t count = dh_split_entries(cell, s, list);
    if (!dh_split_end(j->self, at, cell, 0)) return false;
    entries_taken_away(j, address, 1, list, count);
    return true;
}

/* One fine cell of a unit that has become coarse: judge what it held. */
static void take_away(struct dh_judge *j, uintptr_t address, dh_cell *at) {
    for (;;) {
        dh_cell cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
        if (dh_cell_is_record(cell)) {
            struct dh_record *r = dh_record_lock_as_is(address, false);
            if (r) {
                struct dh_verdict v;
                j->access.mask = DH_WORD_BYTES_MASK;
                dh_record_step(r, j->access, &j->view, &v);
                dh_record_end(r, 0);
                dh_judge_note(j, address, &v);
            }
            return;
        }
        if (dh_cell_is_split(cell)) {
            if (take_away_split(j, address, at, cell)) return;
        } else if (__atomic_compare_exchange_n(at, &cell, 0, false, __ATOMIC_SEQ_CST,
                                               __ATOMIC_RELAXED)) {
            taken_away(j, address, 1, cell);
            return;
        }
    }
}

/* Neighbours in the same state, neither a record nor split: so many cells were that, at most
 * `most`. */
static size_t take_away_alike(dh_cell *at, size_t most, dh_cell cell, bool own) {
    size_t count = 0;
    for (; count < most && __atomic_load_n(at + count, __ATOMIC_RELAXED) == cell; count++) {
        dh_cell found = cell;
        if (own)
            __atomic_store_n(at + count, 0, __ATOMIC_RELAXED);
        else if (!__atomic_compare_exchange_n(at + count, &found, 0, false, __ATOMIC_SEQ_CST,
                                              __ATOMIC_RELAXED))
            break;
    }
    return count;
}

/* One block of it. Where it was fine it stays that until it is born again (rt/blocks.h). */
static void take_away_block(struct dh_judge *j, uintptr_t block) {
    struct dh_pieces said;
    if (dh_block_take(block, &said)) {
        for (uint32_t i = 0; i < said.count; i++)
            if (said.cell[i] != 0)
                taken_away(j, block + said.start[i] * DH_CELL_BYTES,
                           dh_piece_end(&said, i) - said.start[i], said.cell[i]);
        return;
    }
    uintptr_t const end = block + DH_BLOCK;
    for (uintptr_t a = block, next; a < end; a = next) {
        dh_cell *at = dh_shadow(a), cell = __atomic_load_n(at, __ATOMIC_RELAXED);
        next = a + DH_CELL_BYTES;
        if (cell == 0) continue;
        size_t alike = 0;
        if (!dh_cell_is_record(cell) && !dh_cell_is_split(cell))
            alike = take_away_alike(at, (end - a) / DH_CELL_BYTES, cell,
                                    dh_owner_of(a) == __dh_critical.owner);
        if (alike == 0) {
            take_away(j, a, at);
            continue;
        }
        taken_away(j, a, alike, cell);
        next = a + alike * DH_CELL_BYTES;
    }
}

static void dies_coarsely(struct dh_judge *j, struct span units, dh_cell cell) {
    if (units.from == units.to) return;
    struct span used = {units.to, units.from}; /* where there may be blocks and cells */
    for (uintptr_t a = units.from; a < units.to; a += DH_UNIT) {
        if (DH_TOUCHED[a >> DH_TOUCHED_SHIFT]) {
            if (used.from > a) used.from = a;
            used.to = a + DH_UNIT;
        }
        dh_shadow_touch(a);
        dh_cell old = __atomic_exchange_n(dh_coarse_of(a), cell, __ATOMIC_SEQ_CST);
        taken_away(j, a, DH_UNIT / DH_CELL_BYTES, old);
    }
    let_accesses_end(units);
    for (uintptr_t a = used.from; a < used.to; a += DH_BLOCK)
        take_away_block(j, a);
    dh_shadow_clear(units.from, units.to);
}

/* Of a record the long way knows: it is to end. */
static bool dies_small(uintptr_t address, size_t size, uint32_t flags, struct dh_here here) {
    if (!small_begin(address, size)) return false;
    bool done = true, changed = false;
    for (uintptr_t at = address, end = address + size, next; done && at < end; at = next) {
        next = (at | (DH_CELL_BYTES - 1)) + 1;
        dh_word bytes = DH_WORD_BYTES_MASK << at % DH_CELL_BYTES & DH_WORD_BYTES_MASK;
        if (end < next) bytes &= DH_WORD_BYTES_MASK >> (next - end);
        done = dh_quick_cell(at, bytes, DH_WRITE, __dh_tls.self, &changed);
    }
    if (done) {
        small_end(address, size, flags, here);
        return true;
    }
    if (changed) dh_history_add(__dh_tls.self, address, (uint32_t)size, flags, here);
    dh_critical_leave();
    return false;
}

void dh_memory_dies(void const *p, size_t size, struct dh_here here) {
    struct dh_judge j;
    uintptr_t address = (uintptr_t)p;
    uint32_t flags = DH_ACCESS_WRITE | DH_ACCESS_FREE;
    if (__dh_tls.self) dh_footprint_commit(__dh_tls.self);
    if (dh_call_ignored(here)) {
        dh_memory_fresh(p, size);
        dh_benign_gone(address, size);
        return;
    }
    if (dies_small(address, size, flags, here)) {
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
    dh_forget(j.self);
    dh_judge_end(&j);
    dh_benign_gone(address, size);
}

/* ---- fresh ---- */

static void freshen(struct span s) {
    forget_coarse(s.from, s.to);
    forget(s, put_nothing);
}

void dh_memory_fresh(void const *p, size_t size) {
    uintptr_t const last = DH_CELL_BYTES - 1;
    uintptr_t from = (uintptr_t)p & ~last, to = ((uintptr_t)p + size + last) & ~last;
    if (dh_alone_now || size == 0 || !dh_has_shadow(from, to - from)) return;
    dh_trails_renew(from, to);
    dh_own_forget(from, to);
    dh_critical_enter();
    /* What libc does in threads that nobody knows it does to its own memory. */
    if (DH_UNLIKELY(dh_recording) && __dh_tls.self) dh_tape_fresh(__dh_tls.self, from, to - from);
    forget_all((struct span){from, to}, freshen);
    freshened();
    dh_critical_leave();
}
