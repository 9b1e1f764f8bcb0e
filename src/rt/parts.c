#include "rt/parts.h"
#include "core/parts.h"
#include "rt/epochs.h"
#include "rt/spares.h"
#include "rt/splits.h"
#include "rt/stats.h"

static struct dh_spares spares;

DH_COLD void dh_sharing_begin(struct dh_thread *self) {
    self->sharing = dh_spare_take(&spares, 0, 0);
    if (!self->sharing) self->sharing = dh_alloc(sizeof *self->sharing);
}

void dh_sharing_end(struct dh_thread *thread) {
    dh_spare_put(&spares, thread->sharing, sizeof *thread->sharing);
    thread->sharing = 0;
}

void dh_sharing_collect(void) {
    dh_spares_free(&spares, sizeof(struct dh_sharing));
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live)
        if (t->sharing) dh_fill(t->sharing, 0, sizeof *t->sharing);
}

/* The word for these words, which may be what it is already. False: there is no room. */
static inline bool remake(struct dh_thread *self, dh_word *word, dh_word const *words,
                          uint32_t count) {
    uint32_t had, same = 0;
    dh_word const *old = dh_word_list(word, &dh_tables, &had);
    while (same < had && same < count && old[same] == words[same])
        same++;
    if (same == had && same == count) return true;
    *word = dh_set_make(self, words, count);
    return count == 0 || *word != 0;
}

/* The cell for these words, if there are the sets that it takes. */
static inline dh_cell made_of_known(struct dh_words const *words) {
    dh_word write, read;
    if (!dh_set_known(words->write, words->writes, &write)
        || !dh_set_known(words->read, words->reads, &read))
        return 0;
    return dh_cell_of(write, read);
}

/* The cell for these words as a split, where nothing else will do and it is the first of its kind.
 * A change that is made again, or that leads to sets which there are, is one of many cells in the
 * same state: they get sets, which they share. A split takes a line of the cache for each of
 * them. */
static inline dh_cell split_first(struct dh_thread *self, struct dh_change *known, dh_cell old,
                                  dh_word mine, enum dh_kind kind, struct dh_words const *words) {
    if (words->writes <= 1 && words->reads <= 1) return 0;
    if (dh_parts_is_change(known, old, mine, kind)) return 0;
    dh_cell new = dh_split_make(self, words->write, words->writes, words->read, words->reads);
    if (new != 0) *known = (struct dh_change){old, 0, dh_parts_access(mine, kind)};
    return new;
}

/* There is the set that the access would make of the older word of its kind, which keeps some
 * bytes. */
static inline bool pair_is_known(dh_word old, dh_word mine) {
    dh_word rest = old & ~(dh_word)dh_word_mask(mine);
    dh_word const pair[] = {rest < mine ? rest : mine, rest < mine ? mine : rest};
    dh_word set;
    return dh_set_known(pair, 2, &set);
}

/* The same of a cell of epochs, by a shorter way. */
static inline dh_cell split_epochs(struct dh_thread *self, struct dh_change *known, dh_cell old,
                                   dh_word mine, enum dh_kind kind) {
    if ((dh_cell_write(old) | dh_cell_read(old)) & DH_WORD_OBJECT) return 0;
    if (dh_parts_is_change(known, old, mine, kind)) return 0;
    if (pair_is_known(kind == DH_READ ? dh_cell_read(old) : dh_cell_write(old), mine)) return 0;
    dh_cell new = dh_split_begin(self, old, mine, kind);
    if (new != 0) *known = (struct dh_change){old, 0, dh_parts_access(mine, kind)};
    return new;
}

static inline __attribute__((always_inline)) bool
change(struct dh_thread *self, dh_cell *cell, dh_word mine, enum dh_kind kind, bool may_split) {
    if (DH_UNLIKELY(!self->sharing)) dh_sharing_begin(self);
    struct dh_change *known = dh_parts_change_of(self->sharing, *cell, mine, kind);
    if (dh_parts_is_change(known, *cell, mine, kind) && known->new != 0) {
        *cell = known->new;
        return true;
    }
    dh_cell split = may_split ? split_epochs(self, known, *cell, mine, kind) : 0;
    if (split != 0) {
        *cell = split;
        return true;
    }
    dh_word write = dh_cell_write(*cell), read = dh_cell_read(*cell);
    dh_word same_kind = kind == DH_READ ? read : write;
    uint32_t count;
    dh_word const *list = dh_word_list(&same_kind, &dh_tables, &count);
    if (dh_words_have(list, count, mine)) return true;
    struct dh_words words;
    struct dh_view view = dh_thread_view(self);
    if (!(kind == DH_READ ? dh_parts_read : dh_parts_write)(*cell, mine, &view, &dh_tables, &words))
        return false;
    dh_cell new = made_of_known(&words);
    if (new == 0 && may_split) {
        new = split_first(self, known, *cell, mine, kind, &words);
        if (new != 0) {
            *cell = new;
            return true;
        }
    }
    if (new == 0) {
        if (!remake(self, &write, words.write, words.writes)
            || !remake(self, &read, words.read, words.reads))
            return false;
        new = dh_cell_of(write, read);
    }
    DH_COUNT(self, sets);
    *known = (struct dh_change){*cell, new, dh_parts_access(mine, kind)};
    *cell = new;
    return true;
}

bool dh_parts_change(struct dh_thread *self, dh_cell *cell, dh_word mine, enum dh_kind kind) {
    return change(self, cell, mine, kind, false);
}

static __attribute__((noinline)) enum dh_outcome change_cell(struct dh_thread *self, dh_cell *at,
                                                             dh_cell cell, dh_word mine,
                                                             enum dh_kind kind, bool own) {
    dh_cell next = cell;
    if (!change(self, &next, mine, kind, true)) return DH_UNDECIDED;
    if (own) {
        __atomic_store_n(at, next, __ATOMIC_RELAXED);
    } else if (!__atomic_compare_exchange_n(at, &cell, next, false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED)) {
        if (dh_cell_is_split(next)) dh_split_free(self, dh_split_number(dh_cell_split(next)));
        return DH_UNDECIDED;
    }
    if (kind == DH_READ) dh_parts_remember(next);
    return DH_NEWS;
}

__attribute__((preserve_most)) enum dh_outcome dh_parts_quick(struct dh_thread *self, dh_cell *at,
                                                              dh_cell cell, dh_word mine,
                                                              enum dh_kind kind, bool own) {
    if (dh_cell_is_record(cell)) return DH_UNDECIDED;
    if (dh_cell_is_split(cell)) return dh_split_quick(self, at, cell, mine, kind, own);
    return change_cell(self, at, cell, mine, kind, own);
}
