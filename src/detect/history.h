/* R_x and W_x of the algorithms with vector clocks, for every byte x: for each kind of access the
 * tick of each thread's last one. Atomic accesses have clocks of their own, because they conflict
 * with other kinds than plain ones do.
 */
#ifndef DEADHEAT_DETECT_HISTORY_H
#define DEADHEAT_DETECT_HISTORY_H

#include "detect/clocks.h"
#include "detect/found.h"
#include "detect/parts.h"

struct dh_history_part {
    struct dh_part part;
    struct dh_vc last[DH_KINDS];
};

/* What VectorClock, its variant for several joins, and DJIT+ are made of. */
struct dh_history {
    struct dh_clocks clocks;
    struct dh_parts parts;
    struct dh_outlet out;
};

struct dh_history *dh_history_create(struct dh_arena *memory, dh_found *found, void *to,
                                     enum dh_join_rule rule);

/* An access under way. */
struct dh_history_access {
    struct dh_history *history;
    struct dh_clock_thread *thread;
    uint64_t index;
    uint32_t self;
    enum dh_kind kind;
};

/* The rules of one detector for one location. */
void dh_history_step(struct dh_history *h, uint64_t index, struct dh_trace_event const *e,
                     dh_part_visit *rules);

/* W_x within C_t, and for writes R_x: all conflicting accesses so far are ordered before the
 * thread. Where they are not, one of them is reported. */
void dh_history_compare(struct dh_history_access const *a, struct dh_history_part const *x,
                        uint64_t address, uint64_t span);

/* R_x[t := C_t(t)], or W_x. */
void dh_history_note(struct dh_history_access const *a, struct dh_history_part *x);

/* READ and WRITE of Figure 2: both of these, always. */
dh_part_visit dh_history_figure2;

#endif
