/* DJIT+: VectorClock that looks at the first read and the first write of a location in each time
 * frame only, a time frame being a thread's span from one release to the next. A later access of
 * the frame races only with what also races with the first: nobody is ordered after a frame that
 * has not ended. So each racy byte is found, though not each racy event.
 */
#include "detect/history.h"

static void rules(void *to, struct dh_part *part, uint64_t address, uint64_t span) {
    struct dh_history_access const *a = to;
    struct dh_history_part *x = (struct dh_history_part *)part;
    if (dh_vc_tick(&x->last[a->kind], a->self) == a->thread->clock.tick[a->self]) return;
    dh_history_compare(a, x, address, span);
    dh_history_note(a, x);
}

static void *create(struct dh_arena *memory, dh_found *found, void *to) {
    return dh_history_create(memory, found, to, DH_JOIN_AFTER_EXIT);
}

static void step(void *state, uint64_t index, struct dh_trace_event const *event) {
    dh_history_step(state, index, event, rules);
}

struct dh_detector const dh_djit = {
    .name = "djit",
    .about = "DJIT+: vector clocks, looked at once in each time frame",
    .precise = true,
    .every_event = false,
    .create = create,
    .step = step,
};
