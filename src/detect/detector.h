/* Detectors over traces, behind one small interface.
 *
 * A detector is given the events of a well-formed trace (trace/wellformed.h) one after the other,
 * and calls back for the bytes of an event that race with an earlier one. It keeps all that it
 * remembers in one arena, so that its state can be copied, put back, measured and thrown away.
 *
 * What they must agree on, and a test compares for every small trace (test/oracle/exhaustive.c):
 *
 *   precise      at every point of a trace, the bytes found racy are exactly those with two
 *                conflicting accesses that are not ordered by happens-before. Hence also the first
 *                racy event is the same for all
 *   every_event  moreover each event that races with an earlier one is named with all its racy
 *                bytes; others may be silent about a byte that they have found before
 *
 * A byte that is allocated anew is a new byte.
 */
#ifndef DEADHEAT_DETECT_DETECTOR_H
#define DEADHEAT_DETECT_DETECTOR_H

#include "trace/event.h"
#include "util/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* Event `event` races on these bytes with an access of that kind by that thread, which is one of
 * the events first..last: with the last one of them, before `event`, that touches the bytes in this
 * way, and with all others of them since the bytes were allocated. */
struct dh_finding {
    uint64_t event;
    uint64_t address, size;
    uint32_t other_thread;
    uint8_t other_kind; /* enum dh_kind */
    uint64_t first, last;
};
typedef void dh_found(void *to, struct dh_finding const *finding);

struct dh_detector {
    char const *name;
    char const *about; /* what it stands for, in a line */
    bool precise;
    bool every_event;
    /* The state is in `memory`, which belongs to this detector alone: releasing it is the end. */
    void *(*create)(struct dh_arena *memory, dh_found *found, void *to);
    /* Indices ascend from event to event; they need not be without gaps. */
    void (*step)(void *state, uint64_t index, struct dh_trace_event const *event);
};

extern struct dh_detector const dh_definition, dh_vectorclock, dh_multijoin, dh_djit, dh_fasttrack,
    dh_eraser;

/* All of them, the definition first. */
enum { DH_DETECTORS = 6 };
extern struct dh_detector const *const dh_detectors[DH_DETECTORS];

#endif
