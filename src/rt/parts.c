#include "rt/parts.h"
#include "core/parts.h"
#include "rt/epochs.h"
#include "rt/splits.h"
#include "rt/stats.h"

/* What was no race then is none now: within an epoch a thread only learns more. */
static struct dh_change *change_of(struct dh_thread *self, dh_cell old, dh_word mine,
                                   enum dh_kind kind) {
    uint64_t mixed = (old ^ (uint64_t)mine << 32 ^ kind) * 0x9e3779b97f4a7c15u;
    return &self->sharing->changes[mixed >> (64 - DH_CHANGES_BITS)];
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

static inline bool is_known(struct dh_change const *known, dh_cell old, dh_word mine,
                            enum dh_kind kind) {
    return known->old == old && known->mine == mine && known->kind == kind;
}

/* The cell for these words as a split, where nothing else will do and it is the first of its kind. A
 * change that is made again is one of many cells in the same state: they get sets, which they share. */
static inline dh_cell split_first(struct dh_thread *self, struct dh_change *known, dh_cell old,
                                  dh_word mine, enum dh_kind kind, struct dh_words const *words) {
    if (words->writes <= 1 && words->reads <= 1) return 0;
    if (is_known(known, old, mine, kind)) return 0;
    dh_cell new = dh_split_make(self, words->write, words->writes, words->read, words->reads);
    if (new != 0) *known = (struct dh_change){old, 0, mine, kind};
    return new;
}

/* The same of a cell of epochs, by a shorter way. */
static inline dh_cell split_epochs(struct dh_thread *self, struct dh_change *known, dh_cell old,
                                   dh_word mine, enum dh_kind kind) {
    if ((dh_cell_write(old) | dh_cell_read(old)) & DH_WORD_OBJECT) return 0;
    if (is_known(known, old, mine, kind)) return 0;
    dh_cell new = dh_split_begin(self, old, mine, kind);
    if (new != 0) *known = (struct dh_change){old, 0, mine, kind};
    return new;
}

static inline __attribute__((always_inline)) bool
change(struct dh_thread *self, dh_cell *cell, dh_word mine, enum dh_kind kind, bool may_split) {
    if (DH_UNLIKELY(!self->sharing)) self->sharing = dh_alloc(sizeof *self->sharing);
    struct dh_change *known = change_of(self, *cell, mine, kind);
    if (is_known(known, *cell, mine, kind) && known->new != 0) {
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
    dh_cell new = may_split ? split_first(self, known, *cell, mine, kind, &words) : 0;
    if (new != 0) {
        *cell = new;
        return true;
    }
    if (!remake(self, &write, words.write, words.writes)
        || !remake(self, &read, words.read, words.reads))
        return false;
    DH_COUNT(self, sets);
    new = dh_cell_of(write, read);
    *known = (struct dh_change){*cell, new, mine, kind};
    *cell = new;
    return true;
}

void dh_parts_remember(struct dh_thread *self, dh_cell cell) {
    dh_word read = dh_cell_read(cell), mine = __dh_tls.epoch;
    if (!dh_word_is_set(read)) return;
    if (dh_word_mask(read) == DH_WORD_BYTES_MASK) __dh_tls.readset = read;
    if (!self->sharing) self->sharing = dh_alloc(sizeof *self->sharing);
    uint32_t count;
    dh_word const *words = dh_set_words(&dh_tables, read, &count);
    for (uint32_t i = 0; i < count; i++)
        if (dh_word_epoch_id(words[i]) == dh_word_epoch_id(mine))
            *dh_parts_known(self->sharing, read) =
                (uint64_t)((read & ~DH_WORD_BYTES_MASK) | dh_word_mask(words[i])) << 32 | mine;
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
    if (kind == DH_READ) dh_parts_remember(self, next);
    return DH_NEWS;
}

enum dh_outcome dh_parts_quick(struct dh_thread *self, dh_cell *at, dh_cell cell, dh_word mine,
                               enum dh_kind kind, bool own) {
    if (dh_cell_is_record(cell)) return DH_UNDECIDED;
    if (dh_cell_is_split(cell)) return dh_split_quick(self, at, cell, mine, kind, own);
    return change_cell(self, at, cell, mine, kind, own);
}
