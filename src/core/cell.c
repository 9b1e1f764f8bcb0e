#include "core/cell.h"

static uint32_t word_entries(dh_word w, enum dh_kind kind, struct dh_tables const *tables,
                             struct dh_entry *list) {
    if (w == 0) return 0;
    uint32_t count = 1;
    uint32_t const *words = &w;
    if (dh_word_is_set(w)) words = dh_set_words(tables, w, &count);
    for (uint32_t i = 0; i < count; i++) {
        dh_epoch_id id = dh_word_epoch_id(words[i]);
        list[i] = (struct dh_entry){
            .epoch = tables->epochs[id],
            .id = id,
            .mask = (uint8_t)dh_word_mask(words[i]),
            .kind = (uint8_t)kind,
        };
    }
    return count;
}

uint32_t dh_cell_entries(dh_cell cell, struct dh_tables const *tables, struct dh_entry *list) {
    uint32_t writes = word_entries(dh_cell_write(cell), DH_WRITE, tables, list);
    return writes + word_entries(dh_cell_read(cell), DH_READ, tables, list + writes);
}

/* Keeps the words in ascending order, so that equal lists are equal arrays. */
static void word_insert(dh_word *words, uint32_t *count, dh_word w) {
    uint32_t at = (*count)++;
    for (; at > 0 && words[at - 1] > w; at--)
        words[at] = words[at - 1];
    words[at] = w;
}

bool dh_entries_words(struct dh_entry const *list, uint32_t count, struct dh_words *words) {
    words->writes = words->reads = 0;
    for (uint32_t i = 0; i < count; i++) {
        dh_word w = dh_word_of_epoch(list[i].id, list[i].mask);
        if (list[i].id == 0) return false;
        if (list[i].kind == DH_WRITE && words->writes < DH_SET_MAX)
            word_insert(words->write, &words->writes, w);
        else if (list[i].kind == DH_READ && words->reads < DH_SET_MAX)
            word_insert(words->read, &words->reads, w);
        else
            return false;
    }
    return true;
}
