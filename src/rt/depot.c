#include "rt/depot.h"

enum {
    BUCKETS = 1 << 16,
    WORDS = 1 << 24, /* 128 MB a depot at the most, committed as it fills */
    /* The first items are in buckets of their own, which are in a page or two: most programs have
     * few stacks, and in the large table each would take a page of memory. */
    FIRST_BUCKETS = 1 << 9,
    FIRST_WORDS = 1 << 13,
};

/* An item is: next in bucket (by name), hash, count, values. Its name is its place. */
struct item {
    uint32_t next, count;
    uint64_t hash;
    uint64_t values[];
};

struct dh_depot {
    struct dh_mutex lock;
    uint64_t *words;
    uint32_t used;
    uint32_t first[FIRST_BUCKETS]; /* of what was added while no more than FIRST_WORDS were used */
    uint32_t buckets[BUCKETS];     /* of the others */
};

struct dh_depot dh_stacks_depot DH_TABLE;

static struct item *item_at(struct dh_depot *d, uint32_t name) {
    return (struct item *)(d->words + name);
}

static uint32_t find_in(struct dh_depot *d, uint32_t const *bucket, uint64_t hash,
                        uint64_t const *values, uint32_t count) {
    uint32_t name = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
    for (; name != 0; name = item_at(d, name)->next) {
        struct item *i = item_at(d, name);
        if (i->hash != hash || i->count != count) continue;
        uint32_t same = 0;
        while (same < count && i->values[same] == values[same])
            same++;
        if (same == count) return name;
    }
    return 0;
}

/* Without the lock what was added just now may be missed. */
static uint32_t find(struct dh_depot *d, uint64_t hash, uint64_t const *values, uint32_t count) {
    uint32_t name = find_in(d, &d->first[hash % FIRST_BUCKETS], hash, values, count);
    if (name != 0 || dh_depot_next(d) <= FIRST_WORDS) return name;
    return find_in(d, &d->buckets[hash % BUCKETS], hash, values, count);
}

uint32_t dh_depot_name(struct dh_depot *d, uint64_t hash, uint64_t const *values, uint32_t count) {
    uint32_t name = find(d, hash, values, count);
    if (name != 0) return name;
    uint32_t need = (uint32_t)(sizeof(struct item) / sizeof(uint64_t)) + count;
    dh_mutex_lock(&d->lock);
    if (!d->words) {
        d->words = dh_reserve(WORDS * sizeof *d->words);
        d->used = 2; /* no item is named 0 */
    }
    name = find(d, hash, values, count);
    if (name == 0 && d->words && d->used + need <= WORDS) {
        name = d->used;
        __atomic_store_n(&d->used, name + need, __ATOMIC_RELAXED);
        uint32_t *bucket =
            d->used <= FIRST_WORDS ? &d->first[hash % FIRST_BUCKETS] : &d->buckets[hash % BUCKETS];
        struct item *i = item_at(d, name);
        i->next = *bucket;
        i->count = count;
        i->hash = hash;
        dh_copy(i->values, values, count * sizeof *values);
        __atomic_store_n(bucket, name, __ATOMIC_RELEASE);
    }
    dh_mutex_unlock(&d->lock);
    return name;
}

uint64_t const *dh_depot_values(struct dh_depot *d, uint32_t name, uint32_t *count) {
    *count = name ? item_at(d, name)->count : 0;
    return name ? item_at(d, name)->values : 0;
}

uint32_t dh_depot_next(struct dh_depot *d) { return __atomic_load_n(&d->used, __ATOMIC_ACQUIRE); }
