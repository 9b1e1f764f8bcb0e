/* The ids, sets and records that packed cells refer to (core/cell.h), for one replay.
 *
 * As in the runtime: ids are handed out until there are none left, then a collection looks at all
 * cells and takes back what nobody refers to. If that is not enough, accesses go on without an id
 * and their cells become records: slower, never wrong.
 */
#ifndef DEADHEAT_DETECT_EPOCHS_H
#define DEADHEAT_DETECT_EPOCHS_H

#include "core/cell.h"
#include "detect/space.h"
#include "detect/map.h"

/* How many units of sets there are. Tests build with a handful, to see them run out. */
#ifndef DH_REPLAY_SET_UNITS
#define DH_REPLAY_SET_UNITS DH_SET_ID_MAX
#endif

struct dh_replay_record {
    struct dh_entry *list;
    uint32_t count, room;
};

struct dh_epochs {
    struct dh_arena *memory;
    struct dh_tables tables; /* what core reads: the two arrays below */
    struct dh_epoch *epochs;
    uint32_t *sets;
    uint32_t epoch_count, epoch_room; /* ids below the count were handed out */
    uint32_t set_count, set_room;     /* in units; the array has four words a unit */
    dh_epoch_id *free_ids;
    uint32_t free_id_count, free_id_room;
    struct dh_map known_sets; /* from the hash of its words to a set */
    struct dh_replay_record *records;
    uint32_t record_count, record_room;
    uint32_t *free_records;
    uint32_t free_record_count, free_record_room;
    /* So many ids and units may be out before the next collection; and so many requests are refused
     * before it is made, which is none unless the last one found hardly anything. */
    struct dh_ration {
        uint32_t allowed, refused, patience;
    } ids, units;
    uint32_t collections;
};

void dh_epochs_init(struct dh_epochs *e, struct dh_arena *memory);

/* An id for the epoch; 0: there is none now. */
dh_epoch_id dh_epochs_name(struct dh_epochs *e, struct dh_epoch epoch);

/* A cell for a list of entries: epochs, sets or a record. */
dh_cell dh_epochs_pack(struct dh_epochs *e, struct dh_entry const *list, uint32_t count);

/* The cell as a record, which it becomes if it is none; with room for one more entry. */
struct dh_replay_record *dh_epochs_record(struct dh_epochs *e, dh_cell *cell);

/* For dh_space: records belong to one cell each. */
uint64_t dh_epochs_copy(void *epochs, uint64_t cell, uint64_t address, uint64_t span);
void dh_epochs_drop(void *epochs, uint64_t cell);

/* Requests were refused: a collection is due. */
bool dh_epochs_short(struct dh_epochs const *e);

/* Takes back all that no cell refers to. Cells get new words; whoever remembers some forgets them.
 */
void dh_epochs_collect(struct dh_epochs *e, struct dh_space *cells);

#endif
