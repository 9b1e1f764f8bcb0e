/* Which checks are redundant because of one behind a release: an access, then a release, then for
 * certain another access to the same bytes, as for a write, or as for a read and the first is one.
 * Nothing is acquired in between. Whoever races with the first races with the second, too, so its
 * check is enough (Figure 3 of "BigFoot").
 *
 * What other checks are redundant because of the first still has a check: these are in its span,
 * hence before the release, and so is nobody else in between who acquires. And the second, which is
 * behind it, relies on nothing that comes before. So the two ways of being redundant do not go
 * round in circles.
 *
 *   near  facts that are anticipated, by accesses that have a check, with at most releases before them
 *   far   those of them with a release before them
 */
#include "ir/access.h"
#include "ir/flow.h"
#include "place/facts.h"
#include "place/place.h"

#include <stdlib.h>
#include <string.h>

struct ahead {
    struct place_facts const *facts;
    struct place_cover *covers;
    size_t words;     /* of `near`; `far` follows it */
    uint64_t *behind; /* by block: both, for its end */
};

static uint64_t *behind(struct ahead const *a, uint32_t block) {
    return &a->behind[2 * block * a->words];
}

/* Between two points of a block with these numbers, if the second is behind. */
static void step_back(struct ahead const *a, uint64_t *set, bool reaches, bool released) {
    if (!reaches)
        memset(set, 0, 2 * a->words * sizeof *set);
    else if (released)
        for (size_t w = 0; w < a->words; w++)
            set[a->words + w] |= set[w];
}

static void look(struct ahead *a, uint32_t i, uint64_t const *far) {
    bool write = a->facts->accesses->list[i].kind == IR_WRITE;
    uint32_t read = a->facts->of[i] - 1;
    if (dh_fact_in(far, read + write))
        a->covers[i] = (struct place_cover){PLACE_REDUNDANT, PLACE_SEVERAL};
}

/* From the end of a block to its start; `drop`: also says what is redundant. */
static void walk(struct ahead *a, uint32_t block, uint64_t *set, bool drop) {
    struct place_facts const *f = a->facts;
    struct ir_flow const *flow = f->accesses->flow;
    uint32_t reach = flow->reaches[block] - 1, stretch = flow->stretches[block] - 1;
    for (uint32_t i = f->stops[block]; i-- > f->starts[block];) {
        struct ir_access const *at = &f->accesses->list[i];
        step_back(a, set, at->reach == reach, at->stretch != stretch);
        reach = at->reach;
        stretch = at->stretch;
        if (f->of[i] == 0 || a->covers[i].reason != PLACE_KEPT) continue;
        if (drop) look(a, i, set + a->words);
        dh_fact_add(set, f->of[i] - 1);
        if (at->kind == IR_WRITE) dh_fact_add(set, f->of[i]);
    }
    step_back(a, set, reach == 0, stretch != 0);
    dh_facts_forget_births(f, block, set);
    dh_facts_forget_births(f, block, set + a->words);
}

/* What is not so at the start of a block is not so at the end of one that leads there. */
static bool lead_back(struct ahead *a, uint32_t block, uint64_t const *set) {
    struct ir_flow const *flow = a->facts->accesses->flow;
    bool changed = false;
    for (uint32_t p = flow->pred_starts[block]; p < flow->pred_starts[block + 1]; p++) {
        uint64_t *end = behind(a, flow->preds[p]);
        bool lasts = flow->ends[block] != IR_ENDS && flow->preds[p] >= block;
        for (size_t w = 0; w < 2 * a->words; w++) {
            uint64_t left = lasts ? 0 : end[w] & set[w];
            changed |= left != end[w];
            end[w] = left;
        }
    }
    return changed;
}

void dh_place_released(struct place_facts const *facts, struct place_cover *covers) {
    struct ir_flow const *flow = facts->accesses->flow;
    struct ahead a = {facts, covers, facts->words, NULL};
    bool releases = false;
    for (uint32_t b = 0; b < flow->count; b++)
        releases |= flow->stretches[b] != flow->reaches[b];
    if (!releases) return;
    a.behind = calloc(flow->count * 2 * a.words + 1, sizeof *a.behind);
    uint64_t *set = calloc(2 * a.words + 1, sizeof *set);
    if (!a.behind || !set) abort();
    for (size_t p = 0; p < flow->pred_starts[flow->count]; p++)
        memset(behind(&a, flow->preds[p]), 0xff, 2 * a.words * sizeof *set);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = flow->count; b-- > 0;) {
            memcpy(set, behind(&a, b), 2 * a.words * sizeof *set);
            walk(&a, b, set, false);
            changed |= lead_back(&a, b, set);
        }
    }
    for (uint32_t b = flow->count; b-- > 0;) {
        memcpy(set, behind(&a, b), 2 * a.words * sizeof *set);
        walk(&a, b, set, true);
    }
    free(set);
    free(a.behind);
}
