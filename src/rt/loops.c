#include "rt/loops.h"
#include "rt/audit.h"
#include "rt/intercept/intercept.h"

bool dh_loops_used;

/* How many rounds of the run have been for certain: accesses ahead of this one share its check, but
 * in the last round they may be still to come. */
static size_t rounds_of(struct dh_loop_run const *run) {
    size_t rounds = run->rounds, more = run->place->more;
    return rounds < 2 || more == 0 ? rounds : rounds - 1 + more;
}

static void check(struct dh_loop const *loop) {
    uintptr_t frame = dh_stack_frame_of((uintptr_t)loop);
    for (struct dh_loop_run const *run = loop->runs;; run++) {
        struct dh_loop_place const *place = run->place;
        struct dh_here here = {(uintptr_t)place + (uintptr_t)(intptr_t)place->pc, frame};
        dh_run_check(place->write ? DH_WRITE : DH_READ, (uintptr_t)run->first, place->size,
                     place->stride, rounds_of(run), here);
        if (place->last) return;
    }
}

void dh_loops_check(struct dh_thread *self) {
    enum dh_in_check before = self->in_check;
    if (dh_audited()) self->in_check = DH_CHECK_TELLS;
    for (struct dh_loop const *loop = __dh_tls.loops; loop; loop = loop->outer)
        check(loop);
    self->in_check = before;
}

__attribute__((visibility("default"))) void __dh_has_loops(void) {
    dh_loops_used = true;
    if (!dh_alone_now) dh_signals_watch_ends();
}
