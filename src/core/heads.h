/* Release sequences (C11 5.1.2.4): which releases a load of the present value is ordered after.
 *
 * A snapshot is what a thread knew when it released. The *heads* of a cell are the snapshots that
 * count there, each at some bytes: those of an atomic object, or the first one of a lock. So
 * objects that are neighbours in a cell are strangers, and an atomic access orders what overlaps
 * it.
 *
 *   Invariant (of each byte): at most one head of each thread, its newest. That says all that the
 * thread's earlier releases did, because a thread forgets nothing and ticks between releases that
 * know different things.
 *
 * proof/Heads.v is about these two transitions. They give up a head by taking its last byte: the
 * heads that are left are in list[0..n), n is returned, and those given up come behind them.
 */
#ifndef DEADHEAT_CORE_HEADS_H
#define DEADHEAT_CORE_HEADS_H

#include "core/clock.h"

struct dh_vc {
    uint32_t refs; /* the business of whoever keeps clocks (rt/clocks.h) */
    uint32_t size; /* slots */
    dh_tick ticks[];
};

static inline dh_tick dh_vc_tick(struct dh_vc const *vc, dh_slot slot) {
    return vc && slot < vc->size ? vc->ticks[slot] : 0;
}

#define DH_NO_THREAD UINT32_MAX

struct dh_snapshot {
    struct dh_vc *vc; /* may be null: knows nobody */
    struct dh_epoch at;
    uint32_t thread; /* a number that no other thread ever has */
    uint8_t bytes;   /* in a list of heads: where it counts */
};

static inline bool dh_snapshot_knows(struct dh_snapshot const *s, struct dh_epoch e) {
    return (s->at.slot == e.slot ? s->at.tick : dh_vc_tick(s->vc, e.slot)) >= e.tick;
}

/* These bytes are written: all sequences end there but those of the thread `continuing`. In C that
 * is whoever stores; in C++20, and where a lock is released, it is DH_NO_THREAD. A
 * read-modify-write ends none. */
uint32_t dh_heads_overwrite(struct dh_snapshot *list, uint32_t count, unsigned bytes,
                            uint32_t continuing);

/* This release counts too, at its bytes. The list has room for one more. With a fence, a later
 * release of the thread may be there already: then the head itself is given up. What other threads
 * released stays, also where this one knows it, because in C it is up to them to continue their
 * sequences; but not if they are gone, and this one has their slot. */
uint32_t dh_heads_publish(struct dh_snapshot *list, uint32_t count, struct dh_snapshot head);

#endif
