/* An epoch: one moment in the life of one thread.
 *
 * A *slot* names a logical thread; a *tick* counts its releases. The epoch c@t of the papers is
 * (slot t, tick c). An epoch never wraps: a thread whose tick is used up goes on in a fresh slot
 * that knows everything the old one did, which adds no order that was not there (program order
 * was).
 *
 * Cells have no room for a whole epoch, so they hold a small *epoch id* that stands for one. The
 * table from ids to epochs belongs to whoever keeps the cells; here it is only read. An id is given
 * to another epoch only when no cell, no read set and no thread refers to it any more.
 */
#ifndef DEADHEAT_CORE_EPOCH_H
#define DEADHEAT_CORE_EPOCH_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t dh_slot;
typedef uint32_t dh_tick;
typedef uint32_t dh_epoch_id;

struct dh_epoch {
    dh_slot slot;
    dh_tick tick; /* 0: no epoch; real ticks start at 1 */
};

#define DH_SLOT_NONE UINT32_MAX

static inline bool dh_epoch_equal(struct dh_epoch a, struct dh_epoch b) {
    return a.slot == b.slot && a.tick == b.tick;
}

#endif
