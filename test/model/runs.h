/* What the tests of the model keep of all runs of a program, and how two explorations are compared.
 */
#ifndef DEADHEAT_TEST_MODEL_RUNS_H
#define DEADHEAT_TEST_MODEL_RUNS_H

#include "judge.h"
#include "model/explore.h"

/* A set of pairs of numbers. */
struct pairs {
    struct pair {
        uint64_t a, b;
    } * list;
    size_t count, capacity;
};
void pairs_add(struct pairs *pairs, uint64_t a, uint64_t b);
void pairs_settle(struct pairs *pairs); /* sorts, and leaves one of equals */
bool pairs_equal(struct pairs const *x, struct pairs const *y);
void pairs_free(struct pairs *pairs);

struct runs {
    struct dh_explore_stats stats;
    struct pairs classes;  /* settled at the end */
    struct pairs outcomes; /* (outcome, 0) */
    struct pairs ends;     /* (class, outcome): equal classes end equally */
    uint64_t failed, errors, deadlocks, racy;
    uint64_t imprecise; /* traces whose checks race on other addresses than their accesses */
    char first_error[200];
    char disagreement[200]; /* of the judges about a trace; reduced explorations ask all of them */
    bool ask_all;
};

/* Explores, and judges every run. */
struct runs runs_of(struct ir_program const *program, struct dh_explore_options options);
void runs_free(struct runs *runs);

/* Reduced against plain: the same classes, outcomes, races, and each class once. Null, or what is
 * wrong. */
char const *runs_differ(struct runs const *plain, struct runs const *reduced);

struct ir_program *program_from_file(char const *path);

#endif
