/* One plain access to a cell whose words are sets or become such: the rules of core/entries.h
 * applied to the words themselves, for the cases without a race. It is what dh_entries_step says
 * then (test/unit/core_test.c holds the two against each other), at a tenth of the price: fields of
 * one cell that are used at different times come here all the time.
 */
#ifndef DEADHEAT_CORE_PARTS_H
#define DEADHEAT_CORE_PARTS_H

#include "core/step.h"

static inline uint32_t const *dh_word_list(dh_word const *w, struct dh_tables const *tables,
                                           uint32_t *count) {
    *count = *w != 0;
    return dh_word_is_set(*w) ? dh_set_words(tables, *w, count) : w;
}

/* What an access leaves of the words of one kind, in their order: bytes that it takes over go, if
 * `takes_over`; words that are not ordered before it stay, or are races. *mine gets the bytes that
 * its own epoch has there already, if `own_kind`. False: a race, or too many words. */
static inline bool dh_words_left(dh_word const *old, uint32_t count, dh_word *mine, bool own_kind,
                                 bool takes_over, bool may_be_unordered, struct dh_view const *view,
                                 struct dh_tables const *tables, dh_word *left, uint32_t *kept) {
    unsigned bytes = dh_word_mask(*mine);
    uint32_t n = 0;
    if (count > DH_SET_MAX) return false;
    for (uint32_t i = 0; i < count; i++) {
        dh_word w = old[i];
        if (dh_word_epoch_id(w) == dh_word_epoch_id(*mine)) {
            if (own_kind) {
                *mine |= w;
                continue;
            }
        } else if ((w & bytes) != 0) {
            bool ordered = dh_word_ordered(w, view, tables);
            if (!ordered && !may_be_unordered) return false;
            if (ordered && takes_over) w &= ~(dh_word)bytes;
            if (dh_word_mask(w) == 0) continue;
        }
        left[n++] = w;
    }
    *kept = n;
    return true;
}

/* READSAMEEPOCH, WRITESAMEEPOCH: the access of this word is on record. */
static inline bool dh_words_have(dh_word const *list, uint32_t count, dh_word mine) {
    for (uint32_t i = 0; i < count; i++)
        if (dh_word_epoch_id(list[i]) == dh_word_epoch_id(mine)) return (mine & ~list[i]) == 0;
    return false;
}

/* In its place: words are in ascending order. */
static inline bool dh_words_insert(dh_word *list, uint32_t *count, dh_word mine) {
    uint32_t at = *count;
    if (at == DH_SET_MAX) return false;
    for (; at > 0 && list[at - 1] > mine; at--)
        list[at] = list[at - 1];
    list[at] = mine;
    ++*count;
    return true;
}

/* Whatever of these the access of this word overlaps is its own or ordered before it. */
static inline bool dh_words_ordered(dh_word const *list, uint32_t count, dh_word mine,
                                    struct dh_view const *view, struct dh_tables const *tables) {
    for (uint32_t i = 0; i < count; i++)
        if ((list[i] & dh_word_mask(mine)) != 0
            && dh_word_epoch_id(list[i]) != dh_word_epoch_id(mine)
            && !dh_word_ordered(list[i], view, tables))
            return false;
    return true;
}

/* What an access makes of a cell. `mine` is the word of the access, which is not on record; the
 * cell is not a record. False: nothing was decided, the general form is needed. */
static inline bool dh_parts_read(dh_cell cell, dh_word mine, struct dh_view const *view,
                                 struct dh_tables const *tables, struct dh_words *next) {
    dh_word write = dh_cell_write(cell), read = dh_cell_read(cell);
    uint32_t reads;
    dh_word const *write_list = dh_word_list(&write, tables, &next->writes);
    dh_word const *read_list = dh_word_list(&read, tables, &reads);
    for (uint32_t i = 0; i < next->writes; i++)
        next->write[i] = write_list[i];
    return dh_words_ordered(write_list, next->writes, mine, view, tables)
           && dh_words_left(read_list, reads, &mine, true, true, true, view, tables, next->read,
                            &next->reads)
           && dh_words_insert(next->read, &next->reads, mine);
}

static inline bool dh_parts_write(dh_cell cell, dh_word mine, struct dh_view const *view,
                                  struct dh_tables const *tables, struct dh_words *next) {
    dh_word write = dh_cell_write(cell), read = dh_cell_read(cell), copy = mine;
    uint32_t writes, reads;
    dh_word const *write_list = dh_word_list(&write, tables, &writes);
    dh_word const *read_list = dh_word_list(&read, tables, &reads);
    return dh_words_left(write_list, writes, &mine, true, true, false, view, tables, next->write,
                         &next->writes)
           && dh_words_left(read_list, reads, &copy, false, true, false, view, tables, next->read,
                            &next->reads)
           && dh_words_insert(next->write, &next->writes, mine);
}

#endif
