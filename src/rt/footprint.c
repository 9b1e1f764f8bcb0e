#include "rt/footprint.h"
#include "report/race.h"
#include "rt/access.h"
#include "rt/gaps.h"
#include "rt/intercept/intercept.h"
#include "rt/judge.h"
#include "rt/quick.h"
#include "rt/stats.h"
#include "rt/trails.h"

enum {
    RUN_BITS = 7,
    /* A run is committed when so many accesses were in it already: whoever waits for another thread
     * in a loop must be seen. */
    HITS_MOST = 64,
    BYTES_MOST = 1 << 18,
    STRIDE_MOST = DH_PIECES_MAX * DH_CELL_BYTES, /* what blocks can say (rt/gaps.h) */
};

/* What one place does. If nothing is pending, its last access has been judged. One beside it begins
 * a run, and so does one as far from it as that was from the one before. */
struct run {
    uintptr_t pc, frame, caller;
    uintptr_t start, last; /* pending: accesses from here to here; else both the last one */
    uint32_t size;         /* of each access */
    uint32_t stride;       /* from each to the next; the last two, upwards; 0: not so near */
    uint32_t hits;
    dh_stack_id callers;
    uint8_t kind;
    bool pending;
    bool tells; /* its check is for the tape (rt/audit.h) */
};

enum dh_footprints dh_footprints;

struct dh_footprint {
    struct run runs[1 << RUN_BITS];
};

/* Two places of a loop should not have one run in turns: each would end the other's. So there are
 * two to choose from. */
static struct run *run_of(struct dh_footprint *f, uintptr_t pc) {
    uintptr_t i = pc * 0x9e3779b97f4a7c15u >> (64 - RUN_BITS);
    struct run *a = &f->runs[i], *b = &f->runs[i ^ 1];
    return a->pc == pc || (b->pc != pc && !a->pending) ? a : b;
}

static uintptr_t caller_of(struct dh_thread const *self, uintptr_t frame) {
    bool known = frame > (uintptr_t)__builtin_frame_address(0) && frame + 16 <= self->stack_high
                 && frame % 8 == 0;
    return known ? ((uintptr_t const *)frame)[1] : 0;
}

/* ---- commit ---- */

/* The run is judged, unless that was done meanwhile: until the judge is inside its critical section
 * a signal handler may come, and commit. */
static void commit(struct dh_thread *self, struct run *run) {
    struct dh_judge j;
    struct run const r = *run;
    struct dh_here const here = {.pc = r.pc};
    bool const gaps = r.stride > r.size;
    enum dh_in_check before = self->in_check;
    if (!r.pending) return;
    self->in_check = r.tells ? DH_CHECK_TELLS : DH_CHECK_NONE;
    bool judged = gaps ? dh_gaps_begin(&j,
                                       &(struct dh_gaps){r.kind, r.start, r.size, r.stride,
                                                         (r.last - r.start) / r.stride + 1},
                                       here)
                       : dh_judge_begin(&j, r.kind, r.kind == DH_WRITE ? DH_ACCESS_WRITE : 0,
                                        r.start, r.last + r.size - r.start, here);
    self->in_check = before;
    if (!judged) dh_critical_enter();
    bool same = run->pending && run->start == r.start && run->last == r.last && run->pc == r.pc;
    if (same) {
        run->pending = false;
        self->pending--;
        DH_COUNT(self, commits);
    }
    if (!judged) {
        dh_critical_leave();
        return;
    }
    j.unit = r.size;
    j.stride = r.stride;
    j.past = true;
    j.callers = r.callers;
    if (same && gaps)
        dh_gaps_judge(&j, r.start, r.last);
    else if (same)
        dh_judge_range(&j);
    dh_judge_end(&j);
}

/* Signal handlers may come in between, which commit what is pending, and leave runs of their
 * own. */
DH_COLD void dh_footprint_commit_slow(struct dh_thread *self) {
    struct run *const runs = self->footprint ? self->footprint->runs : 0;
    while (__atomic_load_n(&self->pending, __ATOMIC_RELAXED) != 0) {
        if (self->trail) dh_trail_commit(self);
        for (struct run *r = runs; r && r < runs + (1 << RUN_BITS); r++)
            if (__atomic_load_n(&r->pending, __ATOMIC_RELAXED)) commit(self, r);
    }
}

void dh_footprint_free(struct dh_thread *self) {
    dh_free(self->footprint, sizeof *self->footprint);
    self->footprint = 0;
}

/* ---- accesses ---- */

static void begin(struct dh_thread *self, struct run *r, uintptr_t address, struct dh_here here) {
    r->callers = dh_stack_callers(here);
    r->start = r->last = address;
    r->hits = 0;
    r->tells = self->in_check == DH_CHECK_TELLS;
    r->pending = true;
    self->pending++;
}

/* 0: too far for a run. */
static uint32_t distance(uintptr_t from, uintptr_t to) {
    uintptr_t apart = from < to ? to - from : from - to;
    return apart <= STRIDE_MOST ? (uint32_t)apart : 0;
}

/* The access is in the run of its place, or continues it. Inside a critical section. */
static bool take(struct dh_thread *self, struct run *r, uintptr_t address, size_t size,
                 enum dh_kind kind, struct dh_here here) {
    if (r->pc != here.pc || r->frame != here.frame || r->size != size || r->kind != kind
        || r->caller != caller_of(self, here.frame))
        return false;
    if (r->pending) {
        if (address >= r->start && address <= r->last && (address - r->start) % r->stride == 0)
            return ++r->hits < HITS_MOST;
        bool above = address == r->last + r->stride, below = address + r->stride == r->start;
        if (r->last - r->start >= BYTES_MOST || !dh_has_shadow(address, size)) return false;
        if (above) r->last = address;
        if (below) r->start = address;
        return above || below;
    }
    uint32_t stride = distance(r->last, address);
    bool goes_on = stride == size || (stride > size && stride == r->stride);
    r->stride = stride;
    if (!goes_on || self->ignoring != 0 || !dh_has_shadow(address, size)) return false;
    begin(self, r, address, here);
    return true;
}

/* A signal handler may come between, and be the first. */
DH_COLD void dh_footprints_begin(void) {
    dh_critical_enter();
    bool first = dh_footprints == DH_FOOTPRINTS_NONE;
    if (first) dh_footprints = DH_FOOTPRINTS_SOME;
    dh_critical_leave();
    if (first) dh_signals_watch_ends();
}

DH_COLD static void first_use(struct dh_thread *self) {
    dh_footprints_begin();
    dh_critical_enter();
    if (!self->footprint) self->footprint = dh_alloc(sizeof *self->footprint);
    dh_critical_leave();
}

static void foot(void const *p, size_t size, enum dh_kind kind, struct dh_here here) {
    uintptr_t address = (uintptr_t)p;
    if (dh_alone_still() || dh_quick_on_record(address, size, kind)) return;
    struct dh_thread *self = dh_self();
    if (DH_UNLIKELY(!self->footprint)) first_use(self);
    dh_critical_enter();
    struct run *r = run_of(self->footprint, here.pc);
    bool taken = dh_footprints != DH_FOOTPRINTS_OVER && take(self, r, address, size, kind, here);
    dh_critical_leave();
    if (taken) return;
    commit(self, r);
    dh_access_one(address, size, kind, here);
    dh_critical_enter();
    uint32_t stride = r->pc == here.pc && r->size == size ? r->stride : 0;
    if (!r->pending)
        *r = (struct run){
            .pc = here.pc,
            .frame = here.frame,
            .caller = caller_of(self, here.frame),
            .start = address,
            .last = address,
            .size = (uint32_t)size,
            .stride = stride,
            .kind = (uint8_t)kind,
        };
    dh_critical_leave();
}

#define EXPORT __attribute__((visibility("default")))
EXPORT void __dh_foot_read(void const *p, size_t size) { foot(p, size, DH_READ, DH_HERE); }
EXPORT void __dh_foot_write(void *p, size_t size) { foot(p, size, DH_WRITE, DH_HERE); }
