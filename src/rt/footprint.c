#include "rt/footprint.h"
#include "report/race.h"
#include "rt/access.h"
#include "rt/intercept/intercept.h"
#include "rt/judge.h"
#include "rt/quick.h"
#include "rt/stats.h"

enum {
    RUN_BITS = 7,
    /* A run is committed when so many accesses were in it already: whoever waits for another thread in a
     * loop must be seen. */
    HITS_MOST = 64,
    BYTES_MOST = 1 << 18,
};

/* What one place does. If nothing is pending, its last access has been judged, and one beside it begins a
 * run. */
struct run {
    uintptr_t pc, frame, caller;
    uintptr_t start, end; /* pending, or the last access */
    uint32_t size;        /* of each access */
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

/* Two places of a loop should not have one run in turns: each would end the other's. So there are two
 * to choose from. */
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

/* The run is judged, unless that was done meanwhile: until the judge is inside its critical section a signal
 * handler may come, and commit. */
static void commit(struct dh_thread *self, struct run *run) {
    struct dh_judge j;
    struct run const r = *run;
    enum dh_in_check before = self->in_check;
    if (!r.pending) return;
    self->in_check = r.tells ? DH_CHECK_TELLS : DH_CHECK_NONE;
    bool judged = dh_judge_begin(&j, r.kind, r.kind == DH_WRITE ? DH_ACCESS_WRITE : 0, r.start,
                                 r.end - r.start, (struct dh_here){.pc = r.pc});
    self->in_check = before;
    if (!judged) dh_critical_enter();
    bool same = run->pending && run->start == r.start && run->end == r.end && run->pc == r.pc;
    if (same) {
        run->pending = false;
        self->pending--;
        DH_COUNT(self, commits);
    }
    if (!judged) {
        dh_critical_leave();
        return;
    }
    j.unit = j.stride = r.size;
    j.past = true;
    j.callers = r.callers;
    if (same) dh_judge_range(&j);
    dh_judge_end(&j);
}

DH_COLD void dh_footprint_commit_slow(struct dh_thread *self) {
    for (struct run *r = self->footprint->runs; self->pending != 0; r++)
        if (r->pending) commit(self, r);
}

void dh_footprint_free(struct dh_thread *self) {
    dh_free(self->footprint, sizeof *self->footprint);
    self->footprint = 0;
}

/* ---- accesses ---- */

static void begin(struct dh_thread *self, struct run *r, uintptr_t address, struct dh_here here) {
    r->callers = dh_stack_callers(here);
    r->start = address;
    r->end = address + r->size;
    r->hits = 0;
    r->tells = self->in_check == DH_CHECK_TELLS;
    r->pending = true;
    self->pending++;
}

/* The access is in the run of its place, or continues it. Inside a critical section. */
static bool take(struct dh_thread *self, struct run *r, uintptr_t address, size_t size,
                 enum dh_kind kind, struct dh_here here) {
    if (r->pc != here.pc || r->frame != here.frame || r->size != size || r->kind != kind
        || r->caller != caller_of(self, here.frame))
        return false;
    bool above = address == r->end, below = address + size == r->start;
    if (r->pending) {
        if (address >= r->start && address + size <= r->end) return ++r->hits < HITS_MOST;
        if (r->end - r->start >= BYTES_MOST || !dh_has_shadow(address, size)) return false;
        if (above) r->end += size;
        if (below) r->start = address;
        return above || below;
    }
    if ((!above && !below) || self->ignoring != 0 || !dh_has_shadow(address, size)) return false;
    begin(self, r, address, here);
    return true;
}

/* A signal handler may come between, and be the first. */
DH_COLD static void first_use(struct dh_thread *self) {
    dh_critical_enter();
    bool first = dh_footprints == DH_FOOTPRINTS_NONE;
    if (first) dh_footprints = DH_FOOTPRINTS_SOME;
    if (!self->footprint) self->footprint = dh_alloc(sizeof *self->footprint);
    dh_critical_leave();
    if (first) dh_signals_watch_ends();
}

static void foot(void const *p, size_t size, enum dh_kind kind, struct dh_here here) {
    uintptr_t address = (uintptr_t)p;
    if (dh_alone_now || dh_quick_on_record(address, size, kind)) return;
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
    if (!r->pending)
        *r = (struct run){
            .pc = here.pc,
            .frame = here.frame,
            .caller = caller_of(self, here.frame),
            .start = address,
            .end = address + size,
            .size = (uint32_t)size,
            .kind = (uint8_t)kind,
        };
    dh_critical_leave();
}

#define EXPORT __attribute__((visibility("default")))
EXPORT void __dh_foot_read(void const *p, size_t size) { foot(p, size, DH_READ, DH_HERE); }
EXPORT void __dh_foot_write(void *p, size_t size) { foot(p, size, DH_WRITE, DH_HERE); }
