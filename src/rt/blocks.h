/* Blocks: the level between fine cells and units (rt/shadow.h). Whoever sweeps an array has the
 * same to say about cell after cell; a block of 1 kB says it once, and while it does its fine cells
 * are 0 and take no memory.
 *
 * Each block has an entry (DH_BLOCKS):
 *
 *   0               nothing of its own: what the unit's coarse cell says holds for all of it
 *   a cell          the state of each of its cells
 *   a list          the same in pieces (rt/pieces.h), or in strides, where every so many-th cell has
 *                   the same state; in an object of its own, under its lock
 *   DH_BLOCK_FINE   the state is in the fine cells
 *
 * A fine *place* is in a block that is fine, or in a piece that is.
 *
 *   Invariant: a fine cell that is not 0 is in a fine place. Hence the state of eight bytes is
 * their fine cell if that is not 0; else, where that is not fine, what their block says, if it says
 * anything; else the coarse cell of their unit.
 *
 * A range that covers a whole block takes the entry's state one step, by exchange. Any other access
 * to it goes to a list. Where that has no room for another piece, small neighbours become fine.
 * When short accesses come too often, the piece does that they go to, or the whole block: then the
 * inlined test finds them. So does one in strides when an access breaks the pattern. Who *refines*
 * writes the fine cells, then says that they are fine, under the list's lock; a block with one
 * state becomes a list first. Meanwhile others wait for the lock. So no step is lost, and none is
 * taken in two places (test/model/shadow_block_*.dh go through all interleavings). Who refines the
 * cell that it accesses may write what the access makes of it at once: that is to refine it and to
 * take the step before anybody else comes (dh_list_lead). Whoever sees a cell that is not 0 while
 * the list does not say yet that it is fine may change it: it is not written by who refines again.
 *
 * A place stops being fine only when memory is born, with the world stopped, or where the running
 * thread is the owner: nobody else is then about to write a fine cell because it has read that it
 * may.
 *
 * The transitions are those of a cell. Pieces are how equal cells are written, nothing else.
 *
 * What is done with lists is in rt/lists.h, the quick way to the same steps in rt/quick_blocks.c.
 */
#ifndef DEADHEAT_RT_BLOCKS_H
#define DEADHEAT_RT_BLOCKS_H

#include "rt/layout.h"
#include "rt/pieces.h"
#include "rt/state.h"

struct dh_judge;

#define DH_BLOCK ((uintptr_t)1 << DH_BLOCK_SHIFT)
#define DH_BLOCK_FINE UINT64_MAX

/* An access to fewer bytes is a short one. */
#ifndef DH_BLOCK_SHORT
#define DH_BLOCK_SHORT 128u
#endif
/* So many of them in an epoch, to a block that has them on record in one state, make it fine. */
#ifndef DH_BLOCK_OFTEN
#define DH_BLOCK_OFTEN 16u
#endif

static inline dh_cell *dh_block_of(uintptr_t address) {
    return DH_BLOCKS + (address >> DH_BLOCK_SHIFT);
}
static inline bool dh_block_is_fine(uintptr_t address) {
    return __atomic_load_n(dh_block_of(address), __ATOMIC_ACQUIRE) == DH_BLOCK_FINE;
}
/* Some of its fine cells may not be 0: it is fine, or a list. */
static inline bool dh_block_may_have_cells(uintptr_t address) {
    return dh_cell_is_record(__atomic_load_n(dh_block_of(address), __ATOMIC_ACQUIRE));
}
static inline uintptr_t dh_block_end(uintptr_t address) { return (address | (DH_BLOCK - 1)) + 1; }

void dh_blocks_init(void);

/* All of these inside a critical section, in granules that are settled (rt/own.h). */

/* Afterwards the cell at this address is in a fine place, until it is born again. */
void dh_block_refine_slow(uintptr_t address);
static inline void dh_block_refine(uintptr_t address) {
    if (DH_UNLIKELY(!dh_block_is_fine(address))) dh_block_refine_slow(address);
}

/* Judges the access from `at` to `end` up to the first fine place. Returns where that is, or the
 * end; it goes up to *fine_end. */
uintptr_t dh_blocks_step(struct dh_judge *j, uintptr_t at, uintptr_t end, uintptr_t *fine_end);

/* The same access, all of it, where nothing is a race or takes a record, as rt/quick.h has it for
 * one cell: the same steps without the detours. It begins at `begin`. The running thread has its
 * epoch open; nothing need be settled. False: the long way has to make it. What was made of it is on
 * record, and *changed says if any of that was new. */
bool dh_blocks_quick(struct dh_thread *self, enum dh_kind kind, uintptr_t begin, uintptr_t at,
                     uintptr_t end, bool *changed);

/* The same for some bytes of one cell. */
bool dh_block_quick(struct dh_thread *self, enum dh_kind kind, uintptr_t address, uint32_t size,
                    dh_word bytes, bool *changed);

/* Judges the accesses of a run with gaps, j->stride apart, that is a multiple of a cell's size, as
 * far as they are in the block: to both of its ends, all that such a run can have there. False: it
 * is fine, or cannot be said in strides, or a race, and nothing was done. */
bool dh_block_step_strides(struct dh_judge *j, uintptr_t block);

/* What is on record from `from` to `to`, cell boundaries in one block, becomes `cell`. False if it
 * is in a fine block: nothing was done. */
bool dh_block_put(uintptr_t from, uintptr_t to, dh_cell cell);

/* What the block says, apart from its unit; afterwards it says nothing. False if it is fine:
 * nothing was done. */
bool dh_block_take(uintptr_t address, struct dh_pieces *said);

/* Afterwards it says nothing and is not fine. Its fine cells are 0, or will be before anybody else
 * comes. Returns false if they may not be. */
bool dh_block_reset(uintptr_t address);

/* What the unit's coarse cell says is now said by the block. Returns false if that is up to its
 * fine cells. */
bool dh_block_inherit(uintptr_t address, dh_cell coarse);

/* The same, closer. With the world stopped. */
bool dh_block_has_cells(uintptr_t address);

/* Calls back for the cells of all lists, with the world stopped. */
void dh_blocks_each_list(void (*visit)(dh_cell *from, dh_cell *to));

#endif
