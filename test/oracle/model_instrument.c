/* Random model programs and the instrumentation of model/instrument.h: in every interleaving of the
 * original the instrumented program fails an assertion exactly where a race is completed, and in
 * every interleaving of the instrumented one it fails exactly if there is a race.
 *
 * usage: model_instrument --seed N --programs N [--statements N]
 */
#include "projection.h"
#include "random.h"

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

int main(int argc, char **argv) {
    (void)argc;
    uint64_t seed = number(argv, "--seed", 1), programs = number(argv, "--programs", 1000);
    uint32_t statements = (uint32_t)number(argv, "--statements", 9);
    struct comparison all = {0};
    for (uint64_t i = 0; i < programs; i++) {
        struct random_program random =
            random_program(seed + i, S_PLAIN_KINDS, 3 + i % (statements - 2));
        if (!still_wrong(&all, &random)) continue;
        struct comparison ignored = {0};
        char what[sizeof all.wrong];
        memcpy(what, all.wrong, sizeof what);
        random = random_shrunk(random, still_wrong, &ignored);
        printf("seed %llu: %s; the smallest such program:\n%s", (unsigned long long)(seed + i),
               what, random_text(&random));
        return 1;
    }
    printf("%llu programs (%llu more make errors, %llu had over %d interleavings), %llu with a "
           "race: %llu interleavings followed, %llu runs of the instrumented programs\n",
           (unsigned long long)(all.programs - all.erroneous - all.skipped),
           (unsigned long long)all.erroneous, (unsigned long long)all.skipped, MOST_RUNS,
           (unsigned long long)all.racy, (unsigned long long)all.interleavings,
           (unsigned long long)all.runs);
    return 0;
}
