#include "judge.h"

#include "detect/detector.h"
#include "trace/wellformed.h"
#include "util/diag.h"

#include <stdio.h>
#include <string.h>

static void found(void *to, struct dh_finding const *finding) {
    struct verdict *verdict = to;
    size_t at = 0;
    if (verdict->count == 0) verdict->first = finding->event;
    while (at < verdict->count && verdict->racy[at] < finding->address)
        at++;
    if (at < verdict->count && verdict->racy[at] == finding->address) return;
    if (verdict->count == JUDGE_RACY) dh_fail("a trace has too many racy addresses");
    memmove(verdict->racy + at + 1, verdict->racy + at,
            (verdict->count - at) * sizeof *verdict->racy);
    verdict->racy[at] = finding->address;
    verdict->count++;
}

/* Checks judge nothing by themselves: here they stand for accesses, and the accesses go. */
static bool as_judged(struct dh_trace_event *e, enum judged judged) {
    if (judged == JUDGE_ACCESSES) return true;
    if (e->op == DH_OP_READ || e->op == DH_OP_WRITE) return false;
    if (e->op == DH_OP_CHECK) {
        e->op = e->kind == DH_WRITE ? DH_OP_WRITE : DH_OP_READ;
        e->kind = 0;
    }
    return true;
}

static struct verdict judge_by(struct dh_detector const *detector,
                               struct dh_trace_event const *events, size_t count,
                               enum judged judged) {
    struct verdict verdict = {0};
    struct dh_arena memory = {0};
    void *state = detector->create(&memory, found, &verdict);
    for (size_t i = 0; i < count; i++) {
        struct dh_trace_event e = events[i];
        if (as_judged(&e, judged)) detector->step(state, i, &e);
    }
    dh_arena_release(&memory);
    return verdict;
}

struct verdict judge(struct dh_trace_event const *events, size_t count, enum judged judged) {
    return judge_by(&dh_definition, events, count, judged);
}

bool same_races(struct verdict const *a, struct verdict const *b) {
    return a->count == b->count && memcmp(a->racy, b->racy, a->count * sizeof *a->racy) == 0;
}

char const *judges_disagree(struct dh_trace_event const *events, size_t count) {
    static char wrong[200];
    struct dh_wellformed rules;
    char const *broken = NULL;
    dh_wellformed_begin(&rules);
    for (size_t i = 0; i < count && !broken; i++)
        if ((broken = dh_wellformed_step(&rules, &events[i])))
            snprintf(wrong, sizeof wrong, "event %zu is impossible: %s", i, broken);
    dh_wellformed_end(&rules);
    if (broken) return wrong;

    struct verdict truth = judge(events, count, JUDGE_ACCESSES);
    for (int d = 0; d < DH_DETECTORS; d++) {
        if (!dh_detectors[d]->precise) continue;
        struct verdict verdict = judge_by(dh_detectors[d], events, count, JUDGE_ACCESSES);
        bool same_first = verdict.count == 0 || verdict.first == truth.first;
        if (same_races(&truth, &verdict) && same_first) continue;
        snprintf(wrong, sizeof wrong, "%s finds other races than the definition",
                 dh_detectors[d]->name);
        return wrong;
    }
    return NULL;
}
