/* Synchronisation objects on the tape.
 *
 * An object has a number, and another one when it is made anew at the same address: what was
 * published at the old one is forgotten then (dh_sync_gone).
 *
 * A trace is strict about locks: taken when free, released by the holder. Programs are not. So what
 * the trace knows of a lock is followed here, and a lock that does not keep to it (unlocked by
 * another thread, abandoned by one that ended) is a *foreign* object from then on: whoever locks it
 * waits, whoever unlocks it signals, which orders the same things.
 */
#include "rt/records.h"
#include "rt/state.h"
#include "rt/tape.h"

struct dh_taped {
    uint64_t object;
    uint32_t era;
    uint32_t readers; /* that hold it */
    bool written;     /* a writer holds it */
    bool foreign;
};

static struct dh_taped *taped_of(struct dh_sync *sync, void const *p) {
    if (!sync->taped) sync->taped = dh_alloc(DH_CELL_BYTES * sizeof *sync->taped);
    struct dh_taped *t = &sync->taped[(uintptr_t)p % DH_CELL_BYTES];
    if (t->object == 0 || t->era != dh_tape_era)
        *t = (struct dh_taped){.object = dh_tape_new_object(), .era = dh_tape_era};
    return t;
}

void dh_tape_gone(struct dh_sync *sync, void const *p) {
    if (!sync->taped) return;
    if (p) {
        sync->taped[(uintptr_t)p % DH_CELL_BYTES] = (struct dh_taped){0};
        return;
    }
    dh_free(sync->taped, DH_CELL_BYTES * sizeof *sync->taped);
    sync->taped = 0;
}

void dh_tape_signal(struct dh_thread *self, struct dh_sync *sync, void const *p) {
    struct dh_taped *t = taped_of(sync, p);
    t->foreign |= t->written || t->readers != 0; /* a robust mutex whose holder ends */
    dh_tape_object(self, DH_OP_SIGNAL, t->object, 0);
}

void dh_tape_wait(struct dh_thread *self, struct dh_sync *sync, void const *p) {
    dh_tape_object(self, DH_OP_WAIT, taped_of(sync, p)->object, 0);
}

void dh_tape_locked(struct dh_thread *self, struct dh_sync *sync, void const *p,
                    struct dh_held *held, uint32_t levels, uintptr_t pc) {
    struct dh_taped *t = taped_of(sync, p);
    bool again = held->object == t->object && held->object_levels != 0;
    if (again) held->object_levels += levels;
    if (again && !t->foreign) return;
    t->foreign |= t->written || (!held->lock.reader && t->readers != 0);
    if (t->foreign) {
        dh_tape_object(self, DH_OP_WAIT, t->object, pc);
        return;
    }
    t->written = !held->lock.reader;
    t->readers += held->lock.reader;
    held->object = t->object;
    held->object_levels = levels;
    dh_tape_object(self, held->lock.reader ? DH_OP_RDACQUIRE : DH_OP_ACQUIRE, t->object, pc);
}

void dh_tape_unlocking(struct dh_thread *self, struct dh_sync *sync, void const *p,
                       struct dh_held *held, uint32_t levels) {
    struct dh_taped *t = taped_of(sync, p);
    bool holder = held && held->object == t->object && held->object_levels != 0;
    t->foreign |= !holder;
    if (t->foreign) {
        dh_tape_object(self, DH_OP_SIGNAL, t->object, 0);
        return;
    }
    held->object_levels -= levels < held->object_levels ? levels : held->object_levels;
    if (held->object_levels != 0) return;
    if (held->lock.reader)
        t->readers--;
    else
        t->written = false;
    dh_tape_object(self, held->lock.reader ? DH_OP_RDRELEASE : DH_OP_RELEASE, t->object, 0);
}

/* ---- barriers ---- */

static void round_open(struct dh_taped_round *round) {
    dh_mutex_lock(&round->lock);
    if (round->object == 0 || round->era != dh_tape_era) {
        round->object = dh_tape_new_object();
        round->era = dh_tape_era;
        round->departed = false;
        round->late = 0;
    }
}

/* With more threads than a round has, rounds are not what the trace wants (rt/barrier.c). */
void dh_tape_arrive(struct dh_thread *self, struct dh_taped_round *round) {
    round_open(round);
    if (round->departed && round->late == 0) round->late = dh_tape_new_object();
    if (round->departed)
        dh_tape_object(self, DH_OP_SIGNAL, round->late, 0);
    else
        dh_tape_object(self, DH_OP_ARRIVE, round->object, 0);
    dh_mutex_unlock(&round->lock);
}

void dh_tape_depart(struct dh_thread *self, struct dh_taped_round *round) {
    round_open(round);
    round->departed = true;
    dh_tape_object(self, DH_OP_DEPART, round->object, 0);
    if (round->late) dh_tape_object(self, DH_OP_WAIT, round->late, 0);
    dh_mutex_unlock(&round->lock);
}
