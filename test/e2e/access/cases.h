/* Many small cases in one program: two functions each, which two threads run, the first to its end before
 * the second begins, without an order that the detector knows. */
#ifndef DEADHEAT_TEST_CASES_H
#define DEADHEAT_TEST_CASES_H

#include "test.h"

#include <deadheat.h>

static void (*case_first)(void), (*case_second)(void);

static void *case_run_first(void *unused) {
    case_first();
    step();
    return unused;
}

static void *case_run_second(void *unused) {
    step();
    case_second();
    return unused;
}

/* Does a race get reported? One that was reported before, by the same code, does not count. */
static inline int case_races(void (*first)(void), void (*second)(void)) {
    unsigned long before = deadheat_race_count();
    case_first = first;
    case_second = second;
    run_two(case_run_first, case_run_second);
    return deadheat_race_count() != before;
}

struct case_pair {
    char const *name;
    void (*first)(void), (*second)(void);
};

/* Each must behave as the verdict says. */
static inline void case_run_all(struct case_pair const *pairs, size_t count, int race) {
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if (case_races(pairs[i].first, pairs[i].second) == race) continue;
        fprintf(stderr, "%s: %s\n", pairs[i].name, race ? "no race is reported" : "a race is reported");
        wrong++;
    }
    CHECK(wrong == 0);
}

#define CASES_RUN(pairs, race) case_run_all(pairs, sizeof(pairs) / sizeof *(pairs), race)

#endif
