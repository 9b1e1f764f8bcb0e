/* Which checks are redundant because of others: of the same bytes, by the same thread, with
 * nothing in between that could synchronise.
 *
 *   before  A check of the access would repeat one that was made on every way to it, of these bytes
 *           and as for a write, or as for a read and the access is one. No release came between,
 *           nor a free: every instruction that might be one (IR_ENDS_CHECKS) ends the knowledge of
 *           checks.
 *   behind A read, and in the same block and stretch a write of the same bytes follows. The
 *   write's
 *           check covers the read: no acquire comes between, and it is certain to be reached.
 *
 * A *fact* is a place, as object and offset and size, that has been checked as for a read or as for
 * a write. Which facts hold where is a greatest fixed point over the blocks: what holds at the end
 * of all predecessors. An object is a value of the program; where it is computed anew, facts about
 * the old one end. All end on the way back to the start of a loop that is not proved to end: a
 * thread may stay in one for ever, waiting for a flag, and what a signal handler releases
 * meanwhile must find its next look checked.
 */
#include "ir/access.h"
#include "ir/flow.h"
#include "place/place.h"

#include <stdlib.h>
#include <string.h>

struct facts {
    struct ir_accesses const *accesses;
    size_t count;     /* facts come in pairs: read, written */
    uint32_t *of;     /* by access: number of its read fact plus one; 0: has none */
    size_t words;     /* of 64 facts, in a set */
    uint64_t *ends;   /* by block: the set at its end */
    uint32_t *starts; /* by block: its first access; accesses of a block are together */
    uint32_t *stops;
    uint32_t *checks; /* by fact: the last access whose check made it, plus one */
};

static bool is_candidate(struct ir_access const *a) {
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
    int order = compare((uintptr_t)a->object, (uintptr_t)b->object);
    if (order == 0) order = compare((uint64_t)a->offset, (uint64_t)b->offset);
    if (order == 0) order = compare(a->size, b->size);
    return order;
}

/* Gives every place a number. */
static void number_facts(struct facts *f) {
    struct ir_accesses const *all = f->accesses;
    struct ir_access const **sorted = zeroed(all->count, sizeof *sorted);
    size_t candidates = 0;
    for (size_t i = 0; i < all->count; i++)
        if (is_candidate(&all->list[i])) sorted[candidates++] = &all->list[i];
    qsort(sorted, candidates, sizeof *sorted, by_place);
    f->of = zeroed(all->count, sizeof *f->of);
    for (size_t i = 0; i < candidates; i++) {
        if (i == 0 || by_place(&sorted[i - 1], &sorted[i]) != 0) f->count += 2;
        f->of[sorted[i] - all->list] = (uint32_t)f->count - 1;
    }
    f->words = (f->count + 63) / 64;
    free(sorted);
}

static void find_blocks(struct facts *f) {
    struct ir_accesses const *all = f->accesses;
    f->starts = zeroed(all->flow->count, sizeof *f->starts);
    f->stops = zeroed(all->flow->count, sizeof *f->stops);
    for (size_t i = 0; i < all->count; i++) {
        uint32_t block = all->list[i].block;
        if (block == IR_UNREACHED) continue;
        if (f->stops[block] == 0) f->starts[block] = (uint32_t)i;
        f->stops[block] = (uint32_t)i + 1;
    }
}

static bool has(uint64_t const *set, uint32_t fact) { return set[fact / 64] >> fact % 64 & 1; }
static void add(uint64_t *set, uint32_t fact) { set[fact / 64] |= (uint64_t)1 << fact % 64; }
static void drop(uint64_t *set, uint32_t fact) { set[fact / 64] &= ~((uint64_t)1 << fact % 64); }

/* What holds at the start of a block, but for objects that it computes. */
static void at_start(struct facts const *f, uint32_t block, uint64_t *set) {
    struct ir_flow const *flow = f->accesses->flow;
    uint32_t from = flow->pred_starts[block], to = flow->pred_starts[block + 1];
    memset(set, block == 0 ? 0 : 0xff, f->words * sizeof *set);
    for (uint32_t p = from; p < to; p++) {
        if (flow->endless[block] && flow->preds[p] >= block) /* the way back */
            memset(set, 0, f->words * sizeof *set);
        for (size_t w = 0; w < f->words; w++)
            set[w] &= f->ends[flow->preds[p] * f->words + w];
    }
}

/* Goes through a block: `set` is what holds at its start, then at its end. */
static void walk(struct facts const *f, uint32_t block, uint64_t *set, uint32_t *covers) {
    struct ir_accesses const *all = f->accesses;
    uint32_t span = 0, begin = f->starts[block]; /* of the span */
    for (uint32_t i = begin; i < f->stops[block]; i++) {
        struct ir_access const *a = &all->list[i];
        if (a->span != span) {
            memset(set, 0, f->words * sizeof *set);
            begin = i;
        }
        span = a->span;
        if (f->of[i] == 0) continue;
        uint32_t read = f->of[i] - 1, written = read + 1;
        uint32_t fact = a->kind == IR_WRITE ? written : read;
        if (has(set, fact)) {
            bool here = f->checks[fact] > begin && f->checks[fact] <= i;
            if (covers) covers[i] = here ? f->checks[fact] - 1 : PLACE_SEVERAL;
            continue;
        }
        add(set, read);
        f->checks[read] = i + 1;
        if (a->kind == IR_WRITE) {
            add(set, written);
            f->checks[written] = i + 1;
        }
    }
    if (all->flow->spans[block] != span + 1) memset(set, 0, f->words * sizeof *set);
}

/* The facts about objects that are computed in each block end there: sorted by block. */
struct birth {
    uint32_t block, fact;
};
static int by_block(void const *a, void const *b) {
    return compare(((struct birth const *)a)->block, ((struct birth const *)b)->block);
}

static size_t find_births(struct facts const *f, struct birth *births) {
    size_t count = 0;
    for (size_t i = 0; i < f->accesses->count; i++) {
        uint32_t block = f->accesses->list[i].object_block;
        if (f->of[i] != 0 && block != IR_UNREACHED)
            births[count++] = (struct birth){block, f->of[i] - 1};
    }
    qsort(births, count, sizeof *births, by_block);
    return count;
}

static void solve(struct facts *f, uint32_t *covers) {
    struct ir_flow const *flow = f->accesses->flow;
    struct birth *births = zeroed(f->accesses->count, sizeof *births);
    size_t birth_count = find_births(f, births);
    uint64_t *set = zeroed(f->words, sizeof *set);
    f->ends = zeroed(flow->count * f->words, sizeof *f->ends);
    memset(f->ends, 0xff, flow->count * f->words * sizeof *f->ends);
    bool last = false;
    for (bool changed = true; changed || !last;) {
        last = !changed; /* the round after the fixed point says which checks are redundant */
        changed = false;
        size_t birth = 0;
        for (uint32_t b = 0; b < flow->count; b++) {
            at_start(f, b, set);
            for (; birth < birth_count && births[birth].block == b; birth++) {
                drop(set, births[birth].fact);
                drop(set, births[birth].fact + 1);
            }
            walk(f, b, set, last ? covers : NULL);
            uint64_t *end = &f->ends[b * f->words];
            if (memcmp(end, set, f->words * sizeof *set) == 0) continue;
            memcpy(end, set, f->words * sizeof *set);
            changed = true;
        }
    }
    free(births);
    free(set);
}

/* Reads whose bytes a write behind them in the same stretch of their block checks. */
static void look_behind(struct facts const *f, uint32_t *covers) {
    struct ir_accesses const *all = f->accesses;
    uint32_t *written_in = zeroed(f->count + 1, sizeof *written_in); /* by fact: access plus one */
    for (size_t i = all->count; i-- > 0;) {
        struct ir_access const *a = &all->list[i];
        if (f->of[i] == 0) continue;
        uint32_t *write = &written_in[f->of[i]];
        struct ir_access const *w = *write ? &all->list[*write - 1] : NULL;
        if (a->kind == IR_WRITE)
            *write = (uint32_t)i + 1;
        else if (covers[i] == PLACE_NEEDED && w && w->block == a->block && w->stretch == a->stretch)
            covers[i] = *write - 1;
    }
    free(written_in);
}

void dh_place_redundant(struct ir_accesses const *accesses, uint32_t *covers) {
    struct facts f = {.accesses = accesses};
    memset(covers, 0xff, accesses->count * sizeof *covers); /* PLACE_NEEDED */
    number_facts(&f);
    if (f.count != 0) {
        find_blocks(&f);
        f.checks = zeroed(f.count, sizeof *f.checks);
        solve(&f, covers);
        look_behind(&f, covers);
    }
    free(f.of);
    free(f.ends);
    free(f.starts);
    free(f.stops);
    free(f.checks);
}
