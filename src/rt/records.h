/* Records: the state of eight bytes where a cell has no room for it (core/cell.h), and the home of
 * synchronisation objects, so that both are found from an address in two steps and end with the
 * memory.
 *
 * Record memory is never given back and never used for anything else, so a number read from a cell
 * can always be followed. What it leads to is believed only under the record's lock, and only if
 * the cell then still holds that number.
 */
#ifndef DEADHEAT_RT_RECORDS_H
#define DEADHEAT_RT_RECORDS_H

#include "rt/clocks.h"
#include "rt/layout.h"

struct dh_barrier;

/* L(p) of docs/happens-before.md, for all p in the cell. */
struct dh_sync {
    struct dh_heads releases; /* by writers, or all there are */
    struct dh_heads readers;  /* by the readers of a reader-writer lock */
    struct dh_barrier *barrier;
    struct dh_taped *taped; /* by byte; null unless the run is recorded (rt/tape_sync.c) */
};

#define DH_RECORD_FEW 4u /* entries that have their place in the record itself */

struct dh_record {
    _Alignas(128) union {
        struct {
            uint32_t lock;    /* 1: held */
            uint32_t version; /* another one after each time that it was held */
        };
        uint64_t stamp; /* both */
    };
    dh_cell *cell; /* whose state this is; null: free */
    union {
        struct dh_sync *sync;
        struct dh_record *next_free; /* while it is free */
    };
    struct dh_entry *entries;
    uint32_t count, room;
    uint8_t alike;         /* dh_entries_alike of them; or 0, where that was not asked */
    uint64_t last;         /* a lock's last release, or an atomic object's, while it is the only */
    struct dh_vc *last_vc; /* one that counts: rt/last.h */
    _Alignas(64) struct dh_entry few[DH_RECORD_FEW];
};

static inline struct dh_record *dh_record_number(uint32_t number) { return DH_RECORDS + number; }

/* The lock and the version in one look: while this is `version << 32`, nobody has changed the
 * record, nor done anything to its bytes under the lock, since it had that version. */
static inline uint64_t dh_record_stamp(struct dh_record const *r) {
    return __atomic_load_n(&r->stamp, __ATOMIC_ACQUIRE);
}
static inline uint64_t dh_stamp_of(uint32_t version) { return (uint64_t)version << 32; }

/* The lock: one interlocked instruction to take it, none to leave it, which is most of what an
 * operation on an atomic object costs. So who leaves it does not know of others that wait, and
 * they look again from time to time (dh_record_wait): it is held for a few dozen instructions,
 * inside a critical section. */
void dh_record_wait(struct dh_record *r) __attribute__((preserve_most));
static inline void dh_record_hold(struct dh_record *r) {
    if (DH_UNLIKELY(__atomic_exchange_n(&r->lock, 1, __ATOMIC_ACQUIRE) != 0)) dh_record_wait(r);
}
static inline void dh_record_unlock(struct dh_record *r) {
    __atomic_store_n(&r->stamp, dh_stamp_of(r->version + 1), __ATOMIC_RELEASE);
}

/* The records with the first numbers are rolls (rt/rolls.h): nobody's own, never locked, and their
 * `cell` and `last` are 0. Number 0 says that the cell is in somebody's hands: wait. */
#ifndef DH_ROLLS
#define DH_ROLLS (1u << 16)
#endif
#define DH_CELL_TAKEN dh_cell_of_record(0)
static inline bool dh_cell_is_roll(dh_cell cell) {
    return (uint32_t)cell - DH_WORD_RECORD < DH_ROLLS;
}
/* It is a record, and no roll. */
static inline bool dh_cell_has_record(dh_cell cell) {
    return (uint32_t)cell >= DH_WORD_RECORD + DH_ROLLS;
}

/* Before dh_record_lock, outside critical sections. */
void dh_record_prepare(uintptr_t address);

/* The record of the eight bytes at `address`, locked; made from the cell if there was none. Inside
 * a critical section. */
struct dh_record *dh_record_lock(uintptr_t address);
/* The same, but null instead of making one. */
struct dh_record *dh_record_lock_if_any(uintptr_t address);
/* For who knows of last releases, ends the record, or has no business with clocks: one stays where
 * it is. */
struct dh_record *dh_record_lock_as_is(uintptr_t address, bool make);
/* For who has taken the cell, and left DH_CELL_TAKEN there: the record of what it was, locked. Null
 * if the memory has lost its history meanwhile. */
struct dh_record *dh_record_of_taken(uintptr_t address, dh_cell was);
/* The same where the cell at `at` was found to be this record, no roll; null if it is no longer. */
static inline struct dh_record *dh_record_lock_found(dh_cell *at, dh_cell cell) {
    struct dh_record *r = dh_record_number(dh_cell_record(cell));
    dh_prefetch_write(r->few); /* both lines are on their way while the lock is waited for */
    dh_record_hold(r);
    if (DH_LIKELY(r->cell == at && __atomic_load_n(at, __ATOMIC_RELAXED) == cell)) return r;
    dh_record_unlock(r);
    return 0;
}

struct dh_sync *dh_record_sync(struct dh_record *r); /* made if there was none */

/* The list that a cell stands for, without ids: a record, and a roll, outlive them. At most
 * 2 * DH_SET_MAX; not of a record that is no roll. If the cell is split, its split is locked. */
uint32_t dh_record_entries(dh_cell cell, struct dh_entry *list);

/* Room for one more entry. */
void dh_record_grow(struct dh_record *r);

/* One access to the bytes of a locked record. */
static inline void dh_record_step(struct dh_record *r, struct dh_access access,
                                  struct dh_view const *view, struct dh_verdict *verdict) {
    access.id = 0; /* a record outlives them */
    if (DH_UNLIKELY(r->count == r->room)) dh_record_grow(r);
    r->count = dh_entries_step(r->entries, r->count, access, view, verdict);
    if (verdict->changed) r->alike = 0;
}

/* The same for an atomic access, to a list that may be alike. */
static inline void dh_record_atomic(struct dh_record *r, struct dh_access access,
                                    struct dh_view const *view, struct dh_verdict *verdict) {
    dh_record_step(r, access, view, verdict);
    r->alike = dh_entries_alike(r->entries, r->count);
}

/* Ends a locked record: its synchronisation object goes, and the cell becomes `cell`. Unlocks. */
void dh_record_end(struct dh_record *r, dh_cell cell);

#endif
