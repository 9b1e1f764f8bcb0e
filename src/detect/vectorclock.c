/* VectorClock: the algorithm of Figure 2 in "Verifying Dynamic Race Detection", with its slips put
 * right: WRITE updates the write clock from the write clock, ACQUIRE's conclusion has the new C.
 * The sync half is in detect/clocks.c.
 *
 * The rules READNOCHANGE and WRITENOCHANGE are left out, which the paper has as a shortcut: so
 * every racy event is found, also those that repeat what the thread did before in the same tick.
 * And where the paper's algorithm is stuck at the first race, this one reports it and goes on:
 * clocks do not depend on what races.
 */
#include "detect/history.h"

static void *create(struct dh_arena *memory, dh_found *found, void *to) {
    return dh_history_create(memory, found, to, DH_JOIN_TICKS);
}

static void step(void *state, uint64_t index, struct dh_trace_event const *event) {
    dh_history_step(state, index, event, dh_history_figure2);
}

struct dh_detector const dh_vectorclock = {
    .name = "vectorclock",
    .about = "a vector clock for the last reads and one for the last writes of each byte",
    .precise = true,
    .every_event = true,
    .create = create,
    .step = step,
};
