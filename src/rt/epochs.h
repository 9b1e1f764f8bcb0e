/* Epoch ids, sets and splits: what the words in cells stand for (core/cell.h), and how they are
 * used again.
 *
 * All come from common stocks, 64 at a time. When many have been handed out, or none is left, a
 * *collection* stops the world, looks at every cell in use, and puts back into stock what no cell
 * refers to. If all are in use, threads go on without: their accesses go to records, which hold
 * whole epochs. Slower, never wrong. A split is given back by who ends it, too; where memory is
 * overwritten at its birth nobody does.
 *
 *   Invariant: an id in a cell, in a set, in a split, or in some thread's `epoch` word stands for
 * the same epoch as when it was put there; a set id in a cell or in some thread's `readset` word
 * for the same set.
 */
#ifndef DEADHEAT_RT_EPOCHS_H
#define DEADHEAT_RT_EPOCHS_H

#include "rt/base.h"
#include "rt/layout.h"

struct dh_thread;

void dh_epochs_init(void);

/* Outside critical sections, before a new epoch is opened: sees to it that the thread has an id to
 * open it with, collecting if need be. Afterwards there may still be none. */
void dh_epochs_provide(struct dh_thread *self);

/* Inside: opens the next epoch for the quick way (rt/quick.h), if nothing else is to be done first.
 * Keeps all registers. */
__attribute__((preserve_most)) bool dh_epochs_open_quick(void);

/* Inside: the word of the thread's epoch, which has none yet; 0 without ids. */
dh_word dh_epoch_open(struct dh_thread *self);

/* Inside: the word for a list of words in ascending order: the word itself if there is one, else a
 * new set. 0 if there is no room for another set. */
dh_word dh_set_make(struct dh_thread *self, dh_word const *words, uint32_t count);
/* Inside: the same if that makes no new set: such a one was made lately. Else false. */
bool dh_set_known(dh_word const *words, uint32_t count, dh_word *word);

/* Inside: a split that is nobody's (rt/splits.h), or 0; and one that no cell refers to any more is
 * given back, which keeps all registers. */
uint32_t dh_split_new(struct dh_thread *self);
__attribute__((preserve_most)) void dh_split_free(struct dh_thread *self, uint32_t number);

/* Inside, when the thread ends: what it has left is for others. */
void dh_epochs_put_back(struct dh_thread *thread);

/* Epochs of one thread that were opened together have ids together, DH_BATCH of them. The *bound*
 * of these is an epoch, too: all of them are of its slot, and none is later. So most questions
 * about an id are answered by a table that stays in the cache, which that of all epochs does not.
 * Where it is of DH_SLOT_NONE, which nobody knows, ids of several slots are together. */
#define DH_BATCH_SHIFT 6
#define DH_BATCH (1u << DH_BATCH_SHIFT)
/* slot << 32 | tick, turned over: so 0 is no bound. By what a word has above the number in its batch:
 * in words that are not of epochs that is more than any batch. */
#define DH_BOUND_SHIFT (DH_WORD_ID_SHIFT + DH_BATCH_SHIFT)
extern DH_HIDDEN uint64_t dh_bounds[(UINT32_MAX >> DH_BOUND_SHIFT) + 1];

static inline uint64_t dh_bound_at(uint32_t batch) {
    return ~__atomic_load_n(&dh_bounds[batch], __ATOMIC_RELAXED);
}
static inline uint64_t dh_bound_of(dh_word w) { return dh_bound_at(w >> DH_BOUND_SHIFT); }
static inline dh_slot dh_bound_slot(uint64_t bound) { return (dh_slot)(bound >> 32); }
static inline dh_tick dh_bound_tick(uint64_t bound) { return (dh_tick)bound; }

/* Turned over: what bounds are of a slot with ticks up to this one. */
static inline uint64_t dh_bound_up_to(dh_slot slot, dh_tick tick) {
    return ~((uint64_t)slot << 32 | tick);
}
/* The word is of an epoch among those. False: perhaps not; or it is of no epoch. */
static inline bool dh_bound_is_within(dh_word w, uint64_t up_to) {
    uint64_t const bound = __atomic_load_n(&dh_bounds[w >> DH_BOUND_SHIFT], __ATOMIC_RELAXED);
    return (bound ^ up_to) >> 32 == 0 && (uint32_t)bound >= (uint32_t)up_to;
}
/* Of a slot, with any ticks: half of each is read. */
static inline bool dh_bound_is_of(dh_word w, uint64_t const *up_to) {
    typedef uint32_t __attribute__((may_alias)) half;
    __asm__("" : "+r"(w)); /* else clang would clear bits that cannot be set */
    half const *bound = (half const *)&dh_bounds[w >> DH_BOUND_SHIFT];
    return __atomic_load_n(bound + 1, __ATOMIC_RELAXED) == ((half const *)up_to)[1];
}

/* Inside: the thread goes on in another slot. */
void dh_epochs_new_slot(struct dh_thread *self);

/* How many times ids were collected. */
extern uint64_t dh_collections;

#endif
