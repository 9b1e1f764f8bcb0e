/* A hash table from pairs of numbers to a number that is not 0. It grows with what is in it. */
#ifndef DEADHEAT_TRACE_TABLE_H
#define DEADHEAT_TRACE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct dh_table_entry {
    uint64_t a, b;
    uint64_t value; /* 0: nothing is here */
};

/* Open addressing: an entry is at its hash or after it, with no gap between. All zero is an empty
 * table. */
struct dh_table {
    struct dh_table_entry *entry;
    size_t room; /* a power of two, or 0 */
    size_t count;
};

/* Null if it is not there. Valid until the next change. */
uint64_t *dh_table_find(struct dh_table const *table, uint64_t a, uint64_t b);
/* Finds it or makes it, then with value 0: the caller sets another before anything else is done.
 * Out of memory ends the tool. */
uint64_t *dh_table_at(struct dh_table *table, uint64_t a, uint64_t b);
void dh_table_remove(struct dh_table *table, uint64_t a, uint64_t b);
void dh_table_free(struct dh_table *table);

#endif
