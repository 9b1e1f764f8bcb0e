#include "rt/trails.h"
#include "rt/footprint.h"
#include "rt/gathers.h"
#include "rt/judge.h"
#include "rt/quick.h"
#include "rt/stats.h"

uint32_t dh_trails_pending;

struct span {
    uintptr_t from, to;
};

/* ---- links ---- */

__attribute__((preserve_most)) bool dh_trail_call(void) {
    struct dh_thread *self = __dh_tls.self;
    uintptr_t const frame = self->asked;
    struct dh_trail *t = self->trail;
    struct dh_context *c = dh_context_of(self->places, frame);
    if (!dh_contexts_kept(self)) return false;
    if (!dh_context_is_now(self, c, frame)) dh_context_learn(self, c, frame);
    if (c->links == 0) return false; /* nothing can be read there */
    t->frame = frame;
    t->caller = ((uintptr_t const *)frame)[1];
    t->callers = c->callers;
    if (t->count == 1) { /* it does not stay so */
        self->pending++;
        __atomic_add_fetch(&dh_trails_pending, 1, __ATOMIC_SEQ_CST);
    }
    return true;
}

/* ---- commit ---- */

/* Nothing is pending up to there. */
static void nothing_pending(struct dh_trail *t, uintptr_t end) {
    __dh_tls.trail.reach = 0;
    __dh_tls.trail.committed = end;
    __dh_tls.trail.left = DH_TRAIL_ACCESSES;
    t->links[0].to = end;
    t->count = 1;
}

/* Nothing is pending any more. */
static void settled(struct dh_thread *self, struct dh_trail *t, uintptr_t end) {
    if (t->renewed) dh_fill(t->taken_away, 0, sizeof t->taken_away);
    t->renewed = false;
    nothing_pending(t, end);
    self->pending--;
    __atomic_sub_fetch(&dh_trails_pending, 1, __ATOMIC_SEQ_CST);
    DH_COUNT(self, commits);
}

/* [from, end) is on record, and was judged when dh_forgotten was that. If others make memory lose
 * its history meanwhile they see that something is known, or are seen here. */
static void know(struct dh_thread *self, struct dh_trail *t, uintptr_t from, uintptr_t end,
                 uint64_t forgotten) {
    struct dh_epoch const epoch = dh_thread_epoch(self);
    if (!dh_epoch_equal(t->epoch, epoch) || t->forgotten != forgotten) {
        t->epoch = epoch;
        t->forgotten = forgotten;
        __dh_tls.trail.begin = from;
    }
    __atomic_store_n(&__dh_tls.trail.limit, dh_trail_reach(end - __dh_tls.trail.begin),
                     __ATOMIC_RELAXED);
    dh_gathers_begun();
    if (dh_forgotten(self) != forgotten) __dh_tls.trail.limit = 0;
}

/* Inside: all of it is on record. */
static void committed(struct dh_thread *self, struct dh_trail *t, struct span all,
                      uint64_t forgotten) {
    settled(self, t, all.to);
    if (__dh_tls.trail.end != 0) know(self, t, all.from, all.to, forgotten);
}

/* Inside: what is pending. */
static struct span pending(struct dh_trail const *t) {
    return (struct span){__dh_tls.trail.committed, t->links[t->count - 1].to};
}

/* Inside. False: the long way has to make it. */
static bool commit_quick(struct dh_thread *self, struct dh_trail *t) {
    struct span const all = pending(t);
    uint64_t const forgotten = dh_forgotten(self);
    bool changed = false;
    if (t->renewed || !dh_has_shadow(all.from, all.to - all.from)) return false;
    bool done = dh_range_quick(self, all.from, all.to - all.from, DH_READ, &changed);
    if (changed) dh_history_add_links(self, t->links + 1, t->count - 1);
    if (done) committed(self, t, all, forgotten);
    return done;
}

/* Until the judge is inside its critical section a signal handler may come, and commit, or add a
 * link. False: the links are to be judged. */
static bool commit_whole(struct dh_thread *self, struct dh_trail *t) {
    struct dh_judge j;
    dh_critical_enter();
    struct span const all = pending(t);
    dh_critical_leave();
    if (!dh_judge_begin(&j, DH_READ, 0, all.from, all.to - all.from, (struct dh_here){0}))
        return false;
    uint64_t const forgotten = dh_forgotten(self);
    struct span const now = pending(t);
    bool same = t->count > 1 && !t->renewed && now.from == all.from && now.to == all.to;
    j.stops = true;
    if (same) dh_judge_range(&j);
    if (j.changed) dh_history_add_links(self, t->links + 1, t->count - 1);
    j.changed = false; /* that is all */
    bool done = same && !j.stopped;
    if (done) committed(self, t, all, forgotten);
    dh_judge_end(&j);
    return done;
}

static bool is_taken_away(struct dh_trail const *t, uintptr_t byte) {
    uintptr_t at = byte - __dh_tls.trail.committed;
    return (t->taken_away[at / 64] >> at % 64 & 1) != 0;
}

/* Inside: what there is to judge of the link, piece by piece. */
static void judge(struct dh_judge *j, struct dh_trail const *t, struct dh_trail_link const *l) {
    uintptr_t const committed = __dh_tls.trail.committed;
    uintptr_t at = l->from > committed ? l->from : committed, stop;
    for (; at < l->to; at = stop) {
        bool gone = t->renewed && is_taken_away(t, at);
        stop = t->renewed ? at + 1 : l->to;
        while (stop < l->to && gone == is_taken_away(t, stop))
            stop++;
        if (gone) continue;
        j->address = at;
        j->size = stop - at;
        dh_judge_range(j);
    }
    j->address = l->from;
    j->size = l->to - l->from;
}

/* The last link is judged, unless that was done meanwhile: until the judge is inside its critical
 * section a signal handler may come, and commit. */
static void commit_last(struct dh_thread *self, struct dh_trail *t) {
    struct dh_judge j;
    dh_critical_enter();
    uint32_t const last = t->count - 1;
    struct dh_trail_link const l = t->links[last];
    dh_critical_leave();
    if (last == 0) return;
    bool judged =
        dh_judge_begin(&j, DH_READ, 0, l.from, l.to - l.from, (struct dh_here){.pc = l.pc});
    if (!judged) dh_critical_enter();
    bool same = t->count - 1 == last && t->links[last].pc == l.pc && t->links[last].from == l.from
                && t->links[last].to == l.to;
    if (judged) {
        j.past = true;
        j.callers = l.callers;
        if (same) judge(&j, t, &l);
    }
    if (same && last == 1)
        settled(self, t, l.to);
    else if (same)
        t->count = last;
    if (judged)
        dh_judge_end(&j);
    else
        dh_critical_leave();
}

DH_COLD static void commit_slow(struct dh_thread *self, struct dh_trail *t) {
    dh_critical_enter();
    dh_trail_end(&__dh_tls); /* nothing is added meanwhile */
    dh_critical_leave();
    while (__atomic_load_n(&t->count, __ATOMIC_RELAXED) > 1)
        commit_last(self, t);
}

void dh_trail_commit(struct dh_thread *self) {
    struct dh_trail *t = self->trail;
    dh_critical_enter();
    __dh_tls.trail.left = DH_TRAIL_ACCESSES;
    bool done = t->count == 1 || commit_quick(self, t);
    dh_critical_leave();
    if (!done && !commit_whole(self, t)) commit_slow(self, t);
}

/* ---- beginning and end ---- */

bool dh_trail_take_slow(uintptr_t a, uint32_t size, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    if (!self || !self->trail) return false;
    dh_trail_commit(self);
    dh_critical_enter();
    uintptr_t const end = __dh_tls.trail.end;
    if (end != 0 && __dh_tls.trail.limit == 0 && self->trail->count == 1) {
        uintptr_t from = end - a < size ? a : end;
        __dh_tls.trail.begin = __dh_tls.trail.end = from;
        nothing_pending(self->trail, from);
    }
    dh_critical_leave();
    return dh_trail_take(a, size, here);
}

bool dh_trail_begin(uintptr_t a, uint32_t size, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    if (dh_recording || dh_alone_now || !self || self->ignoring != 0) return false;
    if (dh_footprints == DH_FOOTPRINTS_NONE) dh_footprints_begin();
    if (self->trail) dh_trail_commit(self);
    dh_critical_enter();
    if (!self->trail) {
        self->trail = dh_alloc(sizeof *self->trail);
        self->trail->count = 1;
    }
    bool begins =
        dh_footprints == DH_FOOTPRINTS_SOME && self->trail->count == 1 && self->ignoring == 0;
    if (begins) {
        __dh_tls.trail.limit = 0;
        __dh_tls.trail.begin = __dh_tls.trail.end = a;
        __dh_tls.trail.row = 0;
        nothing_pending(self->trail, a);
        self->trail->epoch = (struct dh_epoch){0};
        DH_COUNT(self, trails);
    }
    dh_critical_leave();
    return begins && dh_trail_take(a, size, here);
}

void dh_trail_free(struct dh_thread *self) {
    dh_free(self->trail, sizeof *self->trail);
    self->trail = 0;
}

/* ---- memory that is renewed ---- */

/* Where there may be anything pending: asked without stopping anybody. What was read before the
 * memory came to be renewed is seen; and what is being committed, until that is done. */
static bool may_overlap(struct dh_thread *t, void const *renewed) {
    struct span const *s = renewed;
    if (!t->trail || !t->tls || __atomic_load_n(&t->trail->count, __ATOMIC_ACQUIRE) == 1)
        return false;
    uintptr_t from = __atomic_load_n(&t->tls->trail.committed, __ATOMIC_RELAXED);
    return from < s->to && s->from < from + DH_TRAIL_BYTES;
}

static void take_away(struct dh_trail *t, struct dh_tls *tls, struct span const *s) {
    uintptr_t const committed = tls->trail.committed, end = t->links[t->count - 1].to;
    uintptr_t const from = committed > s->from ? committed : s->from,
                    to = end < s->to ? end : s->to;
    if (from >= to) return;
    for (uintptr_t at = from - committed; at < to - committed; at++)
        t->taken_away[at / 64] |= (uint64_t)1 << at % 64;
    t->renewed = true;
    dh_trail_end(tls);
}

DH_COLD void dh_trails_renew_slow(uintptr_t from, uintptr_t to) {
    struct span s = {from, to};
    if (!dh_live_any(may_overlap, &s)) return;
    dh_world_stop();
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live)
        if (may_overlap(t, &s)) take_away(t->trail, t->tls, &s);
    dh_world_go();
}

void dh_trails_after_fork(void) { dh_trails_pending = 0; }
