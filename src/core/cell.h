/* A cell: the state of eight bytes, packed into 64 bits.
 *
 *   bits  0..31  write word: who wrote last        bits 32..63  read word: who read since
 *
 *   word        bit 31  bit 30  bits 29..8          bits 7..0
 *   none          0       0     0                   0
 *   epoch         0       epoch id (23 bits)        the bytes it was on
 *   set           1       0     0, set id (21 bits) the bytes that every member was on
 *   split         1       0     1, number of the split (29 bits, core/split.h)
 *   record        1       1     record number (30 bits); both words are the same
 *
 * A *set* is a list of epoch words that does not fit into one word: reads by threads not ordered
 * with each other, or bytes of one cell last used at different times. Sets never change once made,
 * so that many cells may have the same one. A *record* is for what is still rarer: atomic accesses,
 * synchronisation objects, more than DH_SET_MAX words. It is a list of entries kept elsewhere, and
 * its owner knows what to do with it. A *split* says what a set would, of one cell only
 * (core/split.h); where cells are described here without saying so, they are not split.
 *
 *   Invariant: the words of a cell denote a list of entries (dh_cell_entries), and one access to
 * the cell is dh_entries_step on that list. core/step.h has a quicker way to the same answer.
 *
 * The inlined test trusts a word only if it equals the word of the running thread's own epoch, or
 * that of a set which the thread knows its epoch to be in. Nobody else writes such words for
 * accesses that this thread has not made.
 */
#ifndef DEADHEAT_CORE_CELL_H
#define DEADHEAT_CORE_CELL_H

#include "core/entries.h"

typedef uint32_t dh_word;
typedef uint64_t dh_cell;

#define DH_CELL_BYTES 8u         /* bytes of the program that a cell stands for */
#define DH_WORD_BYTES_MASK 0xffu /* the byte mask of a word */
#define DH_WORD_ID_SHIFT 8
#define DH_WORD_OBJECT 0x80000000u /* a set or a record */
#define DH_WORD_RECORD 0xc0000000u /* with DH_WORD_OBJECT: a record */
#define DH_WORD_NOMATCH UINT32_MAX /* never in a cell: an epoch that no test may find */
#define DH_WORD_STRANGER (UINT32_MAX - 1) /* likewise: that of a thread that is not known yet */
#define DH_RECORD_MAX 0x3ffffffeu  /* the largest record number */

/* How many ids there are. Tests build the runtime with a handful, to see it run out. */
#ifndef DH_EPOCH_ID_BITS
#define DH_EPOCH_ID_BITS 23
#endif
#define DH_EPOCH_ID_MAX ((1u << DH_EPOCH_ID_BITS) - 1)
#define DH_SET_ID_BITS 21
#define DH_SET_ID_MAX ((1u << DH_SET_ID_BITS) - 1)

/* The longest list of words that a set may hold. */
#define DH_SET_MAX 16u

_Static_assert(sizeof(dh_cell) == 2 * sizeof(dh_word), "a cell is two words");
_Static_assert(DH_EPOCH_ID_BITS + DH_WORD_ID_SHIFT <= 31, "an epoch word leaves bit 31 clear");
_Static_assert(DH_SET_ID_BITS + DH_WORD_ID_SHIFT <= 29, "a set word leaves bits 30 and 29 clear");

static inline dh_word dh_cell_write(dh_cell c) { return (dh_word)c; }
static inline dh_word dh_cell_read(dh_cell c) { return (dh_word)(c >> 32); }
static inline dh_cell dh_cell_of(dh_word write, dh_word read) {
    return (dh_cell)read << 32 | write;
}

static inline dh_word dh_word_of_epoch(dh_epoch_id id, unsigned mask) {
    return id << DH_WORD_ID_SHIFT | mask;
}
static inline dh_epoch_id dh_word_epoch_id(dh_word w) { return w >> DH_WORD_ID_SHIFT; }
static inline unsigned dh_word_mask(dh_word w) { return w & DH_WORD_BYTES_MASK; }
static inline bool dh_word_is_set(dh_word w) { return w >> 29 == 4; }
static inline uint32_t dh_word_set_id(dh_word w) {
    return (w & ~DH_WORD_OBJECT) >> DH_WORD_ID_SHIFT;
}

static inline bool dh_cell_is_record(dh_cell c) {
    return (dh_cell_write(c) & DH_WORD_RECORD) == DH_WORD_RECORD;
}
static inline dh_cell dh_cell_of_record(uint32_t number) {
    return dh_cell_of(DH_WORD_RECORD | number, DH_WORD_RECORD | number);
}
static inline uint32_t dh_cell_record(dh_cell c) { return dh_cell_write(c) & ~DH_WORD_RECORD; }

/* What the ids in words stand for. A set with id i begins at sets + DH_SET_UNIT * i: its length,
 * then its words in ascending order. */
#define DH_SET_UNIT 4u
struct dh_tables {
    struct dh_epoch const *epochs;
    uint32_t const *sets;
};

static inline uint32_t const *dh_set_words(struct dh_tables const *t, dh_word set,
                                           uint32_t *count) {
    uint32_t const *at = t->sets + DH_SET_UNIT * (uint64_t)dh_word_set_id(set);
    *count = at[0];
    return at + 1;
}

/* The entries that a cell (not a record) stands for. At most 2 * DH_SET_MAX. */
uint32_t dh_cell_entries(dh_cell cell, struct dh_tables const *tables, struct dh_entry *list);

/* The words for a list of plain entries: write words first. False if either list would be longer
 * than DH_SET_MAX, or an entry has no id: such a state needs a record. */
struct dh_words {
    uint32_t writes, reads;
    dh_word write[DH_SET_MAX], read[DH_SET_MAX];
};
bool dh_entries_words(struct dh_entry const *list, uint32_t count, struct dh_words *words);

#endif
