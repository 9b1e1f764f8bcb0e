/* The state of a location, by the book: the accesses that a later access could still race with.
 *
 * An entry says that some bytes were accessed, how, and in which epoch. The list for a cell of
 * eight bytes is the definition that the packed cell (core/cell.h) is an encoding of, and what the
 * runtime falls back on where the packed form has no room. Bytes are independent of each other: a
 * list is eight lists, one a byte, written together.
 *
 *   Invariant (of each byte): no entry is subsumed by another. Hence at most one plain write, and
 * beside it only accesses that came after it, or that raced with it and were reported.
 */
#ifndef DEADHEAT_CORE_ENTRIES_H
#define DEADHEAT_CORE_ENTRIES_H

#include "core/clock.h"

enum dh_kind { DH_READ, DH_WRITE, DH_ATOMIC_READ, DH_ATOMIC_WRITE, DH_KINDS };

/* conf(K): the set of kinds that K races with when unordered, a bit a kind. */
static inline unsigned dh_conflicts(enum dh_kind k) {
    static unsigned char const conf[DH_KINDS] = {
        [DH_READ] = 1u << DH_WRITE | 1u << DH_ATOMIC_WRITE,
        [DH_WRITE] = 1u << DH_READ | 1u << DH_WRITE | 1u << DH_ATOMIC_READ | 1u << DH_ATOMIC_WRITE,
        [DH_ATOMIC_READ] = 1u << DH_WRITE,
        [DH_ATOMIC_WRITE] = 1u << DH_READ | 1u << DH_WRITE,
    };
    return conf[k];
}

/* Whatever races with an `old` that is ordered before a `new` also races with the `new`. */
static inline bool dh_subsumes(enum dh_kind new, enum dh_kind old) {
    return (dh_conflicts(old) & ~dh_conflicts(new)) == 0;
}

struct dh_entry {
    struct dh_epoch epoch;
    dh_epoch_id id; /* stands for the epoch in packed cells; 0 where there are none */
    uint8_t mask;   /* the bytes of the cell, never empty in a list */
    uint8_t kind;   /* enum dh_kind */
};

struct dh_access {
    struct dh_epoch epoch;
    dh_epoch_id id;
    uint8_t mask;
    uint8_t kind;
};

/* Neighbouring bytes may race with different accesses: each racy byte is in one part, with one
 * access that it races with, the last one found. Only the parts in use are ever written. */
struct dh_verdict {
    uint8_t racy; /* the bytes on which this access races: those of all parts */
    uint8_t parts;
    bool changed; /* the state is a new one */
    struct dh_verdict_part {
        struct dh_epoch other;
        uint8_t other_kind;
        uint8_t bytes;
    } part[8];
};

static inline void dh_verdict_begin(struct dh_verdict *v) {
    v->racy = v->parts = 0;
    v->changed = false;
}

static inline void dh_verdict_race(struct dh_verdict *v, unsigned bytes, struct dh_epoch other,
                                   uint8_t other_kind) {
    uint8_t kept = 0;
    for (uint8_t i = 0; i < v->parts; i++) {
        v->part[i].bytes &= (uint8_t)~bytes;
        if (v->part[i].bytes != 0) v->part[kept++] = v->part[i];
    }
    v->part[kept++] = (struct dh_verdict_part){other, other_kind, (uint8_t)bytes};
    v->parts = kept;
    v->racy |= (uint8_t)bytes;
}

/* One access to the location whose state is list[0..count). The list has room for one more entry.
 * Returns the new count. */
uint32_t dh_entries_step(struct dh_entry *list, uint32_t count, struct dh_access access,
                         struct dh_view const *view, struct dh_verdict *verdict);

/* The bytes that all entries of a list are on, if all of them are atomic; else 0. */
uint8_t dh_entries_alike(struct dh_entry const *list, uint32_t count);

/* The same as dh_entries_step for an atomic access, in the view's own epoch, to the bytes of a
 * list that is alike: so there is no race. What another entry of the same epoch subsumes is not
 * kept either, because no inlined test looks for it. *changed: it was news. False: the list does
 * not change in one place only, and nothing was done. */
static inline __attribute__((always_inline)) bool
dh_entries_atomic(struct dh_entry *list, uint32_t *count, struct dh_access access,
                  struct dh_view const *view, bool *changed) {
    uint32_t const had = *count;
    uint32_t subsumed = 0, at = had;
    *changed = false;
    for (uint32_t i = 0; i < had; i++) {
        struct dh_entry const *old = &list[i];
        if (dh_epoch_equal(old->epoch, access.epoch) && old->kind >= access.kind) return true;
        /* A write subsumes both kinds, a read another. */
        if (old->kind > access.kind || !dh_epoch_before(old->epoch, view)) continue;
        subsumed++;
        at = i;
    }
    if (subsumed == had) { /* most are used by one thread after another */
        at = 0;
        *count = 1;
    } else if (subsumed == 0) {
        *count = had + 1;
    } else if (subsumed > 1) {
        return false;
    }
    list[at] = (struct dh_entry){access.epoch, access.id, access.mask, access.kind};
    *changed = true;
    return true;
}

/* The same where the object is used by one thread after another: nobody else has read since it
 * was written, or all that was done is ordered before the write. */
static inline __attribute__((always_inline)) bool
dh_entries_in_turn(struct dh_entry *list, uint32_t *count, struct dh_access access,
                   struct dh_view const *view, bool *changed) {
    struct dh_entry *at = list, *end = list + *count;
    bool const read = access.kind == DH_ATOMIC_READ;
    *changed = false;
    if (read) at = end;
    for (struct dh_entry *old = list; old != end; old++) {
        if (dh_epoch_equal(old->epoch, access.epoch) && old->kind >= access.kind) return true;
        if (!read && !dh_epoch_before(old->epoch, view)) return false;
        if (read && old->kind == DH_ATOMIC_READ) {
            if (old->epoch.slot != view->self) return false;
            at = old; /* its own, of an earlier epoch: there is no other */
        }
    }
    if (!read) *count = 1;
    if (read && at == end) ++*count;
    *at = (struct dh_entry){access.epoch, access.id, access.mask, access.kind};
    *changed = true;
    return true;
}
_Static_assert(DH_READ < DH_ATOMIC_READ && DH_WRITE < DH_ATOMIC_READ
                   && DH_ATOMIC_READ < DH_ATOMIC_WRITE,
               "atomic kinds come last, the stronger one behind the other");

#endif
