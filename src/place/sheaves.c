/* Runs of accesses that go through the same memory share a check.
 *
 * Those of one line of the source, some rounds apart, are a *strand*: one run, a little longer. A
 * report can name its line. Strands side by side, without a gap in each round, such as the fields
 * of a struct in an array of them, are a *sheaf*: one run of wider accesses.
 *
 * What is read where the same loop writes, rounds earlier or later, needs a check only where that
 * does not get: in the last rounds, or the first.
 *
 *   Exact: what a sheaf checks is what its strands access. In round k that is from + k * stride up to
 *   to + k * stride, each byte of it in some strand. Where a strand leaves no gaps, the rounds that it
 *   goes on beyond the last are part of the width instead.
 *
 * Who is in a sheaf matters only to reports: see emit/runs.c and rt/runs.c.
 */
#include "ir/access.h"
#include "place/place.h"

#include <stdlib.h>

enum {
    WIDTH_MAX = 1 << 20,  /* of a sheaf, in bytes */
    ROUNDS_MAX = 1 << 10, /* how far a read may be from the write that covers it */
    COVERED_MAX = 1 << 9, /* in a function with more runs they are not looked for */
};

/* An access, and then a strand. */
struct part {
    struct ir_access const *access;
    uint64_t more;
    int64_t from, to; /* what it is at in a round; as for a sheaf */
    uint64_t beyond;  /* and for so many rounds more */
    int64_t only;     /* as for a strand */
    struct part *strand;
};

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* 0 if the two have the same loop and stride, are in the same rounds, and differ by their offsets
 * only. */
static int by_track(struct ir_access const *a, struct ir_access const *b) {
    struct ir_run const *x = &a->run, *y = &b->run;
    int order = compare((uintptr_t)x->loop, (uintptr_t)y->loop);
    if (order == 0) order = compare((uintptr_t)x->top, (uintptr_t)y->top);
    if (order == 0) order = compare((uint64_t)x->stride, (uint64_t)y->stride);
    if (order == 0) order = compare(x->times, y->times);
    if (order == 0) order = compare(x->leaving, y->leaving);
    if (order == 0) order = compare((uintptr_t)x->base, (uintptr_t)y->base);
    if (order == 0) order = compare((uintptr_t)x->index, (uintptr_t)y->index);
    if (order == 0) order = compare((uint64_t)x->scale, (uint64_t)y->scale);
    return order;
}

/* And the same kind. */
static int by_family(struct ir_access const *a, struct ir_access const *b) {
    int order = compare(a->kind, b->kind);
    return order == 0 ? by_track(a, b) : order;
}

/* The way that the run goes, and for the same place in program order. */
static int by_offset(void const *left, void const *right) {
    struct ir_access const *a = ((struct part const *)left)->access;
    struct ir_access const *b = ((struct part const *)right)->access;
    int order = by_family(a, b);
    if (order != 0) return order;
    if (a->run.offset != b->run.offset)
        return (a->run.offset < b->run.offset) == (a->run.stride >= 0) ? -1 : 1;
    return compare((uintptr_t)a, (uintptr_t)b);
}

static int by_place(void const *left, void const *right) {
    struct part const *a = *(struct part *const *)left, *b = *(struct part *const *)right;
    int order = by_family(a->access, b->access);
    if (order == 0) order = compare(a->beyond, b->beyond);
    if (order == 0) order = compare((uint64_t)a->only, (uint64_t)b->only);
    if (order == 0 && a->from != b->from) order = a->from < b->from ? -1 : 1;
    return order == 0 ? compare((uintptr_t)a->access, (uintptr_t)b->access) : order;
}

static bool is_free(struct place_fate const *fate) {
    return fate->reason == PLACE_KEPT && fate->check == PLACE_NO_CHECK;
}

static uint64_t distance_of(struct ir_run const *run) {
    return run->stride < 0 ? 0 - (uint64_t)run->stride : (uint64_t)run->stride;
}

/* How many rounds b is ahead of a; UINT64_MAX: no whole number. */
static uint64_t rounds_ahead(struct ir_access const *a, struct ir_access const *b) {
    uint64_t between = (uint64_t)b->run.offset - (uint64_t)a->run.offset;
    uint64_t stride = distance_of(&a->run);
    if (a->run.stride < 0) between = 0 - between;
    if (between == 0) return 0;
    return stride == 0 || between % stride != 0 ? UINT64_MAX : between / stride;
}

static bool joins_strand(struct part const *strand, struct ir_access const *a) {
    struct ir_access const *first = strand->access;
    return first->size == a->size && first->position.line == a->position.line
           && first->position.file == a->position.file
           && rounds_ahead(first, a) <= strand->more + 1;
}

/* Parts of one family, in the order of their offsets: each is in a strand, its own or another's. */
static void find_strands(struct part *parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct part *p = &parts[i];
        p->strand = p;
        for (size_t s = 0; s < i && p->strand == p; s++) {
            if (parts[s].strand != &parts[s] || !joins_strand(&parts[s], p->access)) continue;
            uint64_t ahead = rounds_ahead(parts[s].access, p->access);
            if (ahead > parts[s].more) parts[s].more = ahead;
            p->strand = &parts[s];
        }
    }
}

/* What a strand of writes leaves of one of reads, if they are on one track. Round k of the write is
 * round k - ahead of the read: the write gets to all of them but the last, or the first. */
static void cover(struct part *read, struct part *write) {
    uint64_t ahead = rounds_ahead(write->access, read->access);
    uint64_t behind = rounds_ahead(read->access, write->access);
    if (ahead <= write->more)
        read->strand = write;
    else if (ahead <= ROUNDS_MAX)
        read->only = (int64_t)(ahead - write->more);
    else if (behind <= ROUNDS_MAX)
        read->only = -(int64_t)behind;
}

static void cover_reads(struct part *parts, size_t count) {
    size_t writes = 0; /* they come behind the reads */
    while (writes < count && parts[writes].access->kind != IR_WRITE)
        writes++;
    for (size_t r = 0; r < writes; r++) {
        struct part *read = &parts[r];
        if (read->strand != read || read->more != 0 || read->access->run.stride == 0) continue;
        for (size_t w = writes; w < count && read->strand == read && read->only == 0; w++)
            if (parts[w].strand == &parts[w] && parts[w].access->size == read->access->size
                && by_track(parts[w].access, read->access) == 0)
                cover(read, &parts[w]);
    }
}

static void find_width(struct part *strand) {
    struct ir_access const *a = strand->access;
    uint64_t distance = distance_of(&a->run);
    strand->from = a->run.offset;
    strand->to = strand->from + (int64_t)a->size;
    strand->beyond = strand->more;
    if (distance > a->size || strand->more > WIDTH_MAX) return;
    strand->beyond = 0;
    if (a->run.stride < 0)
        strand->from -= (int64_t)(strand->more * distance);
    else
        strand->to += (int64_t)(strand->more * distance);
}

static bool joins_sheaf(struct part const *first, int64_t from, int64_t to, struct part const *p) {
    int64_t width;
    return first->access->run.stride != 0 && by_family(first->access, p->access) == 0
           && p->beyond == first->beyond && first->only == 0 && p->only == 0 && p->from <= to
           && !__builtin_sub_overflow(p->to, from, &width) && width <= WIDTH_MAX;
}

/* The first in program order leads. */
static void put_leader_first(struct place_sheaf *sheaf) {
    for (uint32_t i = 1; i < sheaf->count; i++)
        if (sheaf->strands[i].access < sheaf->strands[0].access) {
            struct place_strand strand = sheaf->strands[0];
            sheaf->strands[0] = sheaf->strands[i];
            sheaf->strands[i] = strand;
        }
}

/* The strands from the first on that go side by side. */
static struct place_sheaf *make_sheaf(struct part **strands, size_t most) {
    int64_t from = strands[0]->from, to = strands[0]->to;
    uint32_t count = 1;
    for (; count < most && joins_sheaf(strands[0], from, to, strands[count]); count++)
        if (strands[count]->to > to) to = strands[count]->to;
    struct place_sheaf *sheaf = malloc(sizeof *sheaf + count * sizeof *sheaf->strands);
    if (!sheaf) abort();
    *sheaf = (struct place_sheaf){.check = PLACE_NO_CHECK,
                                  .count = count,
                                  .from = from,
                                  .to = to,
                                  .more = strands[0]->beyond};
    for (uint32_t i = 0; i < count; i++)
        sheaf->strands[i] =
            (struct place_strand){strands[i]->access, strands[i]->more, strands[i]->only};
    put_leader_first(sheaf);
    return sheaf;
}

/* A strand may have become part of one of writes. */
static struct part const *last_strand(struct part const *p) {
    while (p->strand != p)
        p = p->strand;
    return p;
}

void dh_place_sheaves(struct ir_accesses const *accesses, struct placement *p,
                      struct place_sheaf **sheaves) {
    struct part *parts = calloc(accesses->count + 1, sizeof *parts);
    struct part **strands = calloc(accesses->count + 1, sizeof *strands);
    size_t count = 0, strand_count = 0, end;
    if (!parts || !strands) abort();
    for (size_t i = 0; i < accesses->count; i++)
        if (accesses->list[i].run.loop && is_free(&p->fates[i]))
            parts[count++].access = &accesses->list[i];
    qsort(parts, count, sizeof *parts, by_offset);
    for (size_t i = 0; i < count; i = end) {
        for (end = i + 1; end < count && by_family(parts[i].access, parts[end].access) == 0;)
            end++;
        find_strands(&parts[i], end - i);
    }
    if (count <= COVERED_MAX) cover_reads(parts, count);
    for (size_t i = 0; i < count; i++)
        if (parts[i].strand == &parts[i]) {
            find_width(&parts[i]);
            strands[strand_count++] = &parts[i];
        }
    qsort(strands, strand_count, sizeof *strands, by_place);
    for (size_t i = 0; i < strand_count;) {
        struct place_sheaf *sheaf = make_sheaf(&strands[i], strand_count - i);
        sheaf->next = p->sheaves;
        p->sheaves = sheaf;
        for (end = i + sheaf->count; i < end; i++)
            sheaves[strands[i]->access - accesses->list] = sheaf;
    }
    for (size_t i = 0; i < count; i++)
        sheaves[parts[i].access - accesses->list] =
            sheaves[last_strand(&parts[i])->access - accesses->list];
    free(parts);
    free(strands);
}
