/* Every interleaving of a model program, or one of each kind.
 *
 * Plain: at every state every thread that can step does so, in turn. Depth first, with a state kept
 * for each step of the current run, so memory is bounded by the longest run.
 *
 * Reduced: runs that differ only in the order of independent steps (model/machine.h) have the same
 * outcome and the same happens-before relation: they are one class, and it is enough to run one
 * of each. Two ideas find them:
 *
 *   source sets   (Abdulla, Aronsson, Jonsson, Sagonas, 2014) At first only one thread steps from a
 *                 state. Wherever a later step conflicts with the one taken there and was not
 *                 ordered after it, some thread that could begin the reversed order is added. Steps
 *                 of threads that cannot step now are looked at too: a lock that is held, a
 *                 condition that does not hold. Taking and taking of a lock conflict; giving and
 *                 taking only hand over.
 *   sleep sets    (Godefroid) A thread whose step was already tried from a state need not be tried
 *                 again after steps that are independent of it. So no class is run twice; at worst
 *                 a run is abandoned on the way.
 *
 * Every run ends: a thread has a bound on its steps, and a run in which one was hit says so.
 */
#ifndef DEADHEAT_MODEL_EXPLORE_H
#define DEADHEAT_MODEL_EXPLORE_H

#include "model/machine.h"

struct dh_explore_options {
    struct dh_limits limits;
    bool reduce;
    uint64_t most_runs; /* 0: no bound */
};

/* A whole run: no thread can step any more. Valid during the call. */
struct dh_run {
    struct dh_machine const *machine;
    struct dh_state const *state;
    struct dh_trace_event const *events;
    size_t event_count;
    uint8_t const *schedule; /* which thread made each step */
    size_t steps;
    bool failed;          /* an assertion */
    bool error;           /* null, an index, a lock that is not held, ... */
    bool out_of_steps;    /* a thread was stopped by a limit */
    bool deadlock;        /* none of these, and a thread waits that nobody will wake */
    uint64_t outcome;     /* equal for equal final memories and ends of threads */
    uint64_t class_id[2]; /* equal for runs that differ in the order of independent steps only */
};

/* Not 0: explore no further. */
typedef int dh_run_visit(void *context, struct dh_run const *run);

struct dh_explore_stats {
    uint64_t runs;
    uint64_t abandoned; /* reduced: found to be like earlier ones before their end */
    uint64_t steps;     /* executed in all, not counting those shared by runs twice */
    uint64_t out_of_steps;
    uint64_t longest; /* steps of a run */
    bool complete;    /* false: stopped by most_runs or by a visit */
};

struct dh_explore_stats dh_explore(struct ir_program const *program,
                                   struct dh_explore_options options, dh_run_visit *visit,
                                   void *context);

#endif
