/* What the threads of a trace know of each other, in vector clocks: the part that all detectors
 * with clocks share. C, L and the rules ACQUIRE, RELEASE, FORK and JOIN of Figure 2 in "Verifying
 * Dynamic Race Detection", and what C has beyond that: shared locks, semaphores, barriers, atomics.
 *
 *   Invariant: a running thread's own tick in its clock is greater than what anybody else's clock,
 *   or any object's, has for it. So no other thread is ordered after what it does now.
 *
 * An event's acquires come first, then the event itself is judged, then its releases follow; each
 * release ends with inc_t(C_t).
 */
#ifndef DEADHEAT_DETECT_CLOCKS_H
#define DEADHEAT_DETECT_CLOCKS_H

#include "core/clock.h"
#include "detect/space.h"
#include "detect/map.h"
#include "trace/event.h"

/* A vector clock in an arena; slots from `size` on are 0. */
struct dh_vc {
    dh_tick *tick;
    uint32_t size;
};

static inline dh_tick dh_vc_tick(struct dh_vc const *v, uint32_t slot) {
    return slot < v->size ? v->tick[slot] : 0;
}
void dh_vc_set(struct dh_arena *memory, struct dh_vc *v, uint32_t slot, dh_tick tick);
void dh_vc_join(struct dh_arena *memory, struct dh_vc *into, struct dh_vc const *from);
void dh_vc_copy(struct dh_arena *memory, struct dh_vc *into, struct dh_vc const *from);
void dh_vc_clear(struct dh_arena *memory, struct dh_vc *v);

struct dh_clock_thread {
    struct dh_vc clock;  /* C_t, with its own tick in it */
    struct dh_vc seen;   /* what relaxed loads have read, for the next acquire fence */
    struct dh_vc fenced; /* the clock at the last release fence: what relaxed stores publish */
    bool exited;
    uint64_t *began; /* by tick: the first event that may be part of it */
    uint32_t began_room;
};

/* How a thread that was joined goes on: by the letter of Figure 2 it ticks, which several joins at
 * once must not do; section 3.4 has exits instead, after which nothing needs to. */
enum dh_join_rule { DH_JOIN_TICKS, DH_JOIN_AFTER_EXIT };

struct dh_clocks {
    struct dh_arena *memory;
    enum dh_join_rule rule;
    struct dh_clock_thread **threads;
    uint32_t thread_room;
    struct dh_map locks, signals, barriers; /* to struct lock, struct dh_vc */
    struct dh_space sequences;              /* of atomics: to struct heads */
};

void dh_clocks_init(struct dh_clocks *clocks, struct dh_arena *memory, enum dh_join_rule rule);

struct dh_clock_thread *dh_clocks_thread_new(struct dh_clocks *clocks, uint32_t thread);
static inline struct dh_clock_thread *dh_clocks_thread(struct dh_clocks *clocks, uint32_t thread) {
    if (thread < clocks->thread_room && clocks->threads[thread]) return clocks->threads[thread];
    return dh_clocks_thread_new(clocks, thread);
}

/* Around the judgement of an event. Both may be left out for plain accesses. */
void dh_clocks_acquire(struct dh_clocks *clocks, struct dh_trace_event const *e);
void dh_clocks_release(struct dh_clocks *clocks, struct dh_trace_event const *e, uint64_t index);

static inline struct dh_view dh_clocks_view(struct dh_clock_thread const *t, uint32_t thread) {
    return (struct dh_view){t->clock.tick, t->clock.size, thread, t->clock.tick[thread]};
}

/* The events that an epoch consists of: those of its thread from *first to *last. */
void dh_clocks_events(struct dh_clocks const *clocks, struct dh_epoch epoch, uint64_t now,
                      uint64_t *first, uint64_t *last);

#endif
