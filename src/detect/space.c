#include "detect/space.h"

#include <string.h>

typedef struct dh_space_node node;

enum { CELL_SHIFT = 3, HIGHEST = 10 /* the level whose nodes span the whole address space */ };

static unsigned shift_of(unsigned level) { return CELL_SHIFT + DH_SPACE_BITS * level; }

static node *child(node const *n, unsigned i) { return (node *)(uintptr_t)n->slot[i]; }

static bool is_node(node const *n, unsigned i) { return n->nodes >> i & 1; }

static unsigned slot_of(uint64_t address, unsigned level) {
    return (unsigned)(address >> shift_of(level)) & (DH_SPACE_FAN - 1);
}

static node *node_new(struct dh_space *space) {
    return dh_arena_alloc(space->memory, sizeof(node));
}

static void drop(struct dh_space const *space, uint64_t value) {
    if (space->drop && value != 0) space->drop(space->owner, value);
}

/* The last address that the root spans. */
static uint64_t spanned(struct dh_space const *space) {
    return space->height < HIGHEST ? (1ull << shift_of(space->height + 1)) - 1 : UINT64_MAX;
}

/* The root spans all addresses up to this one. */
static void reach(struct dh_space *space, uint64_t address) {
    if (!space->root) space->root = node_new(space);
    while (address > spanned(space)) {
        node *above = node_new(space);
        above->nodes = 1;
        above->slot[0] = (uintptr_t)space->root;
        space->root = above;
        space->height++;
    }
}

/* The node below slot i, which begins at `address`; one value for all becomes 64 values. */
static node *descend(struct dh_space *space, node *n, unsigned i, unsigned level,
                     uint64_t address) {
    if (!is_node(n, i)) {
        uint64_t value = n->slot[i], span = 1ull << shift_of(level - 1);
        node *below = node_new(space);
        for (unsigned s = 0; value != 0 && s < DH_SPACE_FAN; s++)
            below->slot[s] =
                space->copy ? space->copy(space->owner, value, address + s * span, span) : value;
        n->slot[i] = (uintptr_t)below;
        n->nodes |= 1ull << i;
    }
    return child(n, i);
}

uint64_t *dh_space_cell_slow(struct dh_space *space, uint64_t address) {
    reach(space, address);
    node *n = space->root;
    for (unsigned level = space->height; level > 0; level--)
        n = descend(space, n, slot_of(address, level), level,
                    address >> shift_of(level) << shift_of(level));
    uint64_t number = address >> shift_of(1);
    space->recent[number % DH_SPACE_RECENT].number = number;
    space->recent[number % DH_SPACE_RECENT].leaf = n;
    return &n->slot[slot_of(address, 0)];
}

uint64_t dh_space_look(struct dh_space const *space, uint64_t address) {
    node const *n = space->root;
    unsigned level = space->height;
    if (!n || address > spanned(space)) return 0;
    for (; level > 0 && is_node(n, slot_of(address, level)); level--)
        n = child(n, slot_of(address, level));
    return n->slot[slot_of(address, level)];
}

/* ---- ranges ---- */

/* The slots of a node that overlap with first..last, one after the other. */
struct overlap {
    unsigned i;
    uint64_t address, last; /* all that the slot spans */
    bool whole;             /* the range contains it */
};

static bool overlap_next(struct overlap *o, unsigned level, uint64_t base, uint64_t first,
                         uint64_t last, bool begin) {
    unsigned shift = shift_of(level);
    if (begin)
        o->i = first > base ? (unsigned)((first - base) >> shift) : 0;
    else
        o->i++;
    if (o->i >= DH_SPACE_FAN || (level == HIGHEST && o->i > 1)) return false;
    o->address = base + ((uint64_t)o->i << shift);
    o->last = o->address + ((1ull << shift) - 1);
    o->whole = o->address >= first && o->last <= last;
    return o->address <= last;
}

static unsigned mask_of(uint64_t cell, uint64_t first, uint64_t last) {
    unsigned mask = 0xff;
    if (first > cell) mask = mask << (first - cell) & 0xff;
    if (last < cell + 7) mask &= 0xffu >> (cell + 7 - last);
    return mask;
}

struct change {
    struct dh_space *space;
    uint64_t first, last;
    dh_space_change *change;
    void *to;
    bool present; /* only values that are not 0 */
};

static void update(struct change const *c, node *n, unsigned level, uint64_t base) {
    struct overlap o;
    for (bool more = overlap_next(&o, level, base, c->first, c->last, true); more;
         more = overlap_next(&o, level, base, c->first, c->last, false)) {
        bool value = !is_node(n, o.i);
        if (value && c->present && n->slot[o.i] == 0) continue;
        if (level == 0 || (value && o.whole))
            n->slot[o.i] = c->change(c->to, n->slot[o.i], o.address, o.last - o.address + 1,
                                     level == 0 ? mask_of(o.address, c->first, c->last) : 0xffu);
        else
            update(c, descend(c->space, n, o.i, level, o.address), level - 1, o.address);
    }
}

void dh_space_update_slow(struct dh_space *space, uint64_t first, uint64_t last,
                          dh_space_change *change, void *to) {
    struct change c = {space, first, last, change, to, false};
    reach(space, last);
    update(&c, space->root, space->height, 0);
}

void dh_space_revise(struct dh_space *space, uint64_t first, uint64_t last, dh_space_change *change,
                     void *to) {
    struct change c = {space, first, last, change, to, true};
    uint64_t end = spanned(space);
    if (last > end) c.last = end;
    if (space->root && first <= end) update(&c, space->root, space->height, 0);
}

static void node_drop(struct dh_space *space, node *n) {
    for (unsigned i = 0; i < DH_SPACE_FAN; i++)
        if (is_node(n, i))
            node_drop(space, child(n, i));
        else
            drop(space, n->slot[i]);
    dh_arena_return(space->memory, n, sizeof *n);
}

static void clear(struct dh_space *space, node *n, unsigned level, uint64_t base, uint64_t first,
                  uint64_t last) {
    struct overlap o;
    for (bool more = overlap_next(&o, level, base, first, last, true); more;
         more = overlap_next(&o, level, base, first, last, false)) {
        if (!is_node(n, o.i) && n->slot[o.i] == 0) continue;
        if (!o.whole) {
            clear(space, descend(space, n, o.i, level, o.address), level - 1, o.address, first,
                  last);
            continue;
        }
        if (is_node(n, o.i)) {
            node_drop(space, child(n, o.i));
            memset(space->recent, 0, sizeof space->recent);
            n->nodes &= ~(1ull << o.i);
        } else {
            drop(space, n->slot[o.i]);
        }
        n->slot[o.i] = 0;
    }
}

void dh_space_clear(struct dh_space *space, uint64_t first, uint64_t last) {
    uint64_t end = spanned(space);
    if (last > end) last = end;
    if (space->root && first <= end) clear(space, space->root, space->height, 0, first, last);
}

static void walk(node const *n, unsigned level, uint64_t base,
                 void (*visit)(void *, uint64_t, uint64_t, uint64_t), void *to) {
    uint64_t span = 1ull << shift_of(level);
    for (unsigned i = 0; i < DH_SPACE_FAN; i++) {
        if (is_node(n, i))
            walk(child(n, i), level - 1, base + i * span, visit, to);
        else if (n->slot[i] != 0)
            visit(to, n->slot[i], base + i * span, span);
    }
}

void dh_space_walk(struct dh_space const *space,
                   void (*visit)(void *to, uint64_t value, uint64_t address, uint64_t span),
                   void *to) {
    if (space->root) walk(space->root, space->height, 0, visit, to);
}
