/* Checks leave counted loops (ir/loops.h): one check before the loop stands for all that an access
 * does in it, and accesses that follow each other through an array share one.
 *
 *   Covering: the check comes before each access of the loop, is of its kind and on its bytes, and
 *   no release is between them, for nothing in a counted loop synchronises.
 *   Legitimate: no acquire is between them either; and the accesses do happen, for the loop runs to
 *   its count, and the access is in every round. What is checked is exactly what is accessed: the
 *   bytes at first + k * stride for each round k, and for accesses that share a check, those at
 *   first + k * stride for as many rounds more as the last of them is ahead of the first.
 *
 * Of a loop that nobody has counted the check comes behind it. Then no acquire and no release is
 * between either, and that it comes is certain: an access that moves on in each round ends its loop.
 *
 * Accesses share a run only if they are on one line of the source, which a report can then name.
 * Everything else is checked where it is, less what is redundant (redundant.c), in groups
 * (group.c).
 */
#include "ir/access.h"
#include "place/facts.h"
#include "place/place.h"

#include <stdlib.h>

static bool same_place(struct ir_position const *a, struct ir_position const *b) {
    return a->line == b->line && a->file == b->file;
}

/* The two go through the same bytes, some rounds apart. */
static bool same_track(struct ir_access const *a, struct ir_access const *b) {
    return a->kind == b->kind && a->size == b->size && a->run.loop == b->run.loop
           && a->run.stride == b->run.stride && a->run.base == b->run.base
           && a->run.index == b->run.index && a->run.scale == b->run.scale
           && same_place(&a->position, &b->position);
}

/* How many rounds b is ahead of a on their track; UINT64_MAX: no whole number, or behind. */
static uint64_t rounds_ahead(struct ir_access const *a, struct ir_access const *b) {
    uint64_t distance = (uint64_t)b->run.offset - (uint64_t)a->run.offset;
    uint64_t stride = (uint64_t)a->run.stride;
    if (distance == 0) return 0;
    if (a->run.stride < 0) {
        distance = 0 - distance;
        stride = 0 - stride;
    }
    if (stride == 0 || (int64_t)distance < 0 || distance % stride != 0) return UINT64_MAX;
    return distance / stride;
}

static bool is_free(struct place_fate const *fate) {
    return fate->reason == PLACE_KEPT && fate->check == PLACE_NO_CHECK;
}

/* Takes the access, and all on its track that join on without a gap, into one check: number
 * `number`. An access that still has no check and no reason is free to be taken. */
static struct place_check share(struct ir_accesses const *accesses, size_t first, uint32_t number,
                                struct place_fate *fates) {
    struct place_check check = {.access = &accesses->list[first], .run = true};
    fates[first].check = number;
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t i = first + 1; i < accesses->count; i++) {
            struct ir_access const *a = &accesses->list[i];
            if (!is_free(&fates[i]) || !a->run.loop || !same_track(check.access, a)) continue;
            uint64_t ahead = rounds_ahead(check.access, a), behind = rounds_ahead(a, check.access);
            if (ahead <= check.more + 1) {
                if (ahead > check.more) check.more = ahead;
            } else if (behind == 1) {
                check.access = a;
                check.more++;
            } else {
                continue;
            }
            fates[i].check = number;
            grown = true;
        }
    }
    return check;
}

static void place(struct ir_accesses const *accesses, bool bigfoot, struct placement *p) {
    struct place_facts facts;
    struct place_cover *covers = malloc((accesses->count + 1) * sizeof *covers);
    struct place_group **groups = calloc(accesses->count + 1, sizeof *groups);
    if (!covers || !groups) abort();
    dh_placement_begin(p, accesses);
    for (size_t i = 0; i < accesses->count; i++)
        covers[i] = (struct place_cover){p->fates[i].reason, PLACE_SEVERAL};
    dh_facts_open(&facts, accesses);
    if (facts.count != 0) {
        dh_place_redundant(&facts, covers);
        if (bigfoot) dh_place_released(&facts, covers);
        if (bigfoot) dh_place_group(&facts, covers, groups);
    }
    dh_facts_close(&facts);
    for (size_t i = 0; i < accesses->count; i++)
        p->fates[i].reason = covers[i].reason;
    for (size_t i = 0; i < accesses->count; i++) {
        struct place_check check = {.access = &accesses->list[i], .group = groups[i]};
        if (!is_free(&p->fates[i])) continue;
        if (groups[i]) {
            groups[i]->next = p->groups;
            p->groups = groups[i];
        } else if (bigfoot && check.access->run.loop) {
            check = share(accesses, i, (uint32_t)p->count, p->fates);
        }
        dh_placement_add(p, accesses, check);
    }
    for (size_t i = 0; i < accesses->count; i++) {
        struct place_fate *fate = &p->fates[i];
        if (fate->reason == PLACE_KEPT && p->checks[fate->check].access != &accesses->list[i])
            fate->reason = PLACE_MERGED;
        if (covers[i].reason == PLACE_KEPT) continue;
        uint32_t by = covers[i].by;
        while (by != PLACE_SEVERAL
               && covers[by].reason != PLACE_KEPT) /* what covered it is covered */
            by = covers[by].by;
        if (by != PLACE_SEVERAL) fate->check = p->fates[by].check;
    }
    free(covers);
    free(groups);
}

void dh_place_redcard(struct ir_accesses const *accesses, struct placement *placement) {
    place(accesses, false, placement);
}

void dh_place_bigfoot(struct ir_accesses const *accesses, struct placement *placement) {
    place(accesses, true, placement);
}
