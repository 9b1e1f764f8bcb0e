#include "trace/ranges.h"

#include "util/diag.h"

#include <stdlib.h>

struct dh_range_node {
    int bit; /* of the first address: 0 in all leaves of child[0], 1 in all of child[1] */
    struct dh_range_node *child[2];
};

static bool is_leaf(struct dh_range_node const *node) { return (uintptr_t)node & 1; }

static struct dh_range *leaf_of(struct dh_range_node const *node) {
    return (struct dh_range *)((uintptr_t)node - 1);
}

static struct dh_range_node *node_of(struct dh_range *leaf) {
    return (struct dh_range_node *)((uintptr_t)leaf + 1);
}

static int side(struct dh_range_node const *node, uint64_t address) {
    return address >> node->bit & 1;
}

static void *get(size_t size) {
    void *memory = malloc(size);
    if (!memory) dh_fail("out of memory");
    return memory;
}

/* The highest bit in which the address differs from all leaves with which it agrees longest; -1: it
 * is the first address of one. There is a root. */
static int parting(struct dh_ranges const *ranges, uint64_t address) {
    struct dh_range_node const *node = ranges->root;
    while (!is_leaf(node))
        node = node->child[side(node, address)];
    uint64_t differ = leaf_of(node)->first ^ address;
    return differ ? 63 - __builtin_clzll(differ) : -1;
}

/* The last range that begins at or before the address, or null. */
static struct dh_range *last_before(struct dh_ranges const *ranges, uint64_t address) {
    if (!ranges->root) return NULL;
    int bit = parting(ranges, address);
    struct dh_range_node const *node = ranges->root, *before = NULL;
    while (!is_leaf(node) && node->bit > bit) {
        if (side(node, address)) before = node->child[0];
        node = node->child[side(node, address)];
    }
    /* All leaves below agree with the address above `bit`, and differ from it there. */
    if (bit >= 0 && !(address >> bit & 1)) node = before;
    if (!node) return NULL;
    while (!is_leaf(node))
        node = node->child[1];
    return leaf_of(node);
}

bool dh_ranges_add(struct dh_ranges *ranges, struct dh_range range, struct dh_range *with) {
    struct dh_range *before = last_before(ranges, range.first + (range.size - 1));
    if (before && before->first + before->size > range.first) {
        *with = *before;
        return false;
    }
    struct dh_range *leaf = get(sizeof *leaf);
    *leaf = range;
    if (!ranges->root) {
        ranges->root = node_of(leaf);
        return true;
    }
    int bit = parting(ranges, range.first);
    struct dh_range_node **at = &ranges->root;
    while (!is_leaf(*at) && (*at)->bit > bit)
        at = &(*at)->child[side(*at, range.first)];
    struct dh_range_node *node = get(sizeof *node);
    node->bit = bit;
    node->child[side(node, range.first)] = node_of(leaf);
    node->child[!side(node, range.first)] = *at;
    *at = node;
    return true;
}

bool dh_ranges_remove(struct dh_ranges *ranges, struct dh_range range) {
    if (!ranges->root) return false;
    struct dh_range_node **at = &ranges->root, **above = NULL;
    while (!is_leaf(*at)) {
        above = at;
        at = &(*at)->child[side(*at, range.first)];
    }
    struct dh_range *leaf = leaf_of(*at);
    if (leaf->first != range.first || leaf->size != range.size) return false;
    if (above) {
        struct dh_range_node *parent = *above;
        *above = parent->child[!side(parent, range.first)];
        free(parent);
    } else {
        ranges->root = NULL;
    }
    free(leaf);
    return true;
}

static void free_node(struct dh_range_node *node) {
    if (is_leaf(node)) {
        free(leaf_of(node));
        return;
    }
    free_node(node->child[0]);
    free_node(node->child[1]);
    free(node);
}

void dh_ranges_free(struct dh_ranges *ranges) {
    if (ranges->root) free_node(ranges->root);
    ranges->root = NULL;
}
