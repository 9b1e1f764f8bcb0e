/* Original programs beside instrumented ones: what a trace of the second says about the first.
 */
#ifndef DEADHEAT_TEST_MODEL_PROJECTION_H
#define DEADHEAT_TEST_MODEL_PROJECTION_H

#include "runs.h"

/* The events of the original program in a trace of the instrumented one, with threads by the
 * numbers of their declarations. */
struct projection {
    size_t count;
    struct dh_trace_event events[JUDGE_EVENTS];
};
void project(struct dh_run const *run, struct projection *projection);

/* Equal for traces that differ in the order of independent events only. */
struct pair signature(struct projection const *projection);

/* The final memory and the ends of threads, as far as the original program knows them. */
uint64_t original_outcome(struct dh_run const *run, uint32_t words);

/* An assertion that the instrumentation made. */
bool found_race(struct dh_machine const *machine, struct dh_state const *state);

struct comparison {
    uint64_t programs, racy;
    uint64_t skipped;       /* of them: too many interleavings, of one side at least */
    uint64_t erroneous;     /* of them: the original unlocks what it does not hold, or the like */
    uint64_t interleavings; /* of originals, followed by the instrumented program */
    uint64_t runs;          /* of instrumented programs, one of each class */
    char wrong[200];        /* empty: nothing */
};

/* The instrumented program against the original, in every interleaving of both: see the heads of
 * the functions in projection.c. True: nothing is wrong. */
bool compare_instrumented(struct ir_program const *original, uint64_t most_runs,
                          struct comparison *comparison);

#endif
