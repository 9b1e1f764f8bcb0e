/* Random model programs and the instrumentation of model/instrument.h: in every interleaving of the
 * original the instrumented program fails an assertion exactly where a race is completed, and in
 * every interleaving of the instrumented one it fails exactly if there is a race.
 *
 * usage: model_instrument [--small N] [--seed N --programs N [--statements N]]
 *        --small N: first all programs of two threads with up to N statements each
 */
#include "projection.h"
#include "programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 5000 };

static bool still_wrong(void *context, struct random_program const *random) {
    struct comparison *ignored = context;
    struct ir_program *program = random_parsed(random);
    bool right = compare_instrumented(program, MOST_RUNS, ignored);
    dh_program_free(program);
    return !right;
}

static uint64_t number(char **argv, char const *name, uint64_t usual) {
    for (; *argv; argv++)
        if (strcmp(*argv, name) == 0 && argv[1]) return strtoull(argv[1], NULL, 10);
    return usual;
}

/* False: something is wrong, and was shown. */
static bool examine(struct random_program random, struct comparison *all) {
    if (!still_wrong(all, &random)) return true;
    struct comparison ignored = {0};
    char what[sizeof all->wrong];
    memcpy(what, all->wrong, sizeof what);
    random = random_shrunk(random, still_wrong, &ignored);
    printf("%s; the smallest such program:\n%s", what, random_text(&random));
    return false;
}

static void count(char const *which, struct comparison const *all) {
    printf("%s: %llu programs (%llu more make errors, %llu had over %d interleavings), %llu with a "
           "race: %llu interleavings followed, %llu runs of the instrumented programs\n",
           which, (unsigned long long)(all->programs - all->erroneous - all->skipped),
           (unsigned long long)all->erroneous, (unsigned long long)all->skipped, MOST_RUNS,
           (unsigned long long)all->racy, (unsigned long long)all->interleavings,
           (unsigned long long)all->runs);
}

int main(int argc, char **argv) {
    (void)argc;
    uint64_t seed = number(argv, "--seed", 1), programs = number(argv, "--programs", 0);
    uint32_t statements = (uint32_t)number(argv, "--statements", 9);
    uint32_t longest = (uint32_t)number(argv, "--small", 0);
    struct random_program program;
    struct comparison small = {0}, random = {0};
    for (uint64_t i = 0; longest > 0 && small_program(i, longest, &program); i++)
        if (!examine(program, &small)) return 1;
    if (longest > 0) count("all small programs", &small);
    for (uint64_t i = 0; i < programs; i++) {
        program = random_program(seed + i, S_READ, S_PLAIN_KINDS, 3 + i % (statements - 2));
        if (!examine(program, &random)) return 1;
    }
    if (programs > 0) count("random programs", &random);
    return 0;
}
