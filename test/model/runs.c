#include "runs.h"

#include "ir/text.h"
#include "util/diag.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pairs_add(struct pairs *pairs, uint64_t a, uint64_t b) {
    if (pairs->count == pairs->capacity) {
        /* Most are repetitions: see whether there is room after all. */
        pairs_settle(pairs);
        if (2 * pairs->count >= pairs->capacity) {
            pairs->capacity = pairs->capacity ? 2 * pairs->capacity : 256;
            pairs->list = reallocarray(pairs->list, pairs->capacity, sizeof *pairs->list);
            if (!pairs->list) dh_fail("out of memory");
        }
    }
    pairs->list[pairs->count++] = (struct pair){a, b};
}

static int compare(void const *x, void const *y) {
    struct pair const *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

void pairs_settle(struct pairs *pairs) {
    if (pairs->count == 0) return;
    qsort(pairs->list, pairs->count, sizeof *pairs->list, compare);
    size_t kept = 1;
    for (size_t i = 1; i < pairs->count; i++)
        if (compare(&pairs->list[i], &pairs->list[kept - 1]) != 0)
            pairs->list[kept++] = pairs->list[i];
    pairs->count = kept;
}

bool pairs_equal(struct pairs const *x, struct pairs const *y) {
    return x->count == y->count
           && (x->count == 0 || memcmp(x->list, y->list, x->count * sizeof *x->list) == 0);
}

void pairs_free(struct pairs *pairs) { free(pairs->list); }

static void note_error(struct runs *runs, struct dh_run const *run) {
    if (runs->first_error[0]) return;
    for (uint32_t t = 0; t < run->machine->threads; t++) {
        struct dh_model_thread const *thread = &run->state->threads[t];
        if (thread->error)
            snprintf(runs->first_error, sizeof runs->first_error, "line %u: thread %u: %s",
                     thread->stopped.line, t, thread->error);
    }
}

static int visit(void *context, struct dh_run const *run) {
    struct runs *runs = context;
    pairs_add(&runs->classes, run->class_id[0], run->class_id[1]);
    pairs_add(&runs->outcomes, run->outcome, 0);
    pairs_add(&runs->ends, run->class_id[0], run->outcome);
    struct verdict accesses = judge(run->events, run->event_count, JUDGE_ACCESSES);
    struct verdict checks = judge(run->events, run->event_count, JUDGE_CHECKS);
    runs->racy += accesses.count > 0;
    runs->imprecise += !same_races(&accesses, &checks);
    runs->failed += run->failed;
    runs->errors += run->error;
    runs->deadlocks += run->deadlock;
    if (run->failed || run->error) note_error(runs, run);
    char const *wrong = runs->ask_all ? judges_disagree(run->events, run->event_count) : NULL;
    if (wrong) snprintf(runs->disagreement, sizeof runs->disagreement, "%s", wrong);
    return wrong != NULL;
}

struct runs runs_of(struct ir_program const *program, struct dh_explore_options options) {
    struct runs runs = {.ask_all = options.reduce};
    runs.stats = dh_explore(program, options, visit, &runs);
    pairs_settle(&runs.classes);
    pairs_settle(&runs.outcomes);
    pairs_settle(&runs.ends);
    return runs;
}

void runs_free(struct runs *runs) {
    pairs_free(&runs->classes);
    pairs_free(&runs->outcomes);
    pairs_free(&runs->ends);
}

char const *runs_differ(struct runs const *plain, struct runs const *reduced) {
    if (reduced->disagreement[0]) return reduced->disagreement;
    if (!pairs_equal(&plain->outcomes, &reduced->outcomes)) return "other outcomes";
    if (!pairs_equal(&plain->classes, &reduced->classes)) return "other classes of traces";
    if (reduced->stats.runs != reduced->classes.count) return "a class is run twice";
    if (plain->ends.count != plain->classes.count) return "runs of a class end differently";
    if (!pairs_equal(&plain->ends, &reduced->ends)) return "a class ends differently";
    if (!plain->racy != !reduced->racy) return "a race in one only";
    if (!plain->failed != !reduced->failed) return "a failed assertion in one only";
    if (!plain->deadlocks != !reduced->deadlocks) return "a deadlock in one only";
    return NULL;
}

struct ir_program *program_from_file(char const *path) {
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    if (!file) dh_fail("%s: %s", path, strerror(errno));
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    if (length == sizeof text) dh_fail("%s: the program is too long", path);
    struct dh_parse_error error;
    char const *slash = strrchr(path, '/');
    struct ir_program *program = dh_parse(slash ? slash + 1 : path, text, length, &error);
    if (!program) dh_fail("%s", error.text);
    return program;
}
