/* A *split* cell: its state kept byte by byte, in an object of its own, which is changed in place.
 * For cells whose bytes are used at different times. A set (core/cell.h) would say the same, but
 * each epoch that comes by makes a new one of the old; here it stores its id.
 *
 *   split word    bit 31  bit 30  bit 29  bits 28..0
 *                   1       0       1     number of the split
 *
 * Either word of a cell may be split, or both, and then it is the same split. The other one is an
 * epoch or none: a byte has one write and at most one reader here. Where several threads read a
 * byte and none of them before the others, the cell needs sets.
 *
 *   Invariant: a split word stands for a word of each epoch in its half of the split, with the
 * bytes that have the epoch. Of a half whose word is not split nothing is believed.
 *
 * What an access does to it is what dh_entries_step says of those words, for the cases without a
 * race (test/unit/core_test.c holds the two against each other).
 */
#ifndef DEADHEAT_CORE_SPLIT_H
#define DEADHEAT_CORE_SPLIT_H

#include "core/parts.h"

#include <emmintrin.h>

#define DH_WORD_SPLIT 0xa0000000u
#define DH_SPLIT_NUMBER_MASK 0x1fffffffu

/* For each byte the id of an epoch, where a word has it, or 0. The lowest byte of write[0] is not
 * ours: who keeps splits may have a lock there. */
struct dh_split {
    _Alignas(64) dh_word write[DH_CELL_BYTES];
    dh_word read[DH_CELL_BYTES];
};
_Static_assert(sizeof(struct dh_split) == 64, "a split is one line of the cache");

static inline bool dh_word_is_split(dh_word w) { return w >> 29 == DH_WORD_SPLIT >> 29; }
static inline bool dh_cell_is_split(dh_cell c) {
    return dh_word_is_split(dh_cell_write(c)) || dh_word_is_split(dh_cell_read(c));
}
/* The word of a cell that is split. */
static inline dh_word dh_cell_split(dh_cell c) {
    return dh_word_is_split(dh_cell_write(c)) ? dh_cell_write(c) : dh_cell_read(c);
}
static inline uint32_t dh_split_number(dh_word w) { return w & DH_SPLIT_NUMBER_MASK; }

/* Three bytes are stored where there may be a lock in the fourth. */
static inline void dh_split_put(dh_word *half, unsigned byte, dh_word id) {
    if (byte != 0) {
        half[byte] = id;
        return;
    }
    uint8_t *at = (uint8_t *)half;
    at[1] = (uint8_t)(id >> 8);
    at[2] = (uint8_t)(id >> 16);
    at[3] = (uint8_t)(id >> 24);
}

/* The same for some bytes; four at a time where that is what is accessed. */
static inline void dh_split_put_all(dh_word *half, unsigned bytes, dh_word id) {
    unsigned const upper = 0xf0;
    if (bytes & 1) dh_split_put(half, 0, id);
    if ((bytes & upper) == upper) {
        _mm_store_si128((__m128i *)half + 1, _mm_set1_epi32((int)id));
        bytes &= ~upper;
    }
    for (bytes &= ~1u; bytes != 0; bytes &= bytes - 1)
        half[__builtin_ctz(bytes)] = id;
}

static inline dh_word dh_split_id(dh_word const *half, unsigned byte) {
    return half[byte] & ~DH_WORD_BYTES_MASK;
}

/* The bytes of a half that have this id. */
static inline unsigned dh_split_bytes(dh_word const *half, dh_word id) {
    __m128i const wanted = _mm_set1_epi32((int)id);
    __m128i const mask = _mm_set1_epi32((int)~DH_WORD_BYTES_MASK);
    __m128i low = _mm_and_si128(_mm_load_si128((__m128i const *)half), mask);
    __m128i high = _mm_and_si128(_mm_load_si128((__m128i const *)half + 1), mask);
    int bytes = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(low, wanted)))
                | _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(high, wanted))) << 4;
    return (unsigned)bytes;
}

/* No two words of a list are on the same byte: a split has no room for that. */
static inline bool dh_split_fits(dh_word const *list, uint32_t count) {
    unsigned seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (seen & dh_word_mask(list[i])) return false;
        seen |= dh_word_mask(list[i]);
    }
    return true;
}

/* A half from the words of a list, which fits. */
static inline void dh_split_fill(dh_word *half, dh_word const *list, uint32_t count) {
    dh_split_put_all(half, DH_WORD_BYTES_MASK, 0);
    for (uint32_t i = 0; i < count; i++)
        dh_split_put_all(half, dh_word_mask(list[i]), list[i] & ~DH_WORD_BYTES_MASK);
}

/* The words that one word of the cell stands for, in ascending order; it is no set. */
static inline uint32_t dh_split_list(dh_word word, dh_word const *half, dh_word *list) {
    if (!dh_word_is_split(word)) {
        list[0] = word;
        return word != 0;
    }
    uint32_t count = 0;
    for (unsigned left = DH_WORD_BYTES_MASK & ~dh_split_bytes(half, 0); left != 0;) {
        dh_word id = dh_split_id(half, (unsigned)__builtin_ctz(left));
        unsigned bytes = dh_split_bytes(half, id);
        dh_words_insert(list, &count, id | bytes);
        left &= ~bytes;
    }
    return count;
}

/* Whose the bytes of one kind are: the epoch's that makes the access, nobody's, or others'. */
struct dh_split_look {
    unsigned mine, none;
};

static inline struct dh_split_look dh_split_look(dh_word word, dh_word const *half, dh_word mine) {
    dh_word id = mine & ~DH_WORD_BYTES_MASK;
    if (dh_word_is_split(word))
        return (struct dh_split_look){dh_split_bytes(half, id), dh_split_bytes(half, 0)};
    unsigned bytes = dh_word_mask(word);
    return (struct dh_split_look){(word & ~DH_WORD_BYTES_MASK) == id ? bytes : 0,
                                  DH_WORD_BYTES_MASK & ~bytes};
}

/* All others' epochs on these bytes, of which there is one at least, are ordered before the
 * access. */
static inline bool dh_split_ordered(dh_word word, dh_word const *half, unsigned others,
                                    struct dh_view const *view, struct dh_tables const *tables) {
    if (!dh_word_is_split(word)) return dh_word_ordered(word, view, tables);
    do {
        dh_word id = dh_split_id(half, (unsigned)__builtin_ctz(others));
        if (!dh_word_ordered(id, view, tables)) return false;
        others &= others - 1;
        if (others != 0) others &= ~dh_split_bytes(half, id);
    } while (others != 0);
    return true;
}

/* The access has its bytes of the word from now on. `split` is the word to take where several
 * epochs are left. */
static inline void dh_split_take_over(dh_word *word, dh_word *half, struct dh_split_look look,
                                      dh_word mine, dh_word split) {
    dh_word const id = mine & ~DH_WORD_BYTES_MASK, old = *word & ~DH_WORD_BYTES_MASK;
    unsigned const bytes = dh_word_mask(mine), none = look.none & ~bytes, all = look.mine | bytes;
    if ((all | none) == DH_WORD_BYTES_MASK) {
        *word = id | all;
        return;
    }
    if (!dh_word_is_split(*word)) {
        dh_split_put_all(half, none, 0);
        dh_split_put_all(half, DH_WORD_BYTES_MASK & ~(none | bytes), old);
        *word = split;
    }
    dh_split_put_all(half, bytes, id);
}

/* Others have these bytes no longer: a write stands for the reads before it. */
static inline void dh_split_give_up(dh_word *word, dh_word *half, struct dh_split_look look,
                                    unsigned others) {
    if ((look.none | others) == DH_WORD_BYTES_MASK) {
        *word = 0;
    } else if (!dh_word_is_split(*word)) {
        *word &= ~(dh_word)others;
    } else {
        dh_split_put_all(half, others, 0);
    }
}

/* One access to a split cell, or one that can be, as `split`, which is s; without sets. The cell
 * gets its new words; where none of them is split, the split is not needed. *changed becomes true
 * if the access was not on record. False: a race, or another reader; nothing was done. */
static inline __attribute__((always_inline)) bool
dh_split_step(dh_cell *cell, struct dh_split *s, dh_word split, dh_word mine, enum dh_kind kind,
              struct dh_view const *view, struct dh_tables const *tables, bool *changed) {
    dh_word write = dh_cell_write(*cell), read = dh_cell_read(*cell);
    unsigned const bytes = dh_word_mask(mine);
    struct dh_split_look r = dh_split_look(read, s->read, mine);
    if (kind == DH_READ && (bytes & ~r.mine) == 0) return true;
    struct dh_split_look w = dh_split_look(write, s->write, mine);
    if (kind == DH_WRITE && (bytes & ~w.mine) == 0) return true;
    unsigned writers = bytes & ~(w.mine | w.none), readers = bytes & ~(r.mine | r.none);
    if (writers != 0 && !dh_split_ordered(write, s->write, writers, view, tables)) return false;
    if (readers != 0 && !dh_split_ordered(read, s->read, readers, view, tables)) return false;
    if (kind == DH_READ) {
        dh_split_take_over(&read, s->read, r, mine, split);
    } else {
        dh_split_take_over(&write, s->write, w, mine, split);
        if (readers != 0) dh_split_give_up(&read, s->read, r, readers);
    }
    *changed = true;
    *cell = dh_cell_of(write, read);
    return true;
}

/* ---- the shortest steps ----
 *
 * Of one, two or four bytes side by side in a split cell, of which all have one epoch, and one of
 * the other kind: what dh_split_step says then, in two parts, between which it is for the caller to
 * find out whether both epochs are ordered before the access. */

/* The id that these bytes of a half have in common; DH_WORD_NOMATCH where they have none. */
static inline __attribute__((always_inline)) dh_word dh_split_common(dh_word const *half,
                                                                     unsigned at, unsigned size) {
    dh_word const id = dh_split_id(half, at);
    if (size == 2 && dh_split_id(half, at + 1) != id) return DH_WORD_NOMATCH;
    if (size == 4) {
        __m128i const all = _mm_and_si128(_mm_loadu_si128((__m128i const *)(half + at)),
                                          _mm_set1_epi32((int)~DH_WORD_BYTES_MASK));
        __m128i const equal = _mm_cmpeq_epi32(all, _mm_shuffle_epi32(all, 0));
        if (_mm_movemask_epi8(equal) != 0xffff) return DH_WORD_NOMATCH;
    }
    return id;
}

static inline unsigned dh_split_mask(unsigned at, unsigned size) {
    return ((1u << size) - 1) << at;
}

/* The same of a word of the cell, which need not be split. */
static inline __attribute__((always_inline)) dh_word
dh_split_epoch(dh_word word, dh_word const *half, unsigned at, unsigned size) {
    if (dh_word_is_split(word)) return dh_split_common(half, at, size);
    unsigned const bytes = dh_split_mask(at, size);
    if ((word & bytes) == 0) return 0;
    return (bytes & ~word) == 0 ? word & ~DH_WORD_BYTES_MASK : DH_WORD_NOMATCH;
}

/* The epochs that the bytes from `at` on have, of the kind of the access and of the other; 0 where
 * they have none. Of the access's own epoch in the first it is on record. */
struct dh_split_epochs {
    dh_word same_kind, other_kind;
};

/* False: there are more. */
static inline __attribute__((always_inline)) bool
dh_split_find(dh_cell cell, struct dh_split const *s, unsigned at, unsigned size, enum dh_kind kind,
              struct dh_split_epochs *found) {
    dh_word const write = dh_split_epoch(dh_cell_write(cell), s->write, at, size);
    dh_word const read = dh_split_epoch(dh_cell_read(cell), s->read, at, size);
    found->same_kind = kind == DH_READ ? read : write;
    found->other_kind = kind == DH_READ ? write : read;
    return write != DH_WORD_NOMATCH && read != DH_WORD_NOMATCH;
}

/* The access of the epoch `id`, which is not on record, takes these bytes. The cell gets its new
 * words; where none of them is split, the split is not needed. */
static inline __attribute__((always_inline)) void
dh_split_take(dh_cell *cell, struct dh_split *s, unsigned at, unsigned size, enum dh_kind kind,
              struct dh_split_epochs found, dh_word id) {
    unsigned const bytes = dh_split_mask(at, size);
    dh_word write = dh_cell_write(*cell), read = dh_cell_read(*cell);
    dh_word *const half = kind == DH_READ ? s->read : s->write;
    dh_word *const word = kind == DH_READ ? &read : &write;
    struct dh_split_look const look = dh_split_look(*word, half, id);
    if ((look.mine | look.none | bytes) == DH_WORD_BYTES_MASK)
        *word = id | look.mine | bytes;
    else if (!dh_word_is_split(*word) || at == 0)
        dh_split_take_over(word, half, look, id | bytes, dh_cell_split(*cell));
    else if (size == 4)
        _mm_storeu_si128((__m128i *)(half + at), _mm_set1_epi32((int)id));
    else
        half[at] = half[at + size - 1] = id;
    if (kind == DH_WRITE && found.other_kind != 0 && found.other_kind != id)
        dh_split_give_up(&read, s->read, dh_split_look(read, s->read, id), bytes);
    *cell = dh_cell_of(write, read);
}

#endif
