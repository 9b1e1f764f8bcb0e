/* Vector clocks with owners. A dh_vc is counted and, as long as more than one holds it, never
 * written: a release hands the thread's own array on, and only a thread that learns something
 * afterwards makes a copy. (Of a small array a lock has a copy from the start: rt/last.h.)
 *
 * A snapshot (core/heads.h) is what a thread knew at a release: the array, and its own tick beside
 * it.
 *
 *   Invariant: whoever knows tick c of slot s knows every snapshot that s published with a tick up
 * to c. (A thread that has released and then learns something ticks first.) So a snapshot whose own
 * tick is known has nothing to teach, which makes most acquires one comparison.
 */
#ifndef DEADHEAT_RT_CLOCKS_H
#define DEADHEAT_RT_CLOCKS_H

#include "core/heads.h"
#include "rt/base.h"

struct dh_vc *dh_vc_ref(struct dh_vc *vc);
void dh_vc_unref(struct dh_vc *vc);
/* The same clock, writable and with room for `size` slots: the caller's reference moves to the
 * result. */
struct dh_vc *dh_vc_own(struct dh_vc *vc, uint32_t size);
#define DH_VC_SMALL 14u /* slots: as many as make a clock a line of the cache */
/* to := from. Small clocks are copied, larger ones shared: the thread that `from` is of writes it
 * again when it learns something, and would have to make a copy then. The slow part keeps all
 * registers, so that its callers need few. */
__attribute__((preserve_most)) void dh_vc_assign_slow(struct dh_vc **to, struct dh_vc *from);
static inline void dh_vc_assign(struct dh_vc **to, struct dh_vc *from) {
    struct line {
        dh_tick ticks[DH_VC_SMALL];
    };
    struct dh_vc *copy = *to;
    if (DH_LIKELY(copy && from && copy->size == DH_VC_SMALL && from->size == DH_VC_SMALL
                  && __atomic_load_n(&copy->refs, __ATOMIC_ACQUIRE) == 1))
        *(struct line *)copy->ticks = *(struct line const *)from->ticks;
    else
        dh_vc_assign_slow(to, from);
}

/* When the running thread ends: what it has in reserve is for others. */
void dh_vc_spares_free(void);

/* vc := vc |_| from, or |_| epoch; true if it learnt anything. *vc is replaced as needed. */
bool dh_vc_join(struct dh_vc **vc, struct dh_vc const *from);
bool dh_vc_note(struct dh_vc **vc, struct dh_epoch epoch);

/* dh_ticks_join of small clocks, in vectors. Those of four ticks have no unsigned comparison on
 * every processor: the upper bit is turned over. */
static inline void dh_ticks_join_small(dh_tick *restrict into, dh_tick const *restrict from) {
    typedef uint32_t four __attribute__((vector_size(16), aligned(4)));
    typedef int32_t compared __attribute__((vector_size(16)));
    uint32_t const top = 1u << 31, vectors = DH_VC_SMALL / 4 * 4;
    for (uint32_t s = 0; s < vectors; s += 4) {
        four a = *(four const *)(into + s), b = *(four const *)(from + s);
        four newer = (four)((compared)(b ^ top) > (compared)(a ^ top));
        *(four *)(into + s) = (b & newer) | (a & ~newer);
    }
    for (uint32_t s = vectors; s < DH_VC_SMALL; s++)
        into[s] = from[s] > into[s] ? from[s] : into[s];
}

/* Both at once. */
__attribute__((preserve_most)) void dh_vc_learn_slow(struct dh_vc **vc, struct dh_vc const *from,
                                                     struct dh_epoch epoch);
static inline void dh_vc_learn(struct dh_vc **vc, struct dh_vc const *from, struct dh_epoch epoch) {
    struct dh_vc *own = *vc;
    if (DH_LIKELY(from && own && own->size == DH_VC_SMALL && from->size == DH_VC_SMALL
                  && epoch.slot < DH_VC_SMALL
                  && __atomic_load_n(&own->refs, __ATOMIC_ACQUIRE) == 1)) {
        dh_ticks_join_small(own->ticks, from->ticks);
        if (own->ticks[epoch.slot] < epoch.tick) own->ticks[epoch.slot] = epoch.tick;
    } else {
        dh_vc_learn_slow(vc, from, epoch);
    }
}

/* The clocks of the synchronisation objects in a cell: the releases that a later acquire is ordered
 * after. A mutex has one, a release sequence one for each thread that released into it. */
struct dh_heads {
    uint32_t count, room;
    struct dh_snapshot *list;
};

/* dh_heads_overwrite and dh_heads_publish (core/heads.h) with the references that the list holds;
 * dh_heads_add takes over that of the snapshot. */
void dh_heads_end(struct dh_heads *heads, unsigned bytes, uint32_t continuing);
void dh_heads_add(struct dh_heads *heads, struct dh_snapshot head);
void dh_heads_free(struct dh_heads *heads);

#endif
