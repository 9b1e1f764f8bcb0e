/* Random model programs: the reduced exploration against all interleavings.
 *
 * usage: model --seed N --programs N [--statements N]
 */
#include "programs.h"
#include "runs.h"
#include "util/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 30000 };

struct totals {
    uint64_t programs, skipped, plain, classes, abandoned, racy, failed, deadlocks, errors;
};

/* Null: no difference, or too many interleavings to know. */
static char const *difference(struct random_program const *random, struct totals *totals) {
    struct ir_program *program = random_parsed(random);
    struct dh_explore_options options = {.limits = DH_LIMITS_DEFAULT, .most_runs = MOST_RUNS};
    struct runs plain = runs_of(program, options), reduced = {0};
    char const *differ = NULL;
    if (plain.stats.complete) {
        options.reduce = true;
        reduced = runs_of(program, options);
        differ = runs_differ(&plain, &reduced);
        totals->plain += plain.stats.runs;
        totals->classes += reduced.stats.runs;
        totals->abandoned += reduced.stats.abandoned;
        totals->racy += plain.racy > 0;
        totals->failed += plain.failed > 0;
        totals->deadlocks += plain.deadlocks > 0;
        totals->errors += plain.errors > 0;
    } else {
        totals->skipped++;
    }
    totals->programs++;
    runs_free(&plain);
    runs_free(&reduced);
    dh_program_free(program);
    return differ;
}

static bool still_differs(void *context, struct random_program const *random) {
    struct totals ignored = {0};
    return difference(random, &ignored) != NULL;
}

static uint64_t number(char **argv, char const *name, uint64_t usual) {
    for (; *argv; argv++)
        if (strcmp(*argv, name) == 0 && argv[1]) return strtoull(argv[1], NULL, 10);
    return usual;
}

int main(int argc, char **argv) {
    (void)argc;
    uint64_t seed = number(argv, "--seed", 1), programs = number(argv, "--programs", 1000);
    uint32_t statements = (uint32_t)number(argv, "--statements", 9);
    struct totals totals = {0};
    for (uint64_t i = 0; i < programs; i++) {
        /* The language of paper 002, all of it, and many atomics and conditions to wait for. */
        enum statement_kind first = i % 3 == 2 ? S_STORE : S_READ;
        enum statement_kind end = i % 3 == 0 ? S_PLAIN_KINDS : S_KINDS;
        struct random_program random =
            random_program(seed + i, first, end, 4 + i % (statements - 3));
        char const *differ = difference(&random, &totals);
        if (!differ) continue;
        random = random_shrunk(random, still_differs, NULL);
        printf("seed %llu: %s; the smallest program with a difference:\n%s",
               (unsigned long long)(seed + i), differ, random_text(&random));
        return 1;
    }
    printf(
        "%llu programs (%llu more had over %d interleavings): %llu interleavings, %llu classes of "
        "traces, %llu runs abandoned\n"
        "%llu with a race, %llu with a failed assertion, %llu with a deadlock, %llu with an "
        "error\n",
        (unsigned long long)(totals.programs - totals.skipped), (unsigned long long)totals.skipped,
        MOST_RUNS, (unsigned long long)totals.plain, (unsigned long long)totals.classes,
        (unsigned long long)totals.abandoned, (unsigned long long)totals.racy,
        (unsigned long long)totals.failed, (unsigned long long)totals.deadlocks,
        (unsigned long long)totals.errors);
    return 0;
}
