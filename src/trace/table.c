#include "trace/table.h"

#include "util/diag.h"

#include <stdlib.h>

static size_t home(struct dh_table const *table, uint64_t a, uint64_t b) {
    uint64_t h = (a ^ (b << 32 | b >> 32)) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    return (h ^ h >> 32) & (table->room - 1);
}

/* Where it is, or where it would go. There is a gap somewhere. */
static size_t seek(struct dh_table const *table, uint64_t a, uint64_t b) {
    size_t i = home(table, a, b);
    while (table->entry[i].value != 0 && (table->entry[i].a != a || table->entry[i].b != b))
        i = (i + 1) & (table->room - 1);
    return i;
}

static void grow(struct dh_table *table) {
    struct dh_table old = *table;
    table->room = old.room ? 2 * old.room : 16;
    table->entry = calloc(table->room, sizeof *table->entry);
    if (!table->entry) dh_fail("out of memory");
    for (size_t i = 0; i < old.room; i++) {
        if (old.entry[i].value == 0) continue;
        table->entry[seek(table, old.entry[i].a, old.entry[i].b)] = old.entry[i];
    }
    free(old.entry);
}

uint64_t *dh_table_find(struct dh_table const *table, uint64_t a, uint64_t b) {
    if (table->count == 0) return NULL;
    struct dh_table_entry *entry = &table->entry[seek(table, a, b)];
    return entry->value ? &entry->value : NULL;
}

uint64_t *dh_table_at(struct dh_table *table, uint64_t a, uint64_t b) {
    if (4 * (table->count + 1) > 3 * table->room) grow(table);
    struct dh_table_entry *entry = &table->entry[seek(table, a, b)];
    if (entry->value == 0) {
        *entry = (struct dh_table_entry){a, b, 0};
        table->count++;
    }
    return &entry->value;
}

/* Entries after the gap that would no longer be found move into it. */
void dh_table_remove(struct dh_table *table, uint64_t a, uint64_t b) {
    if (table->count == 0) return;
    size_t mask = table->room - 1, gap = seek(table, a, b);
    if (table->entry[gap].value == 0) return;
    table->count--;
    for (size_t i = (gap + 1) & mask; table->entry[i].value != 0; i = (i + 1) & mask) {
        size_t from_home = (i - home(table, table->entry[i].a, table->entry[i].b)) & mask;
        if (from_home < ((i - gap) & mask)) continue;
        table->entry[gap] = table->entry[i];
        gap = i;
    }
    table->entry[gap].value = 0;
}

void dh_table_free(struct dh_table *table) {
    free(table->entry);
    *table = (struct dh_table){0};
}
