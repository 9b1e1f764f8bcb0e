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
/* to := from. Small clocks are copied, larger ones shared: the thread that `from` is of writes it
 * again when it learns something, and would have to make a copy then. */
void dh_vc_assign(struct dh_vc **to, struct dh_vc *from);

/* When the running thread ends: what it has in reserve is for others. */
void dh_vc_spares_free(void);

/* vc := vc |_| from, or |_| epoch; true if it learnt anything. *vc is replaced as needed. */
bool dh_vc_join(struct dh_vc **vc, struct dh_vc const *from);
bool dh_vc_note(struct dh_vc **vc, struct dh_epoch epoch);
/* Both at once. */
void dh_vc_learn(struct dh_vc **vc, struct dh_vc const *from, struct dh_epoch epoch);

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
