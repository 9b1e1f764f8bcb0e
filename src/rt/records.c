#include "rt/records.h"
#include "rt/barrier.h"
#include "rt/blocks.h"
#include "rt/epochs.h"
#include "rt/last.h"
#include "rt/own.h"
#include "rt/shadow.h"
#include "rt/splits.h"
#include "rt/tape.h"

#include <sys/syscall.h>
#include <time.h>

static struct {
    struct dh_mutex lock;
    uint32_t used;
    struct dh_record *free;
} pool = {.used = DH_ROLLS};

_Static_assert(sizeof(struct dh_record) == 128, "a record is two cache lines");
_Static_assert(offsetof(struct dh_record, version) == 4, "the stamp is the lock and the version");
_Static_assert(DH_RECORDS_COUNT <= DH_RECORD_MAX, "a record number fits a cell");

static struct dh_record *record_new(void) {
    dh_mutex_lock(&pool.lock);
    struct dh_record *r = pool.free;
    if (r) {
        pool.free = r->next_free;
        r->sync = 0;
    } else {
        if (pool.used == DH_RECORDS_COUNT)
            dh_die("out of memory: more than %u synchronisation objects and split locations",
                   (unsigned)DH_RECORDS_COUNT);
        r = dh_record_number(pool.used++);
        r->entries = r->few;
        r->room = DH_RECORD_FEW;
    }
    dh_mutex_unlock(&pool.lock);
    return r;
}

static void record_free(struct dh_record *r) {
    dh_mutex_lock(&pool.lock);
    r->next_free = pool.free;
    pool.free = r;
    dh_mutex_unlock(&pool.lock);
}

void dh_record_grow(struct dh_record *r) {
    struct dh_entry *larger = dh_alloc(2 * r->room * sizeof *larger);
    dh_copy(larger, r->entries, r->count * sizeof *larger);
    if (r->entries != r->few) dh_free(r->entries, r->room * sizeof *r->entries);
    r->entries = larger;
    r->room *= 2;
}

static void entries_end(struct dh_record *r) {
    if (r->entries != r->few) dh_free(r->entries, r->room * sizeof *r->entries);
    r->entries = r->few;
    r->count = 0;
    r->room = DH_RECORD_FEW;
    r->alike = 0;
}

uint32_t dh_record_entries(dh_cell cell, struct dh_entry *list) {
    if (dh_cell_is_roll(cell)) {
        struct dh_record const *roll = dh_record_number(dh_cell_record(cell));
        dh_copy(list, roll->entries, roll->count * sizeof *list);
        return roll->count;
    }
    uint32_t count = dh_cell_is_split(cell) ? dh_split_entries(cell, dh_split_of(cell), list)
                                            : dh_cell_entries(cell, &dh_tables, list);
    for (uint32_t i = 0; i < count; i++)
        list[i].id = 0;
    return count;
}

/* What a cell says becomes the record's list. */
static void entries_from(struct dh_record *r, dh_cell cell) {
    struct dh_entry list[2 * DH_SET_MAX];
    uint32_t count = dh_record_entries(cell, list);
    r->count = r->alike = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (r->count == r->room) dh_record_grow(r);
        r->entries[r->count++] = list[i];
    }
}

static dh_cell cell_of(struct dh_record const *r) {
    return dh_cell_of_record((uint32_t)(r - DH_RECORDS));
}

/* Moves the state of a cell, which is `cell`, or stood there before it was taken, into a new
 * record. Null if the cell has changed meanwhile. */
static struct dh_record *record_from_cell(uintptr_t address, dh_cell *at, dh_cell cell,
                                          dh_cell stands) {
    dh_cell coarse = *dh_coarse_of(address);
    bool split = dh_cell_is_split(cell);
    if (split && !dh_split_lock(at, cell)) return 0;
    struct dh_record *r = record_new();
    dh_record_hold(r); /* until the cell is published nobody else looks for long */
    entries_from(r, cell ? cell : coarse);
    r->cell = at;
    dh_cell expected = stands;
    bool done = split ? dh_split_end(dh_self(), at, cell, cell_of(r))
                      : __atomic_compare_exchange_n(at, &expected, cell_of(r), false,
                                                    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    dh_cell coarse_now = __atomic_load_n(dh_coarse_of(address), __ATOMIC_ACQUIRE);
    /* The unit was made coarse while we moved (rt/shadow.h): start over with what it says now. */
    if (done && cell == 0 && coarse_now != coarse) entries_from(r, coarse_now);
    if (done) return r;
    r->cell = 0;
    entries_end(r);
    dh_record_unlock(r);
    record_free(r);
    return 0;
}

struct dh_record *dh_record_of_taken(uintptr_t address, dh_cell was) {
    return record_from_cell(address, dh_shadow(address), was, DH_CELL_TAKEN);
}

/* Who holds the lock may have been put off its processor. Giving way is enough, unless this
 * thread is of another kind than that one, and goes before it: then it has to sleep. */
DH_COLD __attribute__((preserve_most)) void dh_record_wait(struct dh_record *r) {
    enum { SPINS = 100, YIELDS = 200 };
    struct timespec const moment = {.tv_nsec = 50000};
    for (unsigned round = 0;; round++) {
        if (__atomic_load_n(&r->lock, __ATOMIC_RELAXED) == 0
            && __atomic_exchange_n(&r->lock, 1, __ATOMIC_ACQUIRE) == 0)
            return;
        if (round < SPINS)
            __builtin_ia32_pause();
        else if (round < SPINS + YIELDS)
            dh_syscall(SYS_sched_yield, 0l, 0l, 0l, 0l, 0l, 0l);
        else
            dh_syscall(SYS_nanosleep, &moment, 0l, 0l, 0l, 0l, 0l);
    }
}

/* The next step of whoever has the cell is a few instructions away. */
DH_COLD static void wait_for_cell(dh_cell const *at) {
    while (__atomic_load_n(at, __ATOMIC_ACQUIRE) == DH_CELL_TAKEN)
        dh_syscall(SYS_sched_yield, 0l, 0l, 0l, 0l, 0l, 0l);
}

struct dh_record *dh_record_lock_as_is(uintptr_t address, bool make) {
    dh_cell *at = dh_shadow(address);
    for (;;) {
        dh_cell cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
        if (cell == DH_CELL_TAKEN) {
            wait_for_cell(at);
            continue;
        }
        if (dh_cell_is_record(cell) && !dh_cell_is_roll(cell)) {
            struct dh_record *r = dh_record_lock_found(at, cell);
            if (r) return r;
            continue;
        }
        if (!make && !dh_cell_is_roll(cell)) return 0;
        dh_shadow_touch(address);
        if (cell == 0) dh_block_refine(address);
        struct dh_record *r = record_from_cell(address, at, cell, cell);
        if (r) return r;
    }
}

void dh_record_prepare(uintptr_t address) {
    if (!dh_cell_is_record(__atomic_load_n(dh_shadow(address), __ATOMIC_RELAXED)))
        dh_own_settle(address, 1);
}

struct dh_record *dh_record_lock(uintptr_t address) {
    struct dh_record *r = dh_record_lock_as_is(address, true);
    if (r->last != 0) dh_last_spill(r);
    return r;
}
struct dh_record *dh_record_lock_if_any(uintptr_t address) {
    struct dh_record *r = dh_record_lock_as_is(address, false);
    if (r && r->last != 0) dh_last_spill(r);
    return r;
}

struct dh_sync *dh_record_sync(struct dh_record *r) {
    if (!r->sync) r->sync = dh_alloc(sizeof *r->sync);
    return r->sync;
}

void dh_record_end(struct dh_record *r, dh_cell cell) {
    dh_last_end(r);
    if (r->sync) {
        dh_heads_free(&r->sync->releases);
        dh_heads_free(&r->sync->readers);
        dh_barrier_end(r->sync->barrier);
        dh_tape_gone(r->sync, 0);
        dh_free(r->sync, sizeof *r->sync);
        r->sync = 0;
    }
    entries_end(r);
    __atomic_store_n(r->cell, cell, __ATOMIC_RELEASE);
    r->cell = 0;
    dh_record_unlock(r);
    record_free(r);
}
