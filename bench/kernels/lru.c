/* A cache that forgets what was used least recently: shards with a lock, a hash table and a list each.
 * Every thread asks for SIZE keys, popular ones more often; what is not there is computed, outside the
 * lock, and put in. What is found depends on the schedule; what is returned does not.
 *
 * Planted: the requests of all threads are added up without a lock. */
#include "kernel.h"

enum { SHARDS = 8, BUCKETS = 512, ROOM = 256, KEYS = 4096, WORDS = 8 };
struct item {
    uint64_t key, value[WORDS];
    struct item *next;          /* in its bucket */
    struct item *newer, *older; /* in the order of use */
};
struct shard {
    pthread_mutex_t lock;
    long items;
    struct item *buckets[BUCKETS];
    struct item ring; /* newer: the least recently used; older: the most recently used */
};
static struct shard shards[SHARDS];
static uint64_t sums[KERNEL_THREADS];
#ifdef RACY
static long requests;
#endif

static void unlink_item(struct item *i) {
    i->newer->older = i->older;
    i->older->newer = i->newer;
}
static void link_newest(struct shard *s, struct item *i) {
    i->older = s->ring.older;
    i->newer = &s->ring;
    i->older->newer = i;
    s->ring.older = i;
}
static struct item **find(struct shard *s, uint64_t key) {
    struct item **at = &s->buckets[kernel_mix(key) / SHARDS % BUCKETS];
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    return at;
}

/* Makes room: the least recently used item, taken out, or a new one. */
static struct item *item_locked(struct shard *s) {
    if (s->items < ROOM) {
        s->items++;
        return kernel_memory(sizeof(struct item));
    }
    struct item *oldest = s->ring.newer;
    unlink_item(oldest);
    *find(s, oldest->key) = oldest->next;
    return oldest;
}

static int get(struct shard *s, uint64_t key, uint64_t value[WORDS]) {
    pthread_mutex_lock(&s->lock);
    struct item *i = *find(s, key);
    if (i) {
        unlink_item(i);
        link_newest(s, i);
        memcpy(value, i->value, sizeof i->value);
    }
    pthread_mutex_unlock(&s->lock);
    return i != NULL;
}

static void put(struct shard *s, uint64_t key, uint64_t const value[WORDS]) {
    pthread_mutex_lock(&s->lock);
    struct item **at = find(s, key);
    if (!*at) { /* nobody was quicker */
        struct item *i = item_locked(s);
        at = find(s, key); /* taking one out may have changed the bucket */
        i->key = key;
        i->next = *at;
        memcpy(i->value, value, sizeof i->value);
        *at = i;
        link_newest(s, i);
    }
    pthread_mutex_unlock(&s->lock);
}

static void compute(uint64_t key, uint64_t value[WORDS]) {
    for (int i = 0; i < WORDS; i++)
        value[i] = kernel_random(&key);
}

static void request(uint64_t key, uint64_t *sum) {
    struct shard *s = &shards[kernel_mix(key) % SHARDS];
    uint64_t value[WORDS];
    if (!get(s, key, value)) {
        compute(key, value);
        put(s, key, value);
    }
    for (int i = 0; i < WORDS; i++)
        *sum += value[i];
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    uint64_t seed = (uint64_t)me, sum = 0;
    for (long i = 0; i < size; i++) {
        uint64_t a = kernel_random(&seed) % KEYS, b = kernel_random(&seed) % KEYS;
        request(a * b / KEYS, &sum);
    }
    sums[me] = sum;
#ifdef RACY
    requests += size; /* planted */
#endif
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 1);
    for (int i = 0; i < SHARDS; i++) {
        pthread_mutex_init(&shards[i].lock, NULL);
        shards[i].ring.newer = shards[i].ring.older = &shards[i].ring;
    }
    kernel_run(work);
    uint64_t sum = 0;
    for (int t = 0; t < threads; t++)
        sum += sums[t];
    return kernel_print("lru", sum);
}
