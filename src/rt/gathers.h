/* Gathers: reads of whole cells all over an array, in loops, at indices that come out of memory. A
 * thread that makes many of them in one epoch keeps a table of what it has read, a bit a cell, and
 * compiled code asks that before the cell (rt/abi.h has the words, rt/same.h the question). It is
 * there for the cache's sake alone: the array and its cells, as large as the array, may not fit
 * together; with the table, which is a thirty-second of what it stands for, the array is all that is
 * looked at.
 *
 * What the table says of a cell: the running thread has read all bytes of it in its running epoch,
 * and was checked. As READSAMEEPOCH has it, the next read has nothing to add: whoever wrote there
 * since has found a race with the first one, for no write can be ordered behind that without a
 * release of ours. The exception is memory that has lost its history since, as for the runs that a
 * thread remembers (rt/runs.c). So
 *
 *   - a bit is set only where the cell is seen to have the read on record, inside a critical
 *     section: no release of ours comes in between;
 *   - what the table says is over when the epoch is (dh_thread_forget_epoch), when the thread makes
 *     memory lose its history (dh_forget), and when anybody does with memory that is nobody's
 *     (dh_gathers_end_all): then __dh_tls.gathering is 0, which no word matches.
 *
 * A table has generations, one a time that it is begun, and a word is good in its own. Compiled code
 * reads a word, then the generation, once each; so if a handler comes in between, what was read of
 * an older one does not match. Generations are few, and return after the table was cleared: a handler
 * in which one was begun leaves none behind (rt/intercept/signal.c), so that a word from before it
 * matches nothing, however many there were.
 *
 * It does not always pay. Nothing is done before DH_GATHER_MISSES gathers have taken the slow exit
 * in one epoch. Words that take each other's places cost credit, and bits that find their word there
 * earn some: where gathers go over much more memory than the table stands for, the credit is soon
 * used up, the table is no longer asked in this epoch, and the next one has to be earned by more
 * gathers.
 */
#ifndef DEADHEAT_RT_GATHERS_H
#define DEADHEAT_RT_GATHERS_H

#include "rt/abi.h"

#include <stdbool.h>

enum {
    DH_GATHER_MISSES = 256,
    DH_GATHER_CREDIT = 8192,
    DH_GATHER_COST = 4,  /* of a word that another loses its place to */
    DH_GATHER_VAIN = 4,  /* this many tables in vain, at most, make the next one wait longer, */
    DH_GATHER_LONGER = 3 /* by so many bits each */
};
#define DH_GATHER_GENERATIONS (1u << (32 - DH_GATHER_ADDRESS_BITS))

struct dh_gathers {
    uint64_t words[DH_GATHER_WORDS];
    uint64_t begun;  /* counts generations */
    uint32_t credit; /* in this one; 0: it does not pay */
};

/* A new generation: nothing is known. Returns what belongs into __dh_tls.gathering. */
uint32_t dh_gathers_begin(struct dh_gathers *gathers);
/* The cell was read, in the generation. False: the table does not pay. */
bool dh_gathers_put(struct dh_gathers *gathers, uint32_t gathering, uintptr_t address);

/* The running thread has begun to know something: what its table says, or a trail (rt/trails.h). A
 * memory barrier. */
void dh_gathers_begun(void);
/* Inside a critical section: what all threads have in their tables is over, and what they know of
 * trails. Costs little where nothing was begun since the last time. */
void dh_gathers_end_all(void);

/* The slow exit has come to this. True: the read is on record, and nothing else is to be done. */
__attribute__((preserve_most)) bool dh_gathers_know(void const *p);

#endif
