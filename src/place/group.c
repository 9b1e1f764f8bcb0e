/* Accesses to bytes of one object that are near each other and certain to happen together share a
 * check, at the first of them.
 *
 *   Covering: the check is made before the others, on every way to them: that is found out as for
 *   redundant checks, with the group's check good for all of its bytes.
 *   Legitimate: where it is made, the others are anticipated (place/facts.h), so they do happen and
 *   no acquire comes before. The bytes of the group are those of its members. Where these are
 *   whole cells there may be others between them, which are not looked at.
 *
 * Runs before loops are left as they are.
 */
#include "ir/access.h"
#include "ir/flow.h"
#include "place/facts.h"
#include "place/place.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_MAX = 64 }; /* bytes */
#define OFFSET_MAX ((int64_t)1 << 48)

/* What a check at an access could stand for. */
struct group {
    int64_t from, to;      /* bytes of the object */
    uint32_t first, count; /* in `members`: places */
    bool whole;            /* all of them are cells */
    bool gaps;             /* and not all are side by side */
    bool leads;            /* it is used */
};

struct grouping {
    struct place_facts *facts;
    struct place_cover *covers;
    struct group *groups; /* by access */
    bool *wanted;         /* by fact: an access has a check of its own for it */
    uint32_t *leader;     /* by fact: the access whose group has it last, plus one */
    uint32_t *members;
    size_t count, capacity;
};

static struct ir_access const *access_of(struct grouping const *g, uint32_t place) {
    return &g->facts->accesses->list[g->facts->an_access[place]];
}

/* The inlined test knows words of four bytes and cells of eight. Objects are smaller than
 * OFFSET_MAX: what is further away is an address made of a constant. */
static bool fits(struct ir_access const *a) {
    return (a->size == 4 || a->size == 8 || a->size == 16) && a->align >= (a->size == 4 ? 4 : 8)
           && a->offset > -OFFSET_MAX && a->offset < OFFSET_MAX;
}

static bool is_single(struct grouping const *g, size_t i) {
    struct ir_access const *a = &g->facts->accesses->list[i];
    return g->facts->of[i] != 0 && g->covers[i].reason == PLACE_KEPT && fits(a) && !a->run.loop;
}

static void add_member(struct grouping *g, struct group *group, uint32_t place) {
    if (g->count == g->capacity) {
        g->capacity = g->capacity ? 2 * g->capacity : 256;
        g->members = realloc(g->members, g->capacity * sizeof *g->members);
        if (!g->members) abort();
    }
    g->members[g->count++] = place;
    group->count++;
}

/* It is cells, if the group's first is one. */
static bool is_whole(struct ir_access const *a, struct group const *group) {
    return a->size % 8 == 0 && (a->offset - group->from) % 8 == 0;
}

static bool has(struct grouping const *g, struct group const *group, uint32_t place) {
    for (uint32_t m = 0; m < group->count; m++)
        if (g->members[group->first + m] == place) return true;
    return false;
}

/* The place joins on to the group, with a gap only between whole cells, and is accessed in the same
 * way for certain. */
static bool joins(struct grouping const *g, struct group const *group, uint32_t place,
                  unsigned write, uint64_t const *set, bool apart) {
    struct ir_access const *a = access_of(g, place);
    if (!fits(a)) return false;
    int64_t end = a->offset + (int64_t)a->size;
    int64_t from = a->offset < group->from ? a->offset : group->from;
    int64_t to = end > group->to ? end : group->to;
    bool beside = a->offset <= group->to && end >= group->from;
    bool can = apart ? group->whole && is_whole(a, group) && !has(g, group, place) : beside;
    return can && to - from <= GROUP_MAX && g->wanted[2 * place + write]
           && dh_fact_in(set, 2 * place + write);
}

static void join(struct grouping *g, struct group *group, uint32_t place) {
    struct ir_access const *a = access_of(g, place);
    int64_t end = a->offset + (int64_t)a->size;
    if (a->offset > group->to || end < group->from) group->gaps = true;
    if (!is_whole(a, group)) group->whole = false;
    if (a->offset < group->from) group->from = a->offset;
    if (end > group->to) group->to = end;
    add_member(g, group, place);
}

/* Whatever can join, of the neighbours of the group's first place. */
static void join_all(struct grouping *g, struct group *group, uint32_t place, unsigned write,
                     uint64_t const *set, bool apart) {
    struct ir_access const *a = access_of(g, place);
    /* Places are sorted by offset. To the left they may overlap; few do. */
    for (uint32_t p = place; p-- > 0;) {
        struct ir_access const *other = access_of(g, p);
        if (other->object != a->object || other->offset < group->to - GROUP_MAX) break;
        if (joins(g, group, p, write, set, apart)) join(g, group, p);
    }
    for (uint32_t p = place + 1; p < g->facts->places; p++) {
        struct ir_access const *other = access_of(g, p);
        if (other->object != a->object || other->offset >= group->from + GROUP_MAX) break;
        if (joins(g, group, p, write, set, apart)) join(g, group, p);
    }
}

static void find_group(void *to, size_t i, uint64_t *set) {
    struct grouping *g = to;
    if (!is_single(g, i)) return;
    struct ir_access const *a = &g->facts->accesses->list[i];
    uint32_t place = (g->facts->of[i] - 1) / 2;
    unsigned write = a->kind == IR_WRITE;
    struct group *group = &g->groups[i];
    *group = (struct group){.from = a->offset,
                            .to = a->offset + (int64_t)a->size,
                            .first = (uint32_t)g->count,
                            .whole = a->size % 8 == 0};
    add_member(g, group, place);
    join_all(g, group, place, write, set, false);
    if (group->whole) join_all(g, group, place, write, set, true);
    if (group->count > 1) return;
    g->count--;
    group->count = 0;
}

/* Groups are used in program order, each that is not part of one before it. */
static void choose(void *to, size_t i, uint64_t *set) {
    (void)set;
    struct grouping *g = to;
    struct ir_access const *list = g->facts->accesses->list;
    struct group *group = &g->groups[i];
    unsigned write = list[i].kind == IR_WRITE;
    if (group->count == 0) return;
    uint32_t leader = g->leader[g->facts->of[i] - 1 + write];
    if (leader != 0
        && dh_flow_dominates(g->facts->accesses->flow, list[leader - 1].block, list[i].block))
        return;
    group->leads = true;
    for (uint32_t m = 0; m < group->count; m++)
        g->leader[2 * g->members[group->first + m] + write] = (uint32_t)i + 1;
}

static void add_group(void *to, size_t i, uint64_t *set) {
    struct grouping *g = to;
    struct group const *group = &g->groups[i];
    if (!group->leads) return;
    unsigned write = g->facts->accesses->list[i].kind == IR_WRITE;
    for (uint32_t m = 0; m < group->count; m++)
        dh_facts_add_checked(g->facts, set, g->members[group->first + m], write);
}

static void drop_member(void *to, size_t i, uint64_t *set) {
    struct grouping *g = to;
    if (g->facts->of[i] == 0) return;
    uint32_t fact = g->facts->of[i] - 1 + (g->facts->accesses->list[i].kind == IR_WRITE);
    if (g->covers[i].reason == PLACE_KEPT && !g->groups[i].leads && dh_fact_in(set, fact))
        g->covers[i] = (struct place_cover){PLACE_GROUPED,
                                            g->leader[fact] ? g->leader[fact] - 1 : PLACE_SEVERAL};
    add_group(to, i, set);
}

/* The access that a report names for a place: one that the group made redundant, or any. */
static struct place_group *describe(struct grouping const *g, size_t leader) {
    struct group const *group = &g->groups[leader];
    struct place_group *d = malloc(sizeof *d + group->count * sizeof *d->members);
    if (!d) abort();
    d->from = group->from;
    d->to = group->to;
    d->gaps = group->gaps;
    d->count = group->count;
    d->next = NULL;
    for (uint32_t m = 0; m < group->count; m++)
        d->members[m] = access_of(g, g->members[group->first + m]);
    d->members[0] = &g->facts->accesses->list[leader];
    return d;
}

void dh_place_group(struct place_facts *facts, struct place_cover *covers,
                    struct place_group **groups) {
    size_t count = facts->accesses->count;
    struct grouping g = {.facts = facts, .covers = covers};
    g.groups = calloc(count + 1, sizeof *g.groups);
    g.wanted = calloc(facts->count + 1, sizeof *g.wanted);
    g.leader = calloc(facts->count + 1, sizeof *g.leader);
    if (!g.groups || !g.wanted || !g.leader) abort();
    for (size_t i = 0; i < count; i++)
        if (is_single(&g, i))
            g.wanted[facts->of[i] - 1 + (facts->accesses->list[i].kind == IR_WRITE)] = true;
    dh_facts_anticipated(facts);
    dh_facts_visit_anticipated(facts, find_group, &g);
    dh_facts_visit_checked(facts, choose, NULL, &g); /* for its order only */
    if (g.count != 0) {
        dh_facts_checked(facts, add_group, &g);
        dh_facts_visit_checked(facts, drop_member, NULL, &g);
    }
    for (size_t i = 0; i < count; i++)
        if (g.groups[i].leads) groups[i] = describe(&g, i);
    /* The lines of what was dropped, rather than of any. It may be on one of several ways: no more
     * is known of its alignment than all accesses to the place agree on. */
    for (size_t i = 0; i < count; i++) {
        if (covers[i].reason != PLACE_GROUPED || covers[i].by == PLACE_SEVERAL) continue;
        struct place_group *d = groups[covers[i].by];
        for (uint32_t m = 1; d && m < d->count; m++)
            if (facts->of[d->members[m] - facts->accesses->list] == facts->of[i]
                && d->members[m]->align >= facts->accesses->list[i].align)
                d->members[m] = &facts->accesses->list[i];
    }
    free(g.groups);
    free(g.wanted);
    free(g.leader);
    free(g.members);
}
