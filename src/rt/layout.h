/* Where the runtime's large tables are. Their addresses are constants, which saves the hot paths a
 * load for each; they lie in a part of the address space that Linux gives to no program by itself,
 * between programs that are not position independent (below 16 TB) and shadow (from 21 TB,
 * rt/shadow.c). All are reserved at the start and committed page by page.
 */
#ifndef DEADHEAT_RT_LAYOUT_H
#define DEADHEAT_RT_LAYOUT_H

#include "core/split.h"

#define DH_ADDRESS_BITS 47
/* User space ends here; above it nothing has shadow. */
#define DH_ADDRESS_END ((uintptr_t)1 << DH_ADDRESS_BITS)

/* Owners of shadow, by granule (rt/own.h). */
#define DH_GRANULE_SHIFT 14
#define DH_OWNERS ((uint32_t *)0x100000000000)
#define DH_OWNERS_COUNT (DH_ADDRESS_END >> DH_GRANULE_SHIFT)
/* The coarse shadow, by unit (rt/shadow.h). */
#define DH_UNIT_SHIFT 16
#define DH_COARSE ((dh_cell *)0x102000000000)
#define DH_COARSE_COUNT (DH_ADDRESS_END >> DH_UNIT_SHIFT)
/* Entries of blocks (rt/blocks.h). Tests build the runtime with small ones, whose table is
 * larger. */
#ifndef DH_BLOCK_SHIFT
#define DH_BLOCK_SHIFT 10
#define DH_BLOCKS_AT 0x108000000000
#endif
#define DH_BLOCKS ((dh_cell *)DH_BLOCKS_AT)
#define DH_BLOCKS_COUNT (DH_ADDRESS_END >> DH_BLOCK_SHIFT)
/* Which megabytes of addresses have cells in use (rt/shadow.h). */
#define DH_TOUCHED_SHIFT 20
#define DH_TOUCHED ((uint8_t *)0x104000000000)
#define DH_TOUCHED_COUNT (DH_ADDRESS_END >> DH_TOUCHED_SHIFT)
/* Epochs by id, and sets (rt/epochs.h). */
#define DH_EPOCHS ((struct dh_epoch *)0x105000000000)
#define DH_EPOCHS_COUNT ((uintptr_t)DH_EPOCH_ID_MAX + 1)
#define DH_SETS ((uint32_t *)0x106000000000)
#define DH_SETS_COUNT (DH_SET_UNIT * ((uintptr_t)DH_SET_ID_MAX + 1))
/* Splits by number (rt/splits.h). Where there are no more, cells have sets. */
#ifndef DH_SPLIT_BITS
#define DH_SPLIT_BITS 22
#endif
#define DH_SPLITS ((struct dh_split *)0x106800000000)
#define DH_SPLITS_COUNT ((uintptr_t)1 << DH_SPLIT_BITS)
/* Records by number (rt/records.h). */
#define DH_RECORDS ((struct dh_record *)0x107000000000)
#define DH_RECORDS_COUNT ((uintptr_t)1 << 26)

static struct dh_tables const dh_tables = {DH_EPOCHS, DH_SETS};

#endif
