/* One access of the running thread, from opening its epoch to reporting what it raced with:
 *
 *     struct dh_judge j;
 *     if (!dh_judge_begin(&j, DH_WRITE, flags, address, size, here)) return;
 *     dh_judge_cell(&j, cell_address, mask);  ... for each cell
 *     dh_judge_end(&j);
 *
 * Between begin and end the thread is inside a critical section.
 */
#ifndef DEADHEAT_RT_JUDGE_H
#define DEADHEAT_RT_JUDGE_H

#include "rt/records.h"
#include "rt/state.h"

#define DH_JUDGE_RACES \
    8 /* reported from one access; a range may race with more epochs than that \
                          */

struct dh_judge {
    struct dh_thread *self;
    struct dh_access access; /* mask is set cell by cell */
    struct dh_view view;
    uint32_t flags;
    uintptr_t address;
    size_t size;
    /* The bytes are those of accesses of so many, so far apart: from the start, of one access. Only
     * dh_block_step_strides knows of gaps between them. */
    size_t unit, stride;
    struct dh_here here;
    bool past; /* that is over, and the frame gone: then this was behind it on the stack */
    dh_stack_id callers;
    bool changed;
    bool stops, stopped; /* before the first race, or record: nothing from there on was judged */
    uint32_t races;
    struct {
        uintptr_t address; /* first racy byte */
        uint32_t bytes;
        struct dh_epoch other;
        uint8_t other_kind;
    } race[DH_JUDGE_RACES];
};

/* False: nothing is to be recorded now. */
bool dh_judge_begin(struct dh_judge *j, enum dh_kind kind, uint32_t flags, uintptr_t address,
                    size_t size, struct dh_here here);
/* The same for who is inside a critical section already, with an epoch open, but needs no id. */
void dh_judge_inside(struct dh_judge *j, struct dh_thread *self, enum dh_kind kind, uint32_t flags,
                     uintptr_t address, size_t size, struct dh_here here);
void dh_judge_cell(struct dh_judge *j, uintptr_t cell_address, unsigned mask);
/* All cells of the access, whatever its alignment. */
void dh_judge_range(struct dh_judge *j);
void dh_judge_end(struct dh_judge *j);

/* The epoch of this access is still the running one. A report in the middle of it may have called
 * the program, which ended it: then the access goes on in its own epoch, but not by ways that take
 * the running one for it. */
static inline bool dh_judge_epoch_runs(struct dh_judge const *j) {
    return __dh_tls.epoch == dh_word_of_epoch(j->access.id, DH_WORD_BYTES_MASK);
}

/* The access to one cell has this verdict. */
void dh_judge_note(struct dh_judge *j, uintptr_t cell_address, struct dh_verdict const *v);
/* The access to so many cells, all in the same state, has. */
void dh_judge_note_cells(struct dh_judge *j, uintptr_t address, size_t cells,
                         struct dh_verdict const *v);

/* The next step is a race, or needs a record: true if it is not to be made. */
bool dh_judge_stops(struct dh_judge *j);

/* One step of a state, for the bytes in access.mask. False: the new state needs a record. */
bool dh_judge_step(struct dh_judge *j, dh_cell *cell, struct dh_verdict *v);

#endif
