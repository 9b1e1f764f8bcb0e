/* Vector clocks, seen as arrays: tick[s] is the newest tick of slot s that this clock knows of.
 * Slots at or beyond `size` are unknown, which is tick 0. Nothing here allocates: whoever joins a
 * clock into a smaller one makes room first.
 */
#ifndef DEADHEAT_CORE_CLOCK_H
#define DEADHEAT_CORE_CLOCK_H

#include "core/epoch.h"

/* What one thread knows: the ticks of others, and its own tick beside them, so that the thread can
 * go on ticking while the array is shared with the locks it released. */
struct dh_view {
    dh_tick const *ticks;
    uint32_t size;
    dh_slot self;
    dh_tick now;
};

static inline dh_tick dh_view_tick(struct dh_view const *v, dh_slot slot) {
    if (slot == v->self) return v->now;
    return slot < v->size ? v->ticks[slot] : 0;
}

/* e <= V: everything the thread did up to e is ordered before what V's owner does next. */
static inline bool dh_epoch_before(struct dh_epoch e, struct dh_view const *v) {
    return e.tick <= dh_view_tick(v, e.slot);
}

/* into := into |_| from, over `size` ticks; true if `into` learnt anything. */
bool dh_ticks_join(dh_tick *into, dh_tick const *from, uint32_t size);

/* from is pointwise at most what is in `into`. */
bool dh_ticks_within(dh_tick const *from, dh_tick const *into, uint32_t size);

#endif
