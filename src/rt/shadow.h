/* Where cells are: the shadow of the address space, and its coarse level.
 *
 * Fine: one cell for each eight bytes, at the address with bit 46 turned over and a skew
 * (rt/abi.h), reserved at the start and committed page by page as cells are written.
 *
 * Blocks: one entry for each kilobyte, which may say what all of its cells are (rt/blocks.h).
 *
 * Coarse: one cell for each DH_UNIT bytes. Large blocks of memory come and go as wholes, and their
 * birth or death should not touch a cell for every eight bytes.
 *
 *   Invariant: the state of eight bytes is their fine cell if that is not 0; else what their block
 * says, if it is not fine and says anything; else the coarse cell of their unit. Neither a fine
 * cell nor an entry is ever written without what the coarse cell said being part of it.
 *
 * Hence, for whoever changes state:
 *   - fine, or of a block: inside a critical section, read the fine cell; if it is 0, read the entry, and
 * if that says nothing or that it is up to the cells, read the coarse cell and start from there;
 * exchange.
 *   - coarse: write the coarse cell; wait until every access that may have read the old one has left
 * its critical section; then take away the entries and fine cells of the unit one by one, judging
 * what was in each. So an access either starts from the new coarse cell, or is found below it, and
 * none hides the coarse cell from others (test/model/shadow_*.dh go through all interleavings).
 *
 * The inlined test only ever trusts a fine cell that names its own epoch. A coarse cell is never a
 * record, and never a set: only whole blocks' births and deaths are in there.
 */
#ifndef DEADHEAT_RT_SHADOW_H
#define DEADHEAT_RT_SHADOW_H

#include "rt/abi.h"
#include "rt/base.h"
#include "rt/layout.h"

#define DH_UNIT ((uintptr_t)1 << DH_UNIT_SHIFT)

/* The stretches of address space that are shadow; the others are the program's. They are whole
 * pages. */
#define DH_PAGE_SHIFT 12
struct dh_stretch {
    uintptr_t from, to;
};
#define DH_STRETCHES 3
extern struct dh_stretch dh_stretches[DH_STRETCHES];

static inline bool dh_is_shadow(uintptr_t address) {
    for (int i = 0; i < DH_STRETCHES; i++)
        if (address - dh_stretches[i].from < dh_stretches[i].to - dh_stretches[i].from) return true;
    return false;
}

static inline dh_cell *dh_shadow(uintptr_t address) {
    return (dh_cell *)DH_SHADOW(address & ~(uintptr_t)(DH_CELL_BYTES - 1));
}
static inline dh_cell *dh_coarse_of(uintptr_t address) {
    return DH_COARSE + (address >> DH_UNIT_SHIFT);
}

/* All of these bytes can be the program's, and have shadow if they are. Where this is false the
 * program is about to fault by itself. */
static inline bool dh_has_shadow(uintptr_t address, size_t size) {
    uintptr_t last = address + size - 1;
    return address < DH_ADDRESS_END && size < DH_ADDRESS_END - address && !dh_is_shadow(address)
           && ((address ^ last) >> DH_PAGE_SHIFT == 0 || !dh_is_shadow(last));
}

/* Settles where shadow is; and has it reserved, or stops the process with a message. */
void dh_shadow_place(void);
void dh_shadow_init(void);

/* Remembers that the shadow of this address is in use. Before any write to a cell. */
void dh_shadow_touch_slow(uintptr_t address);
static inline void dh_shadow_touch(uintptr_t address) {
    if (DH_UNLIKELY(!DH_TOUCHED[address >> DH_TOUCHED_SHIFT])) dh_shadow_touch_slow(address);
}

/* Back to 0, and its memory back to the kernel where it fills pages. [from, to) are cell
 * boundaries. */
void dh_shadow_clear(uintptr_t from, uintptr_t to);

/* How many megabytes of addresses dh_shadow_each looks at. */
uint64_t dh_shadow_megabytes(void);

/* Calls back for every stretch of fine and coarse shadow that may hold cells, with the world
 * stopped. */
void dh_shadow_each(void (*visit)(dh_cell *from, dh_cell *to));

#endif
