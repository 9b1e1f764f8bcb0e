/* Runs a program of the model language in every interleaving, plainly and reduced, and holds it to
 * the verdict in its name:
 *
 *   ..._race      some interleaving has a data race, by definition
 *   ..._norace    none has
 *   ..._fails     some interleaving fails an assertion
 *   ..._holds     none does, and all threads end
 *   ..._deadlock  some interleaving ends with threads that wait for ever
 *   precise_...   in every interleaving the checks race on the same addresses as the accesses
 *   imprecise_... in some they do not
 *
 * A program in the language of model/instrument.h is also held against its instrumented form.
 *
 * usage: run [--all] FILE.dh...   --all: plain enumeration even where there are very many
 */
#include "model/instrument.h"
#include "projection.h"
#include "util/diag.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

enum { FEW = 20000 };

static char const *against_its_name(char const *name, struct runs const *runs) {
    bool ends = dh_text_ends(name, "_deadlock") ? runs->deadlocks > 0 : runs->deadlocks == 0;
    if (runs->disagreement[0]) return runs->disagreement;
    if (runs->errors) return runs->first_error;
    if (runs->stats.out_of_steps) return "a thread is out of steps";
    if (!ends) return "deadlocks";
    if (dh_text_ends(name, "_norace") && runs->racy) return "a race";
    if (dh_text_ends(name, "_race") && !dh_text_ends(name, "_norace") && !runs->racy)
        return "no race";
    if (dh_text_ends(name, "_fails") != (runs->failed > 0)) return "assertions";
    if (dh_text_after(name, "precise_") && runs->imprecise) return "the checks are not precise";
    if (dh_text_after(name, "imprecise_") && !runs->imprecise) return "the checks are precise";
    return NULL;
}

static char const *against_instrumented(struct ir_program const *program) {
    static struct comparison comparison;
    char const *why;
    struct ir_position where;
    struct ir_program *instrumented = dh_instrument(program, DH_WITH_LOCKS, &why, &where);
    if (!instrumented) return NULL;
    dh_program_free(instrumented);
    comparison = (struct comparison){0};
    bool right = compare_instrumented(program, FEW, &comparison);
    printf("  instrumented: %llu interleavings followed, %llu runs%s\n",
           (unsigned long long)comparison.interleavings, (unsigned long long)comparison.runs,
           comparison.skipped ? ", not all" : "");
    return right ? NULL : comparison.wrong;
}

static bool run(char const *path, bool all) {
    char const *slash = strrchr(path, '/');
    char *name = dh_text_format("%s", slash ? slash + 1 : path);
    *strrchr(name, '.') = '\0';
    struct ir_program *program = program_from_file(path);
    struct dh_explore_options options = {.limits = DH_LIMITS_DEFAULT, .reduce = true};
    struct runs reduced = runs_of(program, options);
    options.reduce = false;
    options.most_runs = all ? 0 : FEW;
    struct runs plain = runs_of(program, options);

    printf("%s: %s%llu interleavings, %llu classes of traces (%llu runs abandoned), %zu outcomes\n",
           name, plain.stats.complete ? "" : "over ", (unsigned long long)plain.stats.runs,
           (unsigned long long)reduced.stats.runs, (unsigned long long)reduced.stats.abandoned,
           reduced.outcomes.count);
    char const *wrong = against_its_name(name, &reduced);
    if (!wrong && plain.stats.complete) wrong = runs_differ(&plain, &reduced);
    if (!wrong && plain.stats.complete) wrong = against_its_name(name, &plain);
    if (!wrong) wrong = against_instrumented(program);
    if (wrong) printf("%s: not as the name says: %s\n", name, wrong);
    runs_free(&reduced);
    runs_free(&plain);
    dh_program_free(program);
    return !wrong;
}

int main(int argc, char **argv) {
    bool all = argc > 1 && dh_text_equal(argv[1], "--all"), right = true;
    for (int i = 1 + all; i < argc; i++)
        right &= run(argv[i], all);
    return right ? 0 : 1;
}
