/* Checks leave counted loops (ir/loops.h): one check before the loop stands for all that an access
 * does in it, and accesses that go through memory together share one (sheaves.c).
 *
 *   Covering: the check comes before each access of the loop, is of its kind and on its bytes, and
 *   no release is between them, for nothing in a counted loop synchronises.
 *   Legitimate: no acquire is between them either; and the accesses do happen, for the loop runs to
 *   its count, and the access is in every round. What is checked is exactly what is accessed: the
 *   bytes at first + k * stride for each round k. The same holds for the loops around that one which
 *   the run is carried out of (ir/nests.h).
 *
 * Of a loop that nobody has counted, or that has several ways out, the check comes behind it, on
 * each of them, for as many rounds as the access was in. Then no acquire and no release is between
 * either, and that it comes is certain: an access that moves on in each round ends its loop.
 *
 * Everything else is checked where it is, less what is redundant (redundant.c), in this function or
 * because of others (summaries.h), in groups (group.c).
 */
#include "ir/access.h"
#include "place/facts.h"
#include "place/place.h"
#include "place/summaries.h"

#include <stdlib.h>

static bool is_free(struct place_fate const *fate) {
    return fate->reason == PLACE_KEPT && fate->check == PLACE_NO_CHECK;
}

/* What stands for it is in another function. */
static bool is_elsewhere(enum place_reason reason) {
    return reason == PLACE_CALLERS || reason == PLACE_RETURNED || reason == PLACE_CALLED;
}

static void place(struct ir_accesses const *accesses, bool bigfoot, struct placement *p,
                  struct place_summaries *summaries) {
    struct place_facts facts;
    struct place_cover *covers = malloc((accesses->count + 1) * sizeof *covers);
    struct place_group **groups = calloc(accesses->count + 1, sizeof *groups);
    struct place_sheaf **sheaves = calloc(accesses->count + 1, sizeof *sheaves);
    if (!covers || !groups || !sheaves) abort();
    dh_placement_begin(p, accesses);
    for (size_t i = 0; i < accesses->count; i++)
        covers[i] = (struct place_cover){p->fates[i].reason, PLACE_SEVERAL};
    dh_facts_open(&facts, accesses);
    dh_summaries_use(summaries, &facts);
    if (facts.count != 0) {
        dh_place_redundant(&facts, covers);
        dh_place_called(summaries, &facts, covers);
        if (bigfoot) dh_place_released(&facts, covers);
        if (bigfoot) dh_place_group(&facts, covers, groups);
    }
    dh_facts_close(&facts);
    for (size_t i = 0; i < accesses->count; i++)
        p->fates[i].reason = covers[i].reason;
    if (bigfoot) dh_place_sheaves(accesses, p, sheaves);
    for (size_t i = 0; i < accesses->count; i++) {
        if (!is_free(&p->fates[i])) continue;
        struct place_check check = {&accesses->list[i], groups[i], sheaves[i]};
        if (sheaves[i] && sheaves[i]->check != PLACE_NO_CHECK) {
            p->fates[i].check = sheaves[i]->check;
            continue;
        }
        if (groups[i]) {
            groups[i]->next = p->groups;
            p->groups = groups[i];
        }
        if (sheaves[i]) check.access = sheaves[i]->strands[0].access;
        uint32_t number = dh_placement_add(p, accesses, check);
        p->fates[i].check = number;
        if (sheaves[i]) sheaves[i]->check = number;
    }
    for (size_t i = 0; i < accesses->count; i++) {
        struct place_fate *fate = &p->fates[i];
        if (fate->reason == PLACE_KEPT && p->checks[fate->check].access != &accesses->list[i])
            fate->reason = PLACE_MERGED;
        if (covers[i].reason == PLACE_KEPT) continue;
        if (covers[i].reason == PLACE_RETURNED || covers[i].reason == PLACE_CALLED) {
            fate->call = covers[i].by;
            continue;
        }
        uint32_t by = covers[i].by;
        while (by != PLACE_SEVERAL
               && covers[by].reason != PLACE_KEPT) /* what covered it is covered */
            by = is_elsewhere(covers[by].reason) ? PLACE_SEVERAL : covers[by].by;
        if (by != PLACE_SEVERAL) fate->check = p->fates[by].check;
    }
    free(covers);
    free(groups);
    free(sheaves);
}

void dh_place_redcard(struct ir_accesses const *accesses, struct placement *placement,
                      struct place_summaries *summaries) {
    place(accesses, false, placement, summaries);
}

void dh_place_bigfoot(struct ir_accesses const *accesses, struct placement *placement,
                      struct place_summaries *summaries) {
    place(accesses, true, placement, summaries);
}
