/* Which checks are redundant because of others: of the same bytes, or of these and more, by the
 * same thread.
 *
 *   before  A check of the access would repeat one that was made on every way to it, of these bytes
 *           and as for a write, or as for a read and the access is one. No release came between,
 *           nor a free. It may be in another function (summaries.h).
 *   behind  A read, and on every way from it a write of these bytes follows, for certain, and
 *           with nothing in between that has effects. The write's check covers the read, or, if
 *           that is redundant, the one that made it so: it is no further away.
 *
 * All that are redundant can be left out together. On any way through the program, the first check
 * that is missing where another relied on it would itself have been made redundant by an earlier
 * one.
 */
#include "ir/access.h"
#include "ir/calls.h"
#include "ir/entail.h"
#include "ir/flow.h"
#include "ir/objects.h"
#include "place/facts.h"
#include "place/place.h"

#include <stdlib.h>

struct search {
    struct place_facts const *facts;
    struct place_cover *covers;
    uint32_t *latest; /* by fact: the last access met that makes it so, plus one */
    uint32_t *call;   /* or call, plus one: if it is not 0 it came later */
};

/* On the way to an access blocks come in the order in which they are met, but for loops; so if the
 * last check of its bytes that was met dominates it, that one stands for it alone. */
static uint32_t alone(struct search const *s, uint32_t latest, size_t i) {
    struct ir_accesses const *all = s->facts->accesses;
    if (latest == 0) return PLACE_SEVERAL;
    bool dominates = dh_flow_dominates(all->flow, all->list[latest - 1].block, all->list[i].block);
    return dominates ? latest - 1 : PLACE_SEVERAL;
}

/* The access makes facts so: of this kind, about its place and those within it. */
static void note(struct search *s, size_t i, unsigned kind) {
    struct place_facts const *f = s->facts;
    uint32_t place = (f->of[i] - 1) / 2;
    for (uint32_t w = f->within_starts[place]; w < f->within_starts[place + 1]; w++) {
        s->latest[2 * f->within[w] + kind] = (uint32_t)i + 1;
        s->call[2 * f->within[w] + kind] = 0;
    }
}

/* The call does, of those that were not so before it or are no longer. */
static void note_call(void *to, size_t c, uint64_t const *set) {
    struct search *s = to;
    struct place_facts const *f = s->facts;
    bool ends = f->accesses->calls[c].ends;
    for (uint32_t r = f->returned_starts[c]; r < f->returned_starts[c + 1]; r++) {
        uint32_t place = f->returned[r] / 2;
        for (uint32_t w = f->within_starts[place]; w < f->within_starts[place + 1]; w++)
            for (uint32_t kind = 0; kind <= (f->returned[r] & 1); kind++) {
                uint32_t fact = 2 * f->within[w] + kind;
                if (ends || !dh_fact_in(set, fact)) s->call[fact] = (uint32_t)c + 1;
            }
    }
}

/* Why the fact is so, before an access. If nothing in the function has made it so the callers
 * have. */
static struct place_cover cover_of(struct search const *s, uint32_t fact, size_t i) {
    struct ir_accesses const *all = s->facts->accesses;
    uint32_t call = s->call[fact];
    if (call == 0 && s->latest[fact] == 0 && s->facts->entry && dh_fact_in(s->facts->entry, fact))
        return (struct place_cover){PLACE_CALLERS, PLACE_SEVERAL};
    if (call != 0 && dh_flow_dominates(all->flow, all->calls[call - 1].block, all->list[i].block))
        return (struct place_cover){PLACE_RETURNED, call - 1};
    return (struct place_cover){PLACE_REDUNDANT,
                                call != 0 ? PLACE_SEVERAL : alone(s, s->latest[fact], i)};
}

/* The sweep that was checked and that the range is within, plus one; 0: none. */
static uint32_t within_which(struct search const *s, struct ir_range const *range, size_t i,
                             uint64_t const *set) {
    struct place_facts const *f = s->facts;
    struct ir_access const *a = &f->accesses->list[i];
    ir_value base = dh_range_base(&range->from);
    for (uint32_t n = 0; n < f->sweep_count; n++) {
        uint32_t fact = 2 * (f->places + n) + (a->kind == IR_WRITE);
        if (dh_fact_in(set, fact) && f->sweeps[n].base == base && f->sweeps[n].access != i
            && dh_entail_within(f->accesses->entail, a->block, range, &f->sweeps[n].swept.range))
            return n + 1;
    }
    return 0;
}

/* An access that runs with a loop is within a sweep if all its rounds are, or each by itself. */
static bool look_within(struct search *s, size_t i, uint64_t const *set) {
    struct place_facts const *f = s->facts;
    struct ir_access const *a = &f->accesses->list[i];
    uint32_t own = f->sweep_of[i], found = 0;
    if (own != 0) found = within_which(s, &f->sweeps[own - 1].swept.range, i, set);
    if (found == 0 && f->of[i] != 0) {
        struct ir_range here = {
            f->accesses->objects->list[a->object].form, {.constant = a->size}, 1, false};
        here.from.constant = (uint64_t)a->offset;
        found = within_which(s, &here, i, set);
    }
    if (found == 0) return false;
    s->covers[i] = (struct place_cover){PLACE_WITHIN, alone(s, f->sweeps[found - 1].access + 1, i)};
    return true;
}

static void look_before(void *to, size_t i, uint64_t *set) {
    struct search *s = to;
    uint32_t fact = s->facts->of[i];
    bool write = s->facts->accesses->list[i].kind == IR_WRITE;
    if (fact != 0 && dh_fact_in(set, fact - 1 + write)) {
        s->covers[i] = cover_of(s, fact - 1 + write, i);
        return;
    }
    if (look_within(s, i, set) || fact == 0) return;
    note(s, i, 0);
    if (write) note(s, i, 1);
}

/* Of the writes that may follow, one in the same block stands for the read alone. */
static void look_behind(void *to, size_t i, uint64_t *set) {
    struct search *s = to;
    struct ir_access const *list = s->facts->accesses->list;
    uint32_t written = s->facts->of[i], latest = s->latest[written];
    if (list[i].kind == IR_WRITE) {
        note(s, i, 1);
    } else if (dh_fact_in(set, written) && s->covers[i].reason == PLACE_KEPT) {
        bool here = latest != 0 && list[latest - 1].block == list[i].block
                    && s->covers[latest - 1].reason == PLACE_KEPT;
        s->covers[i] = (struct place_cover){PLACE_REDUNDANT, here ? latest - 1 : PLACE_SEVERAL};
    }
}

void dh_place_redundant(struct place_facts *facts, struct place_cover *covers) {
    struct search s = {facts, covers, NULL, NULL};
    for (int backwards = 0; backwards < 2; backwards++) {
        s.latest = calloc(2 * (facts->count + 1), sizeof *s.latest);
        if (!s.latest) abort();
        s.call = s.latest + facts->count + 1;
        if (backwards) {
            dh_facts_anticipated(facts);
            dh_facts_visit_anticipated(facts, look_behind, &s);
        } else {
            dh_facts_checked(facts, NULL, NULL);
            dh_facts_visit_checked(facts, look_before, note_call, &s);
        }
        free(s.latest);
    }
}
