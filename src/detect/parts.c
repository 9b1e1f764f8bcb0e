#include "detect/parts.h"

#include <string.h>

#define SHARED 1u

static struct dh_part *list_of(uint64_t value) {
    return (struct dh_part *)(uintptr_t)(value & ~(uint64_t)SHARED);
}

static struct dh_part *part_copy(struct dh_parts const *p, struct dh_part const *from) {
    struct dh_part *part = dh_arena_alloc(p->space.memory, p->size);
    memcpy(part, from, p->size);
    if (p->split) p->split(p->space.memory, part);
    return part;
}

static void part_drop(struct dh_parts const *p, struct dh_part *part) {
    if (p->drop) p->drop(p->space.memory, part);
    dh_arena_return(p->space.memory, part, p->size);
}

/* What is shared stays until the arena ends. */
static uint64_t share(void *owner, uint64_t value, uint64_t address, uint64_t span) {
    return value | SHARED;
}

static void drop(void *owner, uint64_t value) {
    if (value & SHARED) return;
    for (struct dh_part *part = list_of(value), *next; part; part = next) {
        next = part->next;
        part_drop(owner, part);
    }
}

void dh_parts_init(struct dh_parts *p, struct dh_arena *memory, size_t size,
                   void (*split)(struct dh_arena *, struct dh_part *),
                   void (*drop_part)(struct dh_arena *, struct dh_part *)) {
    p->space.memory = memory;
    p->space.owner = p;
    p->space.copy = share;
    p->space.drop = drop;
    p->size = size;
    p->split = split;
    p->drop = drop_part;
}

/* Splits and adds parts so that each is inside `mask` or has no byte in common with it. */
static void carve(struct dh_parts const *p, struct dh_part **list, unsigned mask) {
    unsigned missing = mask;
    for (struct dh_part *part = *list; part; part = part->next) {
        unsigned both = part->bytes & mask;
        missing &= ~both;
        if (both == 0 || both == part->bytes) continue;
        struct dh_part *rest = part_copy(p, part);
        rest->bytes = part->bytes & (uint8_t)~both;
        part->bytes = (uint8_t)both;
        part->next = rest; /* which goes on to the old next */
    }
    if (missing == 0) return;
    struct dh_part *new = dh_arena_alloc(p->space.memory, p->size);
    new->bytes = (uint8_t)missing;
    new->next = *list;
    *list = new;
}

static struct dh_part *unshare(struct dh_parts const *p, uint64_t value) {
    struct dh_part *list = list_of(value);
    if (!(value & SHARED)) return list;
    struct dh_part *copies = NULL, **end = &copies;
    for (; list; list = list->next, end = &(*end)->next)
        *end = part_copy(p, list);
    *end = NULL;
    return copies;
}

struct visit {
    struct dh_parts const *parts;
    dh_part_visit *visit;
    void *to;
    bool many;      /* more than a cell */
    uint64_t fresh; /* then: what a cell without a state has become */
};

static uint64_t visit_cell(void *to, uint64_t value, uint64_t address, uint64_t span,
                           unsigned mask) {
    struct visit *v = to;
    bool fresh = v->many && value == 0 && mask == 0xff;
    if (fresh && v->fresh) return v->fresh;
    struct dh_part *list = unshare(v->parts, value);
    carve(v->parts, &list, mask);
    for (struct dh_part *part = list; part; part = part->next)
        if (part->bytes & mask) v->visit(v->to, part, address, span);
    if (fresh) return v->fresh = (uintptr_t)list | SHARED;
    return (uintptr_t)list;
}

void dh_parts_visit(struct dh_parts *p, uint64_t first, uint64_t last, dh_part_visit *visit,
                    void *to) {
    struct visit v = {p, visit, to, first / 8 != last / 8, 0};
    dh_space_update(&p->space, first, last, visit_cell, &v);
}

static uint64_t forget_bytes(void *to, uint64_t value, uint64_t address, uint64_t span,
                             unsigned mask) {
    struct dh_parts const *p = to;
    struct dh_part *list = unshare(p, value), **link = &list;
    while (*link) {
        struct dh_part *part = *link;
        part->bytes &= (uint8_t)~mask;
        if (part->bytes) {
            link = &part->next;
        } else {
            *link = part->next;
            part_drop(p, part);
        }
    }
    return (uintptr_t)list;
}

void dh_parts_forget(struct dh_parts *p, uint64_t first, uint64_t last) {
    uint64_t whole = first, whole_last = last;
    if (!dh_space_whole(&whole, &whole_last)) {
        dh_space_revise(&p->space, first, last, forget_bytes, p);
        return;
    }
    if (first < whole) dh_space_revise(&p->space, first, whole - 1, forget_bytes, p);
    dh_space_clear(&p->space, whole, whole_last);
    if (last > whole_last) dh_space_revise(&p->space, whole_last + 1, last, forget_bytes, p);
}
