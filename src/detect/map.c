#include "detect/map.h"

static struct dh_map_entry *place(struct dh_map const *t, uint64_t key) {
    uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (t->room - 1);
    while (t->entries[i].value != 0 && t->entries[i].key != key)
        i = (i + 1) & (t->room - 1);
    return &t->entries[i];
}

uint64_t dh_map_find(struct dh_map const *t, uint64_t key) {
    return t->room ? place(t, key)->value : 0;
}

uint64_t *dh_map_at(struct dh_map *t, struct dh_arena *memory, uint64_t key) {
    if (4 * ((uint64_t)t->count + 1) > 3 * (uint64_t)t->room) {
        struct dh_map old = *t;
        t->room = old.room ? 2 * old.room : 8;
        t->entries = dh_arena_alloc(memory, t->room * sizeof *t->entries);
        for (uint32_t i = 0; i < old.room; i++)
            if (old.entries[i].value != 0) *place(t, old.entries[i].key) = old.entries[i];
        dh_arena_return(memory, old.entries, old.room * sizeof *old.entries);
    }
    struct dh_map_entry *e = place(t, key);
    if (e->value == 0) {
        e->key = key;
        t->count++; /* the caller sets it now */
    }
    return &e->value;
}
