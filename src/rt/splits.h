/* Split cells (core/split.h) in the runtime: who may look into a split, and change it.
 *
 * In a granule that is the running thread's own (rt/own.h) nobody else does. In a shared one a
 * split has a lock, and what it says is believed only under that, and only if the cell still refers
 * to it: by then it may be another cell's, or nobody's. So it can be used again at once.
 *
 *   Rule: who takes the last split word out of a cell, by a store in its own granule or by an
 * exchange under the lock, gives the split back. Who overwrites a cell without looking leaves it to
 * the next collection.
 *
 * The lock is a byte that nothing else is ever stored to. It is held for a step, inside a critical
 * section; of other locks its holder takes those of stocks, and that of a record before anybody
 * knows the record.
 *
 * Only fine cells are split: a block's state is that of many cells.
 */
#ifndef DEADHEAT_RT_SPLITS_H
#define DEADHEAT_RT_SPLITS_H

#include "rt/layout.h"
#include "rt/parts.h"
#include "rt/state.h"

static inline struct dh_split *dh_split_of(dh_cell cell) {
    return &DH_SPLITS[dh_split_number(dh_cell_split(cell))];
}

/* Inside a critical section: the split of a cell that was found to be this, locked; null if the
 * cell has changed. */
void dh_split_wait(uint8_t *lock);
static inline bool dh_split_lock_taken(struct dh_split *s) {
    return __atomic_exchange_n((uint8_t *)s, 1, __ATOMIC_ACQUIRE) != 0;
}
static inline void dh_split_unlock(struct dh_split *s) {
    __atomic_store_n((uint8_t *)s, 0, __ATOMIC_RELEASE);
}
static inline struct dh_split *dh_split_locked(struct dh_split *s, dh_cell *at, dh_cell cell) {
    if (DH_LIKELY(__atomic_load_n(at, __ATOMIC_RELAXED) == cell)) return s;
    dh_split_unlock(s);
    return 0;
}
static inline struct dh_split *dh_split_lock(dh_cell *at, dh_cell cell) {
    struct dh_split *s = dh_split_of(cell);
    if (DH_UNLIKELY(dh_split_lock_taken(s))) dh_split_wait((uint8_t *)s);
    return dh_split_locked(s, at, cell);
}
/* The same for who does not wait: null, too, if somebody else has it. */
static inline struct dh_split *dh_split_lock_try(dh_cell *at, dh_cell cell) {
    struct dh_split *s = dh_split_of(cell);
    return DH_UNLIKELY(dh_split_lock_taken(s)) ? 0 : dh_split_locked(s, at, cell);
}

/* Inside: the access of the word `mine`, by a thread with this view, to a split cell in a granule
 * that is `own` or shared. */
enum dh_outcome dh_split_access(struct dh_thread *self, dh_cell *at, dh_cell cell, dh_word mine,
                                enum dh_kind kind, struct dh_view const *view, bool own);

/* The same for the quick way (rt/quick.h), in the running epoch. */
enum dh_outcome dh_split_quick(struct dh_thread *self, dh_cell *at, dh_cell cell, dh_word mine,
                               enum dh_kind kind, bool own);

/* Inside: what the access makes of a cell of epochs, in a new split; 0 if it needs none, or that
 * cannot be. Until the cell is written the split is to be given back. */
dh_cell dh_split_begin(struct dh_thread *self, dh_cell cell, dh_word mine, enum dh_kind kind);

/* Inside: a new split with these words, as a cell; 0 if it cannot be. Until the cell is written the
 * split is to be given back. */
dh_cell dh_split_make(struct dh_thread *self, dh_word const *write, uint32_t writes,
                      dh_word const *read, uint32_t reads);

/* The entries of a split that is locked, or in the running thread's own granule. */
uint32_t dh_split_entries(dh_cell cell, struct dh_split const *s, struct dh_entry *list);

/* Inside: a locked cell becomes `next`, which is not split. False: it was overwritten. Either way
 * it is unlocked. */
bool dh_split_end(struct dh_thread *self, dh_cell *at, dh_cell cell, dh_cell next);

#endif
