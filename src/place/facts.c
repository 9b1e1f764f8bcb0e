#include "place/facts.h"
#include "ir/access.h"
#include "ir/calls.h"
#include "ir/flow.h"
#include "ir/objects.h"

#include <stdlib.h>
#include <string.h>

enum {
    WITHIN_MAX = 256, /* places within one that are looked at */
    SWEEP_MIN = 16,   /* bytes of a place that others may be within at a variable distance */
    SWEEPS_MAX = 256, /* of a function */
};

static bool has_facts(struct ir_access const *a) {
    return a->exempt == IR_CHECKABLE && a->shape == IR_BYTES && a->kind <= IR_WRITE
           && a->block != IR_UNREACHED;
}

static void *zeroed(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) abort();
    return p;
}

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }
static int by_place(void const *left, void const *right) {
    struct ir_access const *a = *(struct ir_access *const *)left;
    struct ir_access const *b = *(struct ir_access *const *)right;
    int order = compare(a->object, b->object);
    /* Signed, as offsets are. */
    if (order == 0) order = a->offset < b->offset ? -1 : a->offset > b->offset;
    if (order == 0) order = compare(a->size, b->size);
    return order;
}

static struct ir_access const *access_to(struct place_facts const *f, uint32_t place) {
    return &f->accesses->list[f->an_access[place]];
}

/* Gives every place a number. */
static void number_facts(struct place_facts *f) {
    struct ir_accesses const *all = f->accesses;
    struct ir_access const **sorted = zeroed(all->count, sizeof *sorted);
    size_t candidates = 0;
    for (size_t i = 0; i < all->count; i++)
        if (has_facts(&all->list[i])) sorted[candidates++] = &all->list[i];
    qsort(sorted, candidates, sizeof *sorted, by_place);
    f->of = zeroed(all->count, sizeof *f->of);
    f->an_access = zeroed(candidates, sizeof *f->an_access);
    for (size_t i = 0; i < candidates; i++) {
        uint32_t access = (uint32_t)(sorted[i] - all->list);
        if (i == 0 || by_place(&sorted[i - 1], &sorted[i]) != 0) {
            f->an_access[f->count / 2] = access;
            f->count += 2;
        } else if (sorted[i]->align < access_to(f, (uint32_t)f->count / 2 - 1)->align) {
            f->an_access[f->count / 2 - 1] = access;
        }
        f->of[access] = (uint32_t)f->count - 1;
    }
    f->places = (uint32_t)f->count / 2;
    free(sorted);
}

/* What others may be within. */
static bool may_sweep(struct ir_access const *a) {
    if (a->exempt != IR_CHECKABLE || a->kind > IR_WRITE || a->block == IR_UNREACHED) return false;
    return a->shape == IR_RANGE
           || (a->shape == IR_BYTES && (a->size >= SWEEP_MIN || (a->run.loop && a->run.stride)));
}

static void find_sweeps(struct place_facts *f) {
    struct ir_accesses const *all = f->accesses;
    size_t candidates = 0;
    f->sweep_of = zeroed(all->count, sizeof *f->sweep_of);
    for (size_t i = 0; i < all->count; i++)
        candidates += may_sweep(&all->list[i]);
    if (candidates > SWEEPS_MAX) candidates = SWEEPS_MAX;
    f->sweeps = zeroed(candidates, sizeof *f->sweeps);
    for (size_t i = 0; i < all->count && f->sweep_count < candidates; i++) {
        struct place_sweep *s = &f->sweeps[f->sweep_count];
        if (!may_sweep(&all->list[i]) || !dh_range_of(all->entail, &all->list[i], &s->swept))
            continue;
        s->base = dh_range_base(&s->swept.range.from);
        s->access = (uint32_t)i;
        f->sweep_of[i] = ++f->sweep_count;
    }
    f->count += 2 * (size_t)f->sweep_count;
    f->words = (f->count + 63) / 64;
}

static bool is_within(struct ir_access const *inner, struct ir_access const *outer) {
    /* Distances modulo 2^64, as offsets are. */
    uint64_t at = (uint64_t)inner->offset - (uint64_t)outer->offset;
    return inner->object == outer->object && at <= outer->size && inner->size <= outer->size - at;
}

/* Those within a place are beside it in the order: as far to the left as they begin where it does,
 * and to the right as they begin within it. */
static size_t find_within(struct place_facts const *f, uint32_t place, uint32_t *found) {
    struct ir_access const *outer = access_to(f, place);
    size_t count = 0;
    found[count++] = place;
    for (uint32_t p = place; p-- > 0 && count < WITHIN_MAX;) {
        if (access_to(f, p)->offset != outer->offset || !is_within(access_to(f, p), outer)) break;
        found[count++] = p;
    }
    for (uint32_t p = place + 1; p < f->places && count < WITHIN_MAX; p++) {
        struct ir_access const *a = access_to(f, p);
        if (a->object != outer->object
            || (uint64_t)a->offset - (uint64_t)outer->offset >= outer->size)
            break;
        if (is_within(a, outer)) found[count++] = p;
    }
    return count;
}

static void find_all_within(struct place_facts *f) {
    uint32_t found[WITHIN_MAX];
    uint32_t places = f->places, capacity = 2 * places, total = 0;
    f->within_starts = zeroed(places + 1, sizeof *f->within_starts);
    f->within = zeroed(capacity, sizeof *f->within);
    for (uint32_t p = 0; p < places; p++) {
        uint32_t count = (uint32_t)find_within(f, p, found);
        if (total + count > capacity) {
            capacity = 2 * (total + count);
            f->within = realloc(f->within, capacity * sizeof *f->within);
            if (!f->within) abort();
        }
        memcpy(&f->within[total], found, count * sizeof *found);
        total += count;
        f->within_starts[p + 1] = total;
    }
}

static void find_blocks(struct place_facts *f) {
    struct ir_accesses const *all = f->accesses;
    f->starts = zeroed(all->flow->count, sizeof *f->starts);
    f->stops = zeroed(all->flow->count, sizeof *f->stops);
    for (size_t i = 0; i < all->count; i++) {
        uint32_t block = all->list[i].block;
        if (block == IR_UNREACHED) continue;
        if (f->stops[block] == 0) f->starts[block] = (uint32_t)i;
        f->stops[block] = (uint32_t)i + 1;
    }
    f->call_starts = zeroed(all->flow->count, sizeof *f->call_starts);
    f->call_stops = zeroed(all->flow->count, sizeof *f->call_stops);
    for (size_t c = 0; c < all->call_count; c++) {
        uint32_t block = all->calls[c].block;
        if (block == IR_UNREACHED) continue;
        if (f->call_stops[block] == 0) f->call_starts[block] = (uint32_t)c;
        f->call_stops[block] = (uint32_t)c + 1;
    }
}

static int by_block(void const *a, void const *b) {
    return compare(*(uint32_t const *)a, *(uint32_t const *)b);
}

static void add_arrival(struct place_facts *f, uint32_t block, uint32_t from, uint32_t sweep) {
    if (block != IR_UNREACHED && from != IR_UNREACHED)
        f->arrivals[f->arrival_count++] = (struct place_arrival){block, from, sweep};
}

/* Behind a loop all its rounds are over; where it is skipped it has none. */
static void find_arrivals(struct place_facts *f) {
    struct ir_flow const *flow = f->accesses->flow;
    f->arrivals = zeroed(2 * (size_t)f->sweep_count, sizeof *f->arrivals);
    for (uint32_t s = 0; s < f->sweep_count; s++) {
        struct ir_swept const *swept = &f->sweeps[s].swept;
        if (swept->exit != IR_UNREACHED)
            add_arrival(f, swept->exit, flow->preds[flow->pred_starts[swept->exit]], s);
        add_arrival(f, swept->skip_to, swept->skip_from, s);
    }
    qsort(f->arrivals, f->arrival_count, sizeof *f->arrivals, by_block);
}

static void find_births(struct place_facts *f) {
    f->births = zeroed(f->count, sizeof *f->births);
    for (uint32_t fact = 0; fact < f->count; fact += 2) {
        uint32_t n = fact / 2, block;
        if (n < f->places)
            block = f->accesses->objects->list[access_to(f, n)->object].block;
        else
            block = f->sweeps[n - f->places].swept.block;
        if (block != IR_UNREACHED) f->births[f->birth_count++] = (struct place_birth){block, fact};
    }
    qsort(f->births, f->birth_count, sizeof *f->births, by_block);
}

void dh_facts_open(struct place_facts *f, struct ir_accesses const *accesses) {
    *f = (struct place_facts){.accesses = accesses};
    number_facts(f);
    find_sweeps(f);
    find_all_within(f);
    find_blocks(f);
    find_births(f);
    find_arrivals(f);
    f->before = zeroed(accesses->flow->count * f->words, sizeof *f->before);
    f->behind = zeroed(accesses->flow->count * f->words, sizeof *f->behind);
}

void dh_facts_close(struct place_facts *f) {
    free(f->of);
    free(f->an_access);
    free(f->within_starts);
    free(f->within);
    free(f->sweeps);
    free(f->sweep_of);
    free(f->before);
    free(f->behind);
    free(f->starts);
    free(f->stops);
    free(f->call_starts);
    free(f->call_stops);
    free(f->entry);
    free(f->returned_starts);
    free(f->returned);
    free(f->births);
    free(f->arrivals);
}

static void clear(struct place_facts const *f, uint64_t *set) {
    memset(set, 0, f->words * sizeof *set);
}
static void fill(uint64_t *set, size_t words) { memset(set, 0xff, words * sizeof *set); }
static bool replace(struct place_facts const *f, uint64_t *old, uint64_t const *new) {
    if (memcmp(old, new, f->words * sizeof *new) == 0) return false;
    memcpy(old, new, f->words * sizeof *new);
    return true;
}

/* The first of a list that is sorted by block, which each item begins with. */
static size_t first_of(void const *list, size_t count, size_t size, uint32_t block) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (*(uint32_t const *)((char const *)list + middle * size) < block)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void dh_facts_forget_births(struct place_facts const *f, uint32_t block, uint64_t *set) {
    size_t low = first_of(f->births, f->birth_count, sizeof *f->births, block);
    for (; low < f->birth_count && f->births[low].block == block; low++) {
        uint32_t fact = f->births[low].fact; /* even: both are in one word */
        set[fact / 64] &= ~((uint64_t)3 << fact % 64);
    }
}

/* ---- checked: forwards ---- */

void dh_facts_add_checked(struct place_facts const *f, uint64_t *set, uint32_t place, bool write) {
    for (uint32_t i = f->within_starts[place]; i < f->within_starts[place + 1]; i++)
        set[f->within[i] / 32] |= (uint64_t)(write ? 3 : 1) << f->within[i] % 32 * 2;
}

static void add_sweep(struct place_facts const *f, uint64_t *set, uint32_t number) {
    uint32_t fact = 2 * (f->places + number);
    dh_fact_add(set, fact);
    if (f->accesses->list[f->sweeps[number].access].kind == IR_WRITE) dh_fact_add(set, fact + 1);
}

static void enter(struct place_facts const *f, uint32_t block, uint64_t *set, uint64_t *edge) {
    struct ir_flow const *flow = f->accesses->flow;
    size_t arrival = first_of(f->arrivals, f->arrival_count, sizeof *f->arrivals, block);
    if (block != 0)
        fill(set, f->words);
    else if (f->entry)
        memcpy(set, f->entry, f->words * sizeof *set);
    else
        clear(f, set);
    for (uint32_t p = flow->pred_starts[block]; p < flow->pred_starts[block + 1]; p++) {
        if (flow->ends[block] == IR_ENDLESS && flow->preds[p] >= block)
            clear(f, set); /* the way back */
        memcpy(edge, &f->behind[flow->preds[p] * f->words], f->words * sizeof *edge);
        for (size_t a = arrival; a < f->arrival_count && f->arrivals[a].block == block; a++)
            if (f->arrivals[a].from == flow->preds[p]) add_sweep(f, edge, f->arrivals[a].sweep);
        for (size_t w = 0; w < f->words; w++)
            set[w] &= edge[w];
    }
    dh_facts_forget_births(f, block, set);
}

/* What is known behind a call: what it leaves of what was, and what it has checked itself. */
static void return_from(struct place_facts const *f, uint32_t call, uint64_t *set) {
    if (f->accesses->calls[call].ends) clear(f, set);
    if (!f->returned_starts) return;
    for (uint32_t r = f->returned_starts[call]; r < f->returned_starts[call + 1]; r++)
        dh_facts_add_checked(f, set, f->returned[r] / 2, f->returned[r] & 1);
}

struct walk {
    struct place_facts const *facts;
    uint64_t *set;
    place_visit *visit; /* these may be null */
    place_visit_call *visit_call;
    void *to;
    uint32_t span, call; /* where it is: the latter comes next */
};

static void walk_to(struct walk *w, uint32_t span) {
    if (w->span != span) clear(w->facts, w->set);
    w->span = span;
}

/* The block's calls up to an access. */
static void walk_calls(struct walk *w, uint32_t block, uint32_t access) {
    struct place_facts const *f = w->facts;
    for (; w->call < f->call_stops[block]; w->call++) {
        struct ir_call const *c = &f->accesses->calls[w->call];
        if (c->next > access) return;
        walk_to(w, c->span);
        if (w->visit_call) w->visit_call(w->to, w->call, w->set);
        return_from(f, w->call, w->set);
        w->span += c->ends;
    }
}

static void walk(struct walk *w, uint32_t block) {
    struct place_facts const *f = w->facts;
    w->span = 0;
    w->call = f->call_starts[block];
    for (uint32_t i = f->starts[block]; i < f->stops[block]; i++) {
        struct ir_access const *a = &f->accesses->list[i];
        walk_calls(w, block, i);
        walk_to(w, a->span);
        if (f->of[i] == 0 && f->sweep_of[i] == 0) continue;
        if (w->visit) w->visit(w->to, i, w->set);
        if (f->of[i] != 0) dh_facts_add_checked(f, w->set, (f->of[i] - 1) / 2, a->kind == IR_WRITE);
        if (f->sweep_of[i] != 0 && !f->sweeps[f->sweep_of[i] - 1].swept.run)
            add_sweep(f, w->set, f->sweep_of[i] - 1);
    }
    walk_calls(w, block, UINT32_MAX);
    walk_to(w, f->accesses->flow->spans[block] - 1);
}

void dh_facts_checked(struct place_facts *f, place_visit *more, void *to) {
    uint32_t blocks = f->accesses->flow->count;
    uint64_t *set = zeroed(2 * f->words, sizeof *set);
    struct walk w = {.facts = f, .set = set, .visit = more, .to = to};
    fill(f->behind, blocks * f->words);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < blocks; b++) {
            enter(f, b, set, set + f->words);
            memcpy(&f->before[b * f->words], set, f->words * sizeof *set);
            walk(&w, b);
            changed |= replace(f, &f->behind[b * f->words], set);
        }
    }
    free(set);
}

void dh_facts_visit_checked(struct place_facts const *f, place_visit *visit,
                            place_visit_call *visit_call, void *to) {
    uint64_t *set = zeroed(f->words, sizeof *set);
    struct walk w = {f, set, visit, visit_call, to, 0, 0};
    for (uint32_t b = 0; b < f->accesses->flow->count; b++) {
        memcpy(set, &f->before[b * f->words], f->words * sizeof *set);
        walk(&w, b);
    }
    free(set);
}

/* ---- anticipated: backwards ---- */

/* Of just this kind. */
static void add_anticipated(struct place_facts const *f, uint64_t *set, uint32_t place,
                            bool write) {
    for (uint32_t i = f->within_starts[place]; i < f->within_starts[place + 1]; i++)
        dh_fact_add(set, 2 * f->within[i] + write);
}

static void walk_back(struct place_facts const *f, uint32_t block, uint64_t *set,
                      place_visit *visit, void *to) {
    struct ir_accesses const *all = f->accesses;
    uint32_t stretch = all->flow->stretches[block] - 1;
    for (uint32_t i = f->stops[block]; i-- > f->starts[block];) {
        struct ir_access const *a = &all->list[i];
        if (a->stretch != stretch) clear(f, set);
        stretch = a->stretch;
        if (f->of[i] == 0) continue;
        if (visit) visit(to, i, set);
        add_anticipated(f, set, (f->of[i] - 1) / 2, a->kind == IR_WRITE);
    }
    if (stretch != 0) clear(f, set);
    dh_facts_forget_births(f, block, set);
}

/* What is not so at the start of a block is not so at the end of one that leads there. */
static bool lead_back(struct place_facts *f, uint32_t block, uint64_t const *set) {
    struct ir_flow const *flow = f->accesses->flow;
    bool changed = false;
    for (uint32_t p = flow->pred_starts[block]; p < flow->pred_starts[block + 1]; p++) {
        uint64_t *end = &f->behind[flow->preds[p] * f->words];
        bool endless = flow->ends[block] != IR_ENDS && flow->preds[p] >= block;
        for (size_t w = 0; w < f->words; w++) {
            uint64_t left = endless ? 0 : end[w] & set[w];
            changed |= left != end[w];
            end[w] = left;
        }
    }
    return changed;
}

void dh_facts_anticipated(struct place_facts *f) {
    struct ir_flow const *flow = f->accesses->flow;
    uint64_t *set = zeroed(f->words, sizeof *set);
    memset(f->behind, 0, flow->count * f->words * sizeof *f->behind);
    /* Of a block that leads nowhere nothing is anticipated. */
    for (size_t p = 0; p < flow->pred_starts[flow->count]; p++)
        fill(&f->behind[flow->preds[p] * f->words], f->words);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = flow->count; b-- > 0;) {
            memcpy(set, &f->behind[b * f->words], f->words * sizeof *set);
            walk_back(f, b, set, NULL, NULL);
            changed |= lead_back(f, b, set);
        }
    }
    free(set);
}

void dh_facts_ahead(struct place_facts const *f, uint64_t *set) {
    memcpy(set, f->behind, f->words * sizeof *set);
    walk_back(f, 0, set, NULL, NULL);
}

void dh_facts_visit_anticipated(struct place_facts const *f, place_visit *visit, void *to) {
    uint64_t *set = zeroed(f->words, sizeof *set);
    for (uint32_t b = f->accesses->flow->count; b-- > 0;) {
        memcpy(set, &f->behind[b * f->words], f->words * sizeof *set);
        walk_back(f, b, set, visit, to);
    }
    free(set);
}
