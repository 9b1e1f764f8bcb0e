/* Vector clocks with owners. A dh_vc is counted and, as long as more than one holds it, never
 * written: a release hands the thread's own array to the lock, and only a thread that learns
 * something afterwards makes a copy.
 *
 * A snapshot is what a thread knew at a release: the array, and its own tick beside it.
 *
 *   Invariant: whoever knows tick c of slot s knows every snapshot that s published with a tick up
 * to c. (A thread that has released and then learns something ticks first.) So a snapshot whose own
 * tick is known has nothing to teach, which makes most acquires one comparison.
 */
#ifndef DEADHEAT_RT_CLOCKS_H
#define DEADHEAT_RT_CLOCKS_H

#include "core/clock.h"
#include "rt/base.h"

struct dh_vc {
    uint32_t refs;
    uint32_t size; /* slots */
    dh_tick ticks[];
};

struct dh_snapshot {
    struct dh_vc *vc; /* may be null: knows nobody */
    struct dh_epoch at;
    uint8_t bytes; /* in a list of heads: of the cell, that it was published at */
};

struct dh_vc *dh_vc_ref(struct dh_vc *vc);
void dh_vc_unref(struct dh_vc *vc);
/* The same clock, writable and with room for `size` slots: the caller's reference moves to the
 * result. */
struct dh_vc *dh_vc_own(struct dh_vc *vc, uint32_t size);

static inline dh_tick dh_vc_tick(struct dh_vc const *vc, dh_slot slot) {
    return vc && slot < vc->size ? vc->ticks[slot] : 0;
}

/* vc := vc |_| from, or |_| epoch; true if it learnt anything. *vc is replaced as needed. */
bool dh_vc_join(struct dh_vc **vc, struct dh_vc const *from);
bool dh_vc_note(struct dh_vc **vc, struct dh_epoch epoch);

/* The clocks of the synchronisation objects in a cell, one for each release that a later acquire is
 * ordered after: a mutex has one, a release sequence one for each thread that released into it.
 * Each holds for some bytes: those of the atomic object, or the first one of a lock. So objects
 * that are neighbours in a cell are strangers, and an atomic access orders what overlaps it. */
struct dh_heads {
    uint32_t count, room;
    struct dh_snapshot *list;
};

/* Nothing that was published at these bytes counts any more. */
void dh_heads_drop(struct dh_heads *heads, unsigned bytes);
/* This release counts too, at its bytes. It says all that earlier ones of its slot did. Takes over
 * the snapshot's reference. */
void dh_heads_add(struct dh_heads *heads, struct dh_snapshot head);
void dh_heads_free(struct dh_heads *heads);

#endif
