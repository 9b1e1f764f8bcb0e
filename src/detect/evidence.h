/* What was found, with both events. A detector knows in which epoch the earlier access was, not
 * where: that takes a second look at the trace. So events cost no memory while a trace is judged,
 * however long it is; findings do, and only so many are kept.
 */
#ifndef DEADHEAT_DETECT_EVIDENCE_H
#define DEADHEAT_DETECT_EVIDENCE_H

#include "detect/detector.h"

enum { DH_EVIDENCE_MOST = 1 << 20 };

struct dh_evidence_item {
    struct dh_finding finding;
    struct dh_trace_event later, earlier; /* earlier.op is DH_OP_COUNT until it is known */
    uint64_t earlier_index;
    uint32_t next; /* with a first byte in the same bucket: its number + 1 */
};

struct dh_evidence {
    struct dh_arena *memory;
    struct dh_evidence_item *items;
    uint32_t count, room;
    uint64_t found; /* also those that were not kept */
    uint32_t *buckets;
    uint32_t bucket_count; /* a power of two */
};

/* `later` is the event that the finding is about. */
void dh_evidence_add(struct dh_evidence *e, struct dh_finding const *finding,
                     struct dh_trace_event const *later);

/* The second look: after _begin all events of the trace again, in order. */
void dh_evidence_begin(struct dh_evidence *e);
void dh_evidence_step(struct dh_evidence *e, uint64_t index, struct dh_trace_event const *event);

/* Items of the same two places and operations become one, the first, with how many there were.
 * Where a place is not known, they must also be of the same threads on the same bytes. */
struct dh_evidence_group {
    struct dh_evidence_item const *item;
    uint64_t count;
};
uint32_t dh_evidence_groups(struct dh_evidence *e, struct dh_evidence_group **groups);

#endif
