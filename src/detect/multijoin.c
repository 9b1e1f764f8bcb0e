/* VectorClock for threads that several others may join (section 3.4 of "Verifying Dynamic Race
 * Detection"): JOIN leaves the joined thread's clock alone, so that joins need not exclude each
 * other. In return there is an event exit, X is the set of threads that have exited, a thread is
 * joined only when it is in X, and then acts no more.
 */
#include "detect/history.h"

#include "util/diag.h"

static void *create(struct dh_arena *memory, dh_found *found, void *to) {
    return dh_history_create(memory, found, to, DH_JOIN_AFTER_EXIT);
}

static bool in_x(struct dh_history *h, uint32_t thread) {
    return dh_clocks_thread(&h->clocks, thread)->exited;
}

static void step(void *state, uint64_t index, struct dh_trace_event const *event) {
    struct dh_history *h = state;
    /* What a reader lets through is well-formed: this is the rules' own condition, not a check of
     * the input. */
    if (in_x(h, event->thread)) dh_fail("thread %u acts after its exit", event->thread);
    if (event->op == DH_OP_JOIN && !in_x(h, (uint32_t)event->address))
        dh_fail("thread %u is joined before its exit", (uint32_t)event->address);
    dh_history_step(h, index, event, dh_history_figure2);
}

struct dh_detector const dh_multijoin = {
    .name = "multijoin",
    .about = "vectorclock with exits, so that a thread may be joined by several others",
    .precise = true,
    .every_event = true,
    .create = create,
    .step = step,
};
