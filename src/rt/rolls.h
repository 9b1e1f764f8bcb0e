/* Rolls: states with atomic accesses that many cells share. A record is two lines of the cache, and
 * an array of atomics (distances in a graph, the buckets of a table) has thousands of cells, but
 * few states: who made which atomic accesses in which epochs. So a state that comes again gets a
 * roll, a record that never changes, and the cells hold its number.
 *
 *   Invariant: the list of a roll is the state of every cell that holds it, and at none of them is
 * there a clock, nor a lock.
 *
 * A cell that is no record, or a roll, is changed by an exchange, for a *turn*: the same access, to
 * the same state, in the same epoch, makes the same state of it. The thread remembers its last
 * turns. The first one of a kind makes a record of the cell: it may stay the only one, as at a
 * counter that is changed in epoch after epoch. Only the second has a roll made for it.
 *
 * An atomic operation and its turn are one step as follows (rt/atomics.c).
 *   - A load looks at the cell, then at the value, then exchanges the cell, or finds it as it was. A
 * release would have made it a record in between, so there was no clock to go with that value.
 *   - What writes takes the cell first: DH_CELL_TAKEN stands there during the operation, and everybody else
 * waits. Nothing is released in such a step.
 *
 * What needs the record of a cell that holds a roll (a plain access, a release, the end of its
 * memory) makes one (dh_record_lock).
 *
 * Rolls are used again after a collection, like ids (rt/epochs.h). If all are in use, records are
 * made.
 */
#ifndef DEADHEAT_RT_ROLLS_H
#define DEADHEAT_RT_ROLLS_H

#include "rt/blocks.h"
#include "rt/epochs.h"
#include "rt/own.h"
#include "rt/records.h"
#include "rt/shadow.h"
#include "rt/state.h"

struct dh_turn {
    dh_cell old;
    dh_tick tick;    /* of the thread's slot */
    uint16_t access; /* bytes and kind; 0: none */
    uint16_t roll;   /* what becomes of it; 0: it came once */
};
_Static_assert(DH_ROLLS <= 1 << 16, "the number of a roll has 16 bits");

/* A load that had something to say, or to learn: while the record has this stamp, the next one in
 * the same epoch has not. */
struct dh_seen {
    uintptr_t address;
    uint64_t stamp;
    struct dh_epoch epoch;
    dh_cell cell;
    uint16_t size;
    bool acquired; /* else only relaxed loads */
};

#define DH_TURNS_BITS 12
#define DH_SEEN_BITS 5
struct dh_turns {
    uint64_t collections; /* of ids, which are in states: turns are good until the next one, */
    dh_slot slot;         /* and while the thread is in this slot */
    struct dh_turn turns[1 << DH_TURNS_BITS];
    struct dh_seen seen[1 << DH_SEEN_BITS];
};

static inline struct dh_seen *dh_seen_of(struct dh_turns *turns, uintptr_t address) {
    return &turns->seen[address * 0x9e3779b97f4a7c15u >> (64 - DH_SEEN_BITS)];
}

/* The cell at this address, which is no record or a roll, may take a turn, from *state: what it
 * says, or its unit in its place (rt/shadow.h). A split changes, and never comes again. Inside a
 * critical section. */
static inline bool dh_turn_possible(uintptr_t address, dh_cell cell, dh_cell *state) {
    *state = cell;
    if (dh_cell_is_record(cell)) return cell != DH_CELL_TAKEN;
    if (dh_cell_is_split(cell) || !dh_own_settled(dh_owner_of(address))) return false;
    if (cell == 0) {
        if (!dh_block_is_fine(address)) return false;
        *state = __atomic_load_n(dh_coarse_of(address), __ATOMIC_ACQUIRE);
    }
    dh_shadow_touch(address);
    return true;
}

/* Outside critical sections: sees to it that turns are possible there. False: they were, as far as
 * that goes. */
bool dh_turn_prepare(uintptr_t address, size_t size);

/* Before the thread's first turn; when it ends, and what it remembers goes on to the next, best to
 * one in its slot, with later ticks; and when ids were collected, or the slot is another. */
void dh_turns_begin(struct dh_thread *self);
void dh_turns_end(struct dh_thread *thread);
void dh_turns_forget(struct dh_thread *self);

/* What becomes of it by an atomic access of the running thread, in its running epoch. 0: it needs a
 * record. Inside a critical section. */
dh_cell dh_turn_find(struct dh_thread *self, struct dh_turn *turn, dh_cell cell, uint8_t bytes,
                     enum dh_kind kind);
static inline uint16_t dh_turn_access(uint8_t bytes, enum dh_kind kind) {
    return (uint16_t)((unsigned)kind << 8 | bytes);
}
static inline struct dh_turn *dh_turn_of(struct dh_turns *turns, dh_cell cell, uint16_t access) {
    uint64_t mixed = (cell ^ (uint64_t)access << 40) * 0x9e3779b97f4a7c15u;
    return &turns->turns[mixed >> (64 - DH_TURNS_BITS)];
}
/* What is remembered is of this slot, and no id was collected since. */
static inline bool dh_turns_good(struct dh_thread const *self) {
    struct dh_turns const *turns = self->turns;
    return DH_LIKELY(turns->collections == dh_collections && turns->slot == self->slot);
}
/* What becomes of the cell, if the thread made such a turn in its running epoch; else 0. */
static inline dh_cell dh_turn_known(struct dh_thread const *self, dh_cell cell, uint8_t bytes,
                                    enum dh_kind kind) {
    uint16_t access = dh_turn_access(bytes, kind);
    struct dh_turn const *turn = dh_turn_of(self->turns, cell, access);
    if (turn->old != cell || turn->tick != self->tick || turn->access != access) return 0;
    return DH_LIKELY(turn->roll != 0) ? dh_cell_of_record(turn->roll) : 0;
}
static inline dh_cell dh_turn(struct dh_thread *self, dh_cell cell, uint8_t bytes,
                              enum dh_kind kind) {
    if (DH_UNLIKELY(!dh_turns_good(self))) dh_turns_forget(self);
    dh_cell next = dh_turn_known(self, cell, bytes, kind);
    if (DH_LIKELY(next != 0)) return next;
    return dh_turn_find(self, dh_turn_of(self->turns, cell, dh_turn_access(bytes, kind)), cell,
                        bytes, kind);
}

#endif
