/* What `deadheat replay` found in one trace, for those who print it. */
#ifndef DEADHEAT_DRIVER_REPLAY_H
#define DEADHEAT_DRIVER_REPLAY_H

#include "detect/audit.h"
#include "detect/detector.h"
#include "detect/evidence.h"
#include "detect/verdicts.h"
#include "trace/table.h"
#include "trace/trace.h"

#include <stdio.h>

/* In the verdicts each detector has the side of its place in dh_detectors; the run itself has: */
enum { REPLAY_LIVE = DH_DETECTORS };
_Static_assert(REPLAY_LIVE < DH_VERDICT_SIDES, "a side for each");

struct replay_judge {
    struct dh_detector const *detector; /* null: not asked */
    bool left_out;                      /* the trace was too long for it */
    struct dh_arena memory;
    void *state;
    struct dh_evidence evidence;
    struct replay *replay;
    uint64_t bytes; /* racy, at the end; as what follows */
    struct dh_evidence_group *races;
    uint32_t race_count;
};

/* Flaws of the same place and kind are one. */
struct replay_flaw {
    struct dh_flaw flaw; /* the first */
    uint64_t count;
};

struct replay {
    char const *path;
    struct dh_trace_reader *reader; /* open until all is printed: it knows the sites */
    struct dh_arena memory;
    struct replay_judge judges[DH_DETECTORS];
    struct replay_judge *asked[DH_DETECTORS]; /* those that judge */
    unsigned asked_count;
    unsigned reference; /* whose verdict the others, and the live one, are compared with */
    struct dh_verdicts verdicts;
    struct dh_trace_event const *event; /* that is being judged */
    uint64_t events, accesses, checks, live_reports;
    uint32_t threads;
    struct dh_audit *audit; /* null: not asked for */
    struct replay_flaw *flaws;
    uint32_t flaw_count, flaw_room;
    struct dh_table flaw_places;
    uint64_t flaw_bytes[DH_FLAW_CLASSES], flaws_found[DH_FLAW_CLASSES];
};

static inline struct replay_judge const *replay_reference(struct replay const *r) {
    return &r->judges[r->reference];
}

/* What the run reported is not what the reference finds. (A trace by hand has no reports at all.)
 */
bool replay_disagrees(struct replay const *r);

void replay_text(struct replay const *r);

/* One object for all traces: begin, each, end. */
void replay_json_begin(void);
void replay_json(struct replay const *r);
void replay_json_end(void);

#endif
