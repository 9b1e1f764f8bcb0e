/* The address space as a map from cells of eight bytes to values of 64 bits, 0 where nothing was
 * put.
 *
 * A tree of 64 slots a node. A slot is a node below, or one value for all cells under it: blocks
 * of any size are filled and visited as wholes, and memory is in proportion to the places that were
 * looked at one by one. The tree is as high as the highest address so far needs.
 *
 *   Invariant: a slot of a leaf (level 0) is a value; the cells under a slot of level n are
 *   2^(3 + 6n) bytes, aligned to that.
 *
 * Values may own something. Where one value becomes that of 64 slots, `copy` is asked for what each
 * of them is to hold, in ascending order, and nobody holds the value itself any more; where a value
 * is thrown away, `drop` is told.
 */
#ifndef DEADHEAT_DETECT_SPACE_H
#define DEADHEAT_DETECT_SPACE_H

#include "util/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { DH_SPACE_BITS = 6, DH_SPACE_FAN = 1 << DH_SPACE_BITS, DH_SPACE_RECENT = 64 };

struct dh_space_node {
    uint64_t nodes; /* bit i: slot i is a node */
    uint64_t slot[DH_SPACE_FAN];
};

struct dh_space {
    struct dh_arena *memory;
    /* Null: values own nothing. */
    uint64_t (*copy)(void *owner, uint64_t value, uint64_t address, uint64_t span);
    void (*drop)(void *owner, uint64_t value);
    void *owner;
    struct dh_space_node *root;
    unsigned height; /* the root's level */
    struct {
        uint64_t number;
        struct dh_space_node *leaf;
    } recent[DH_SPACE_RECENT];
};

uint64_t *dh_space_cell_slow(struct dh_space *space, uint64_t address);

/* The value of the cell that holds this byte, to be read and changed. */
static inline uint64_t *dh_space_cell(struct dh_space *space, uint64_t address) {
    uint64_t number = address >> (3 + DH_SPACE_BITS);
    struct dh_space_node *leaf = space->recent[number % DH_SPACE_RECENT].leaf;
    if (__builtin_expect(!leaf || space->recent[number % DH_SPACE_RECENT].number != number, 0))
        return dh_space_cell_slow(space, address);
    return &leaf->slot[address >> 3 & (DH_SPACE_FAN - 1)];
}

/* The value without making room for it. */
uint64_t dh_space_look(struct dh_space const *space, uint64_t address);

/* Gives every value of the bytes first..last a new one. For a cell of which only some bytes are in
 * the range `mask` has these; for several cells of one value it is 0xff. `change` must not use the
 * space. */
typedef uint64_t dh_space_change(void *to, uint64_t value, uint64_t address, uint64_t span,
                                 unsigned mask);
void dh_space_update_slow(struct dh_space *space, uint64_t first, uint64_t last,
                          dh_space_change *change, void *to);
static inline void dh_space_update(struct dh_space *space, uint64_t first, uint64_t last,
                                   dh_space_change *change, void *to) {
    if (__builtin_expect(first / 8 != last / 8, 0)) {
        dh_space_update_slow(space, first, last, change, to);
        return;
    }
    uint64_t *cell = dh_space_cell(space, first);
    *cell = change(to, *cell, first & ~7ull, 8, 0xffu << first % 8 & 0xffu >> (7 - last % 8));
}

/* The same for values that are not 0, without making room for others. */
void dh_space_revise(struct dh_space *space, uint64_t first, uint64_t last, dh_space_change *change,
                     void *to);

/* The whole cells among first..last; false if there are none. */
static inline bool dh_space_whole(uint64_t *first, uint64_t *last) {
    if (*last - *first < 7) return false;
    if (*last % 8 != 7) *last -= *last % 8 + 1;
    if (*first % 8 != 0) *first += 8 - *first % 8;
    return *first < *last;
}

/* All cells of first..last, whole cells, are 0 again. */
void dh_space_clear(struct dh_space *space, uint64_t first, uint64_t last);

/* All values that are not 0, each with the bytes that have it, in ascending order. */
void dh_space_walk(struct dh_space const *space,
                   void (*visit)(void *to, uint64_t value, uint64_t address, uint64_t span),
                   void *to);

#endif
