/* Traces of model programs before the judges of src/detect: well-formed, and racy where the
 * definition says so.
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

/* Of the accesses of a trace, or of its checks as if they were accesses. */
enum judged { JUDGE_ACCESSES, JUDGE_CHECKS };
struct verdict judge(struct dh_trace_event const *events, size_t count, enum judged judged);

bool same_races(struct verdict const *a, struct verdict const *b);

/* The same by every precise detector, and the rules for traces. Null, or what is wrong. */
char const *judges_disagree(struct dh_trace_event const *events, size_t count);

#endif
