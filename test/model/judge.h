/* A data race by definition, for whole traces of model programs: the happens-before relation as sets
 * of events, and all pairs of accesses compared. Slow, and as plain as it can be.
 */
#ifndef DEADHEAT_TEST_MODEL_JUDGE_H
#define DEADHEAT_TEST_MODEL_JUDGE_H

#include "trace/event.h"

#include <stdbool.h>
#include <stddef.h>

enum { JUDGE_EVENTS = 1024, JUDGE_RACY = 64 };

struct verdict {
    size_t count;              /* addresses with a race */
    uint64_t racy[JUDGE_RACY]; /* in rising order */
    size_t first;              /* the event that completes the first race */
};

/* Of the accesses of a trace, or of its checks. */
enum judged { JUDGE_ACCESSES, JUDGE_CHECKS };
struct verdict judge(struct dh_trace_event const *events, size_t count, enum judged judged);

bool same_races(struct verdict const *a, struct verdict const *b);

#endif
