#include "place/summaries.h"
#include "ir/calls.h"
#include "ir/entail.h"
#include "ir/flow.h"
#include "ir/objects.h"
#include "place/facts.h"
#include "place/place.h"

#include <stdlib.h>

enum { KNOWN_MAX = 128 }; /* of a function: the rest is not told */

/* How some bytes were checked: bit 0 as for a read, bit 1 as for a write. */
enum { CHECKED_READ = 1, CHECKED_BOTH = 3 };

/* Some bytes of an object, which is a place of the function. */
struct known {
    uint32_t object; /* of the summary */
    uint32_t place;
    int64_t offset;
    uint64_t size;
    uint8_t entered, left;
    uint8_t ahead; /* here the second bit does not stand for the first */
    bool relied;   /* on by callers: it does not rely on them */
};

struct summary {
    struct ir_affine *objects;
    struct known *list; /* by object */
    uint32_t object_count, count;
    uint32_t turn; /* when it was learned, from 1 on; 0: not yet */
    uint32_t uses, met;
    ir_value *calls; /* those met */
};

struct place_summaries {
    struct summary *functions;
    uint32_t count;
    uint32_t turns;
};

static void *zeroed(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) abort();
    return p;
}

struct place_summaries *dh_summaries_open(uint32_t count) {
    struct place_summaries *s = zeroed(1, sizeof *s);
    s->functions = zeroed(count, sizeof *s->functions);
    s->count = count;
    return s;
}

void dh_summaries_close(struct place_summaries *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        free(s->functions[i].objects);
        free(s->functions[i].list);
        free(s->functions[i].calls);
    }
    free(s->functions);
    free(s);
}

static struct ir_access const *access_to(struct place_facts const *f, uint32_t place) {
    return &f->accesses->list[f->an_access[place]];
}

/* ---- what a function says of itself ---- */

/* The places of the function that mean something to its callers. */
static void find_known(struct summary *y, struct place_facts const *f) {
    struct ir_objects const *objects = f->accesses->objects;
    uint32_t last = IR_UNREACHED;
    bool portable = false;
    y->objects = zeroed(KNOWN_MAX, sizeof *y->objects);
    y->list = zeroed(KNOWN_MAX, sizeof *y->list);
    for (uint32_t p = 0; p < f->places && y->count < KNOWN_MAX; p++) {
        struct ir_access const *a = access_to(f, p);
        if (a->object != last) {
            last = a->object;
            portable = dh_call_portable(&objects->list[last].form);
            if (portable) y->objects[y->object_count++] = objects->list[last].form;
        }
        if (portable)
            y->list[y->count++] = (struct known){.object = y->object_count - 1,
                                                 .place = p,
                                                 .offset = a->offset,
                                                 .size = a->size,
                                                 .entered = CHECKED_BOTH};
    }
}

static uint8_t checked_in(uint64_t const *set, uint32_t place) {
    return set[place / 32] >> place % 32 * 2 & CHECKED_BOTH;
}

static void find_left(struct summary *y, struct place_facts *f) {
    struct ir_flow const *flow = f->accesses->flow;
    bool returns = false;
    for (uint32_t b = 0; b < flow->count; b++) {
        if (!flow->returns[b]) continue;
        for (uint32_t i = 0; i < y->count; i++) {
            uint8_t now = checked_in(&f->behind[b * f->words], y->list[i].place);
            y->list[i].left = returns ? y->list[i].left & now : now;
        }
        returns = true;
    }
}

static void find_ahead(struct summary *y, struct place_facts *f) {
    uint64_t *set = zeroed(f->words, sizeof *set);
    dh_facts_anticipated(f);
    dh_facts_ahead(f, set);
    for (uint32_t i = 0; i < y->count; i++)
        y->list[i].ahead = checked_in(set, y->list[i].place);
    free(set);
}

/* ---- what calls are good for in a caller ---- */

/* The first place of an object, or of one behind it. */
static uint32_t first_place(struct place_facts const *f, uint32_t object) {
    uint32_t low = 0, high = f->places;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (access_to(f, middle)->object < object)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The object of the caller that one of the callee is, and how far from it. */
static bool find_object(struct place_facts const *f, struct ir_call const *call,
                        struct ir_affine const *of_callee, uint32_t *object, uint64_t *distance) {
    struct ir_affine form;
    if (!dh_call_form(f->accesses->entail->layout, call, of_callee, &form)) return false;
    *object = dh_object_find(f->accesses->objects, &form);
    *distance = form.constant;
    return *object != IR_UNREACHED;
}

/* `size` bytes at one offset are among `more` at another. Distances are modulo 2^64, as offsets
 * are. */
static bool is_within(uint64_t at, uint64_t size, uint64_t from, uint64_t more) {
    return at - from <= more && size <= more - (at - from);
}

/* The places of a caller that a call has checked when it returns. */
static void add_returned(struct place_facts *f, struct summary const *callee,
                         struct ir_call const *call, uint32_t *count, uint32_t *capacity) {
    uint32_t object = 0, last = IR_UNREACHED, first = 0;
    uint64_t distance = 0;
    bool found = false;
    for (uint32_t i = 0; i < callee->count; i++) {
        struct known const *k = &callee->list[i];
        if (k->left == 0) continue;
        if (k->object != last) {
            last = k->object;
            found = find_object(f, call, &callee->objects[last], &object, &distance);
            if (found) first = first_place(f, object);
        }
        if (!found) continue;
        for (uint32_t p = first; p < f->places && access_to(f, p)->object == object; p++) {
            struct ir_access const *a = access_to(f, p);
            if (!is_within((uint64_t)a->offset, a->size, (uint64_t)k->offset + distance, k->size))
                continue;
            if (*count == *capacity) {
                *capacity = *capacity ? 2 * *capacity : 64;
                f->returned = realloc(f->returned, *capacity * sizeof *f->returned);
                if (!f->returned) abort();
            }
            f->returned[(*count)++] = 2 * p + (k->left == CHECKED_BOTH);
        }
    }
}

static void find_returned(struct place_summaries const *s, struct place_facts *f) {
    struct ir_accesses const *all = f->accesses;
    uint32_t count = 0, capacity = 0;
    if (all->call_count == 0) return;
    f->returned_starts = zeroed(all->call_count + 1, sizeof *f->returned_starts);
    for (size_t c = 0; c < all->call_count; c++) {
        if (all->calls[c].block != IR_UNREACHED)
            add_returned(f, &s->functions[all->calls[c].callee], &all->calls[c], &count, &capacity);
        f->returned_starts[c + 1] = count;
    }
}

/* ---- what callers say ---- */

static bool is_entered(struct summary const *y) {
    return y->uses != 0 && y->uses != UINT32_MAX && y->met == y->uses;
}

static void find_entry(struct summary const *y, struct place_facts *f) {
    if (!is_entered(y)) return;
    f->entry = zeroed(f->words, sizeof *f->entry);
    for (uint32_t i = 0; i < y->count; i++) {
        struct known const *k = &y->list[i];
        if (!k->relied) f->entry[k->place / 32] |= (uint64_t)k->entered << k->place % 32 * 2;
    }
}

void dh_summaries_use(struct place_summaries const *s, struct place_facts *facts) {
    find_entry(&s->functions[facts->accesses->function], facts);
    find_returned(s, facts);
}

/* How the bytes were checked by a single check. */
static uint8_t checked_at(struct place_facts const *f, uint32_t object, uint64_t at, uint64_t size,
                          uint64_t const *set) {
    uint8_t checked = 0;
    for (uint32_t p = first_place(f, object); p < f->places && access_to(f, p)->object == object;
         p++)
        if (is_within(at, size, (uint64_t)access_to(f, p)->offset, access_to(f, p)->size))
            checked |= checked_in(set, p);
    return checked;
}

struct telling {
    struct place_summaries *summaries;
    struct place_facts const *facts;
};

static void tell_call(void *to, size_t c, uint64_t const *set) {
    struct telling const *t = to;
    struct ir_call const *call = &t->facts->accesses->calls[c];
    struct summary *y = &t->summaries->functions[call->callee];
    if (y->turn == 0 || y->uses == UINT32_MAX || y->met == y->uses) return;
    if (!y->calls) y->calls = zeroed(y->uses, sizeof *y->calls);
    y->calls[y->met++] = call->instruction;
    if (!set) return;
    uint32_t object = 0, last = IR_UNREACHED;
    uint64_t distance = 0;
    bool found = false;
    for (uint32_t i = 0; i < y->count; i++) {
        struct known *k = &y->list[i];
        if (k->entered == 0) continue;
        if (k->object != last) {
            last = k->object;
            found = find_object(t->facts, call, &y->objects[last], &object, &distance);
        }
        uint64_t at = (uint64_t)k->offset + distance;
        k->entered &= found ? checked_at(t->facts, object, at, k->size, set) : 0;
    }
}

static void tell_calls(struct place_summaries *s, struct place_facts const *facts) {
    struct ir_accesses const *all = facts->accesses;
    struct telling t = {s, facts};
    if (all->call_count == 0) return;
    dh_facts_visit_checked(facts, NULL, tell_call, &t);
    for (size_t c = 0; c < all->call_count; c++)
        if (all->calls[c].block == IR_UNREACHED) tell_call(&t, c, NULL); /* never made */
}

/* ---- learning, and telling ---- */

void dh_summaries_learn(struct place_summaries *s, struct ir_accesses const *accesses, bool certain,
                        uint32_t uses) {
    struct summary *y = &s->functions[accesses->function];
    struct place_facts facts;
    y->uses = uses;
    y->turn = ++s->turns;
    dh_facts_open(&facts, accesses);
    if (uses != 0) find_known(y, &facts);
    if (y->count != 0 || accesses->call_count != 0) {
        dh_summaries_use(s, &facts);
        dh_facts_checked(&facts, NULL, NULL);
        tell_calls(s, &facts);
        if (certain) find_left(y, &facts);
        if (certain) find_ahead(y, &facts);
    }
    dh_facts_close(&facts);
}

/* ---- relying on callees ---- */

/* Accesses of the call's block that come before it with nothing in between that has effects, and
 * that have a check of their own where they are. */
static bool is_just_before(struct place_facts const *f, uint32_t i, struct ir_call const *call,
                           struct place_cover const *cover) {
    struct ir_access const *a = &f->accesses->list[i];
    return a->stretch == call->stretch && cover->reason == PLACE_KEPT && f->of[i] != 0
           && !a->run.loop;
}

static void rely_on(struct place_facts const *f, struct summary *callee, uint32_t c,
                    struct place_cover *covers) {
    struct ir_call const *call = &f->accesses->calls[c];
    uint32_t object = 0, last = IR_UNREACHED;
    uint64_t distance = 0;
    bool found = false, entered = is_entered(callee);
    for (uint32_t n = 0; n < callee->count; n++) {
        struct known *k = &callee->list[n];
        if (k->ahead == 0 || (entered && (k->entered & k->ahead) == k->ahead)) continue;
        if (k->object != last) {
            last = k->object;
            found = find_object(f, call, &callee->objects[last], &object, &distance);
        }
        for (uint32_t i = f->starts[call->block]; found && i < call->next; i++) {
            struct ir_access const *a = &f->accesses->list[i];
            bool strong = a->kind == IR_WRITE ? k->ahead >> 1 : true;
            if (!strong || !is_just_before(f, i, call, &covers[i]) || a->object != object
                || !is_within((uint64_t)a->offset, a->size, (uint64_t)k->offset + distance,
                              k->size))
                continue;
            covers[i] = (struct place_cover){PLACE_CALLED, c};
            k->relied = true;
        }
    }
}

void dh_place_called(struct place_summaries *s, struct place_facts const *f,
                     struct place_cover *covers) {
    struct ir_accesses const *all = f->accesses;
    uint32_t turn = s->functions[all->function].turn;
    for (uint32_t c = 0; c < all->call_count; c++) {
        struct summary *callee = &s->functions[all->calls[c].callee];
        if (all->calls[c].block != IR_UNREACHED && callee->turn != 0 && callee->turn < turn)
            rely_on(f, callee, c, covers);
    }
}

ir_value const *dh_summaries_callers(struct place_summaries const *s, uint32_t function,
                                     uint32_t *count) {
    struct summary const *y = &s->functions[function];
    *count = is_entered(y) ? y->met : 0;
    return y->calls;
}
