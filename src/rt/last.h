/* The last release of a lock, or of an atomic object, in its record (rt/records.h). That of a lock
 * is found and renewed there without the record's own lock. Most locks are taken again by the
 * thread that released them: then an acquire has nothing to learn, and a release says what the last
 * one said, but for the tick. Most atomic objects have one release that counts, too: a flag, say,
 * or a sequence number.
 *
 *   last      the epoch of the release, and at which byte of the cell; 0: there is none here. Tick 0:
 * nobody has released there, but for readers. Of an atomic object it also has the size
 *   last_vc   what the releaser knew of others
 *
 *   Invariant: where `last` is not 0 these two are the one release that counts at its byte, or
 * bytes. No head in the list `releases` counts there, and in `readers` only if DH_LAST_READERS is
 * set, which an atomic object's never has. Beside an atomic object's both lists are empty.
 *
 * They change under the record's lock, last_vc only while `last` is 0. There is one exception: the
 * thread whose slot is in `last` exchanges it for the same with its present tick, if it has learnt
 * nothing since the tick that is there (`learnt_at`). Then last_vc is what it knows, for a thread
 * that has released ticks before it learns (rt/clocks.h). Whoever takes `last` away does so by an
 * exchange: what he has then belongs to last_vc, and a renewal that comes later fails. It cannot be
 * deceived, because only the thread in a slot writes the slot's name, with ticks that grow.
 *
 * Whoever locks the record for any other purpose finds the release in the list of heads: it is put
 * there first (dh_record_lock), or, where only the accesses matter, stays where it is. So only the
 * locks' own moves (rt/sync.c, rt/locks.h) know of this, and atomic operations (rt/atomics.c); and each puts
 * the other's into the list. An atomic object's is looked at and changed under the record's lock
 * only.
 *
 * Looking without the record's lock is right because the program's lock is held. Its last release
 * was written before the real unlock, hence is seen after the real lock, and nobody else may
 * release it now. A record is never memory of another kind, and if it was the record of this cell
 * before and after the look, it was in between: else the program ends a lock that it is just using.
 */
#ifndef DEADHEAT_RT_LAST_H
#define DEADHEAT_RT_LAST_H

#include "rt/records.h"
#include "rt/shadow.h"
#include "rt/state.h"

/* Bits 0 to 31 are the tick, 32 to 55 the slot. */
#define DH_LAST_SLOT_BITS 24
#define DH_LAST_HERE ((uint64_t)1 << 56) /* there is one */
#define DH_LAST_READERS ((uint64_t)1 << 57)
#define DH_LAST_BYTE_SHIFT 58
#define DH_LAST_SIZE_SHIFT 61 /* 0: a lock's; else that of an atomic object: 1, 2, 3, 4 for 1, 2, 4, 8 */

static inline struct dh_epoch dh_last_epoch(uint64_t last) {
    return (struct dh_epoch){(dh_slot)(last >> 32) & ((1u << DH_LAST_SLOT_BITS) - 1),
                             (dh_tick)last};
}
/* What all releases of this object in this slot have in common, in place of the tick 0; and the
 * upper half of it. */
static inline uint32_t dh_last_upper(void const *p, dh_slot slot) {
    return (uint32_t)((uintptr_t)p % DH_CELL_BYTES) << (DH_LAST_BYTE_SHIFT - 32)
           | (uint32_t)(DH_LAST_HERE >> 32) | slot;
}
static inline uint64_t dh_last_kind(void const *p, dh_slot slot) {
    return (uint64_t)dh_last_upper(p, slot) << 32;
}
static inline bool dh_last_is_of(uint64_t last, void const *p) {
    return last >> DH_LAST_BYTE_SHIFT == (uintptr_t)p % DH_CELL_BYTES && last != 0;
}

/* What stands above DH_LAST_BYTE_SHIFT in an atomic object's. 0: it can have none here. */
static inline __attribute__((always_inline)) uint64_t dh_last_object(uintptr_t address,
                                                                     size_t size) {
    uint64_t code = size == 1 ? 1 : size == 2 ? 2 : size == 4 ? 3 : size == 8 ? 4 : 0;
    return code == 0 ? 0 : code << 3 | address % DH_CELL_BYTES;
}
static inline uint64_t dh_last_of_object(uint64_t object, struct dh_epoch e) {
    return object << DH_LAST_BYTE_SHIFT | DH_LAST_HERE | (uint64_t)e.slot << 32 | e.tick;
}
static inline bool dh_last_is_atomic(uint64_t last) { return last >> DH_LAST_SIZE_SHIFT != 0; }
static inline uint8_t dh_last_bytes(uint64_t last) {
    unsigned size = dh_last_is_atomic(last) ? 1u << ((last >> DH_LAST_SIZE_SHIFT) - 1) : 1;
    return (uint8_t)(((1u << size) - 1) << (last >> DH_LAST_BYTE_SHIFT & (DH_CELL_BYTES - 1)));
}

/* The running thread has just locked p. True: it knows all that L(p) says. False: perhaps not.
 * Inside a critical section. */
static inline __attribute__((always_inline)) bool dh_last_known(struct dh_thread const *self,
                                                                void const *p, bool reader) {
    dh_cell *at = dh_shadow((uintptr_t)p);
    dh_cell cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (!dh_cell_is_record(cell)) return true; /* nobody has released anything here */
    struct dh_record *r = dh_record_number(dh_cell_record(cell));
    uint64_t last = __atomic_load_n(&r->last, __ATOMIC_ACQUIRE);
    struct dh_epoch e = dh_last_epoch(last);
    if (!dh_last_is_of(last, p) || (!reader && last & DH_LAST_READERS)) return false;
    if (e.slot != self->slot && e.tick > dh_vc_tick(self->vc, e.slot)) return false;
    return __atomic_load_n(&r->cell, __ATOMIC_ACQUIRE) == at
           && __atomic_load_n(at, __ATOMIC_RELAXED) == cell;
}

/* The same for what is most often so: it was the last to release p, for writing. */
static inline __attribute__((always_inline)) bool dh_last_is_own(struct dh_thread const *self,
                                                                 void const *p) {
    dh_cell *at = dh_shadow((uintptr_t)p);
    dh_cell cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (!dh_cell_is_record(cell)) return false;
    struct dh_record *r = dh_record_number(dh_cell_record(cell));
    uint64_t last = __atomic_load_n(&r->last, __ATOMIC_ACQUIRE);
    return last >> 32 == dh_last_upper(p, self->slot)
           && __atomic_load_n(&r->cell, __ATOMIC_ACQUIRE) == at
           && __atomic_load_n(at, __ATOMIC_RELAXED) == cell;
}

/* The running thread is about to unlock p, which it holds for writing. True: L(p) says now what it
 * knows. False: nothing was done. Inside a critical section. */
static inline __attribute__((always_inline)) bool dh_last_renew(struct dh_thread *self,
                                                                void const *p) {
    dh_cell *at = dh_shadow((uintptr_t)p);
    dh_cell cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (!dh_cell_is_record(cell)) return false;
    struct dh_record *r = dh_record_number(dh_cell_record(cell));
    uint64_t last = __atomic_load_n(&r->last, __ATOMIC_ACQUIRE);
    if (last >> 32 != dh_last_upper(p, self->slot) || (dh_tick)last < self->learnt_at
        || r->cell != at)
        return false;
    if ((dh_tick)last == self->tick) return true; /* nothing was done since the last release */
    uint64_t next = last - (dh_tick)last + self->tick;
    if (!__atomic_compare_exchange_n(&r->last, &last, next, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_RELAXED))
        return false;
    dh_thread_released(self);
    return true;
}

/* The rest is done under the record's lock. */

/* L(p) := C. False: `last` is another object's. */
bool dh_last_set(struct dh_record *r, struct dh_thread *self, void const *p);
/* A reader has released p, and is in the list of readers. */
void dh_last_read(struct dh_record *r, void const *p);
/* The release joins the list of heads. */
void dh_last_spill(struct dh_record *r);
/* It is forgotten. */
void dh_last_end(struct dh_record *r);

#endif
