/* Detectors side by side on one trace, held against the definition after every event.
 *
 * Demanded of each precise detector: the bytes found racy so far are those that the definition
 * found; every_event: those of this event, too; and what it names as the other side of a race is
 * one: among the events that it points to, every one that its words fit is a race by the
 * definition.
 */
#ifndef DEADHEAT_TEST_AGREE_H
#define DEADHEAT_TEST_AGREE_H

#include "detect/detector.h"

enum { AGREE_SIDES = 8, AGREE_FINDINGS = 512, AGREE_WATCHED = 64, AGREE_EVENTS = 1024 };

struct agree_side {
    struct dh_detector const *detector;
    struct dh_arena memory;
    void *state;
    uint64_t racy;  /* the watched bytes found so far, since they were allocated */
    uint64_t event; /* those of the last event */
    uint32_t count; /* of its findings */
    struct dh_finding findings[AGREE_FINDINGS];
};

struct agree {
    uint32_t sides, watched;
    uint64_t const *bytes; /* the bytes that are watched; null: 0, 1, 2 ... */
    uint32_t events;
    struct dh_trace_event trace[AGREE_EVENTS];
    uint64_t differing; /* how often a detector that is not precise said something else */
    struct agree_side side[AGREE_SIDES]; /* the definition first */
};

/* `detectors` may leave out the definition, which is always there. */
void agree_begin(struct agree *a, struct dh_detector const *const *detectors, uint32_t count,
                 uint64_t const *bytes, uint32_t watched);
void agree_end(struct agree *a);

/* The next event; null if all agree, else what is wrong. */
char const *agree_step(struct agree *a, struct dh_trace_event const *event);

/* The whole as it is now, to come back to. */
struct agree_copy {
    struct dh_arena_copy memory[AGREE_SIDES];
    uint64_t racy[AGREE_SIDES];
    uint32_t events;
};
void agree_save(struct agree const *a, struct agree_copy *copy);
void agree_restore(struct agree *a, struct agree_copy const *copy);

#endif
