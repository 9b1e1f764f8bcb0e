/* Judging accesses with gaps between them, as one: of a loop over every so many-th element, or over
 * one field of each. Where such a run goes through whole blocks these say it in strides
 * (rt/blocks.h); elsewhere its accesses are judged one by one, in the same critical section: in fine
 * cells, what became of one is made of those behind it that were in the same state.
 *
 *     struct dh_judge j;
 *     if (!dh_gaps_begin(&j, &run, here)) return;
 *     dh_gaps_judge(&j, lowest, highest);
 *     dh_judge_end(&j);
 */
#ifndef DEADHEAT_RT_GAPS_H
#define DEADHEAT_RT_GAPS_H

#include "rt/judge.h"

struct dh_gaps {
    enum dh_kind kind;
    uintptr_t first;
    size_t unit, stride; /* of each access, and from each to the next: stride > unit */
    size_t count;
};

/* As dh_judge_begin. */
bool dh_gaps_begin(struct dh_judge *j, struct dh_gaps const *g, struct dh_here here);

/* The accesses are a part of a longer run, perhaps, whose others are or will be judged, too: it
 * goes from the access at `lowest` to the one at `highest`. */
void dh_gaps_judge(struct dh_judge *j, uintptr_t lowest, uintptr_t highest);

#endif
