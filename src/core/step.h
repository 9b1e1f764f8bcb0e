/* One plain access to a cell whose state before and after needs no set: the rules of FastTrack, in
 * the paper's words. The runtime's slow path and the replay detectors both go through here;
 * everything is inline because the first access of each epoch to each location does.
 */
#ifndef DEADHEAT_CORE_STEP_H
#define DEADHEAT_CORE_STEP_H

#include "core/cell.h"

/* The word's epoch is ordered before the view, or it is the accessing thread's own. */
static inline bool dh_word_ordered(dh_word w, struct dh_view const *view,
                                   struct dh_tables const *tables) {
    return dh_epoch_before(tables->epochs[dh_word_epoch_id(w)], view);
}

static inline void dh_race_with(struct dh_verdict *verdict, dh_word w, unsigned bytes,
                                enum dh_kind kind, struct dh_tables const *tables) {
    dh_verdict_race(verdict, bytes, tables->epochs[dh_word_epoch_id(w)], (uint8_t)kind);
}

/* The rules of FastTrack for a cell whose words are both epochs or none. Bytes of the old word
 * outside the access must survive with their old epoch: where that takes two words, the general
 * form does it. */
static inline bool dh_step_read(dh_word write, dh_word *read, struct dh_access const *a,
                                struct dh_view const *view, struct dh_tables const *tables,
                                struct dh_verdict *verdict) {
    dh_word mine = dh_word_of_epoch(a->id, a->mask);
    dh_word old = *read;
    if (old != 0) {
        if (dh_word_epoch_id(old) == a->id) {
            if ((a->mask & ~old) == 0) return true; /* READSAMEEPOCH */
            mine |= old;
        } else if ((old & DH_WORD_BYTES_MASK & ~(dh_word)a->mask) != 0
                   || !dh_word_ordered(old, view, tables)) {
            return false; /* READSHARE, or bytes read at different times */
        }
    }
    unsigned shared = write & a->mask;
    if (shared != 0 && dh_word_epoch_id(write) != a->id && !dh_word_ordered(write, view, tables))
        dh_race_with(verdict, write, shared, DH_WRITE, tables);
    *read = mine; /* READEXCLUSIVE */
    verdict->changed = true;
    return true;
}

static inline bool dh_step_write(dh_word *write, dh_word *read, struct dh_access const *a,
                                 struct dh_view const *view, struct dh_tables const *tables,
                                 struct dh_verdict *verdict) {
    dh_word mine = dh_word_of_epoch(a->id, a->mask);
    dh_word old = *write;
    if (old != 0) {
        if (dh_word_epoch_id(old) == a->id) {
            if ((a->mask & ~old) == 0) return true; /* WRITESAMEEPOCH */
            mine |= old;
        } else {
            if ((old & DH_WORD_BYTES_MASK & ~(dh_word)a->mask) != 0) return false;
            if (!dh_word_ordered(old, view, tables))
                dh_race_with(verdict, old, dh_word_mask(old), DH_WRITE, tables);
        }
    }
    dh_word reader = *read;
    unsigned shared = reader & a->mask;
    if (shared != 0 && dh_word_epoch_id(reader) != a->id) {
        if (!dh_word_ordered(reader, view, tables))
            dh_race_with(verdict, reader, shared, DH_READ, tables);
        reader &= ~(dh_word)shared; /* WRITESHARED: the write now stands for those reads */
        *read = dh_word_mask(reader) != 0 ? reader : 0;
    }
    *write = mine; /* WRITEEXCLUSIVE */
    verdict->changed = true;
    return true;
}

/* False: the general form (dh_entries_step) is needed, nothing was decided. */
static inline bool dh_cell_step(dh_cell *cell, struct dh_access access, struct dh_view const *view,
                                struct dh_tables const *tables, struct dh_verdict *verdict) {
    dh_word write = dh_cell_write(*cell), read = dh_cell_read(*cell);
    dh_verdict_begin(verdict);
    if ((write | read) & DH_WORD_OBJECT || access.id == 0) return false;
    bool done = access.kind == DH_READ
                    ? dh_step_read(write, &read, &access, view, tables, verdict)
                    : dh_step_write(&write, &read, &access, view, tables, verdict);
    if (done) *cell = dh_cell_of(write, read);
    return done;
}

#endif
