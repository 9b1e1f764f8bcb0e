#include "rt/barrier.h"
#include "rt/footprint.h"
#include "rt/options.h"
#include "rt/records.h"
#include "rt/state.h"
#include "rt/tape.h"

/* One generation: the clocks of all that arrived. Counted by the threads in it and by the barrier.
 */
struct dh_barrier_round {
    uint32_t refs;
    uint32_t arrived;
    struct dh_vc *clock;
    struct dh_taped_round taped;
};

struct dh_barrier {
    uint32_t count; /* how many make a round */
    struct dh_barrier_round *now;
};

static void round_unref(struct dh_barrier_round *round) {
    if (!round || __atomic_fetch_sub(&round->refs, 1, __ATOMIC_ACQ_REL) != 1) return;
    dh_vc_unref(round->clock);
    dh_free(round, sizeof *round);
}

void dh_barrier_end(struct dh_barrier *barrier) {
    if (!barrier) return;
    round_unref(barrier->now);
    dh_free(barrier, sizeof *barrier);
}

/* Kept while the process is alone too: the barrier may be used later. */
void dh_barrier_init(void const *p, uint32_t count) {
    if (!dh_options.enabled || !__dh_tls.self) return;
    dh_record_prepare((uintptr_t)p);
    dh_critical_enter();
    struct dh_record *r = dh_record_lock((uintptr_t)p);
    struct dh_sync *sync = dh_record_sync(r);
    dh_barrier_end(sync->barrier);
    sync->barrier = dh_alloc(sizeof *sync->barrier);
    sync->barrier->count = count;
    dh_record_unlock(r);
    dh_critical_leave();
}

struct dh_barrier_round *dh_barrier_arrive(void const *p) {
    if (dh_alone_now) return 0;
    struct dh_thread *self = dh_self();
    struct dh_barrier_round *round = 0;
    dh_footprint_commit(self);
    dh_critical_enter();
    struct dh_record *r = dh_record_lock_if_any((uintptr_t)p);
    struct dh_barrier *barrier = r && r->sync ? r->sync->barrier : 0;
    if (barrier) {
        if (!barrier->now) {
            barrier->now = dh_alloc(sizeof *round);
            barrier->now->refs = 1;
        }
        round = barrier->now;
        __atomic_fetch_add(&round->refs, 1, __ATOMIC_RELAXED);
        struct dh_snapshot mine = dh_thread_publish(self);
        dh_vc_join(&round->clock, mine.vc);
        dh_vc_note(&round->clock, mine.at);
        dh_vc_unref(mine.vc);
        if (DH_UNLIKELY(dh_recording)) dh_tape_arrive(self, &round->taped);
        if (++round->arrived == barrier->count) {
            barrier->now = 0; /* the next to arrive is in the next round */
            round_unref(round);
        }
    }
    if (r) dh_record_unlock(r);
    dh_critical_leave();
    return round;
}

void dh_barrier_leave(struct dh_barrier_round *round) {
    if (!round) return;
    struct dh_thread *self = dh_self();
    dh_footprint_commit(self);
    dh_critical_enter();
    dh_thread_learn_vc(self, round->clock);
    if (DH_UNLIKELY(dh_recording)) dh_tape_depart(self, &round->taped);
    round_unref(round);
    dh_critical_leave();
}
