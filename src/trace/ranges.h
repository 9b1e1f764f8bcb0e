/* The live blocks of memory: ranges of addresses that do not overlap.
 *
 * They are the leaves of a binary trie over their first address in which every inner node tells two
 * leaves apart, by the highest bit in which they differ: no deeper than 64, whatever the addresses,
 * and in order.
 */
#ifndef DEADHEAT_TRACE_RANGES_H
#define DEADHEAT_TRACE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

struct dh_range {
    uint64_t first, size; /* size is not 0, and first + size does not wrap */
};

struct dh_range_node; /* an inner node, or a leaf, which has the lowest bit set */
struct dh_ranges {
    struct dh_range_node *root;
};

/* False, and nothing is done: it overlaps *with, which is there. Out of memory ends the tool. */
bool dh_ranges_add(struct dh_ranges *ranges, struct dh_range range, struct dh_range *with);

/* False, and nothing is done: there is no such range, first and size. */
bool dh_ranges_remove(struct dh_ranges *ranges, struct dh_range range);

void dh_ranges_free(struct dh_ranges *ranges);

#endif
