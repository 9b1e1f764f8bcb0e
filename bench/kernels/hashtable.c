/* A hash table with a lock for every stripe of buckets. Each thread does SIZE operations: it adds to the
 * values of keys that all share, and inserts and removes keys of its own.
 *
 * Planted: how many entries there are is counted outside the locks, the last time after the thread's
 * last unlock. */
#include "kernel.h"

enum { STRIPES = 64, BUCKETS = 1 << 14, SHARED = 1 << 12 };
struct entry {
    uint64_t key, value;
    struct entry *next;
};
static struct entry *buckets[BUCKETS];
static pthread_mutex_t locks[STRIPES];
static long counts[STRIPES]; /* entries, under the stripe's lock */
#ifdef RACY
static long all_entries;
#endif

static struct entry **find(uint64_t key) {
    struct entry **at = &buckets[kernel_mix(key) % BUCKETS];
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    return at;
}
static size_t stripe_of(uint64_t key) { return kernel_mix(key) % BUCKETS % STRIPES; }

static void add(uint64_t key, uint64_t value) {
    size_t stripe = stripe_of(key);
    pthread_mutex_lock(&locks[stripe]);
    struct entry **at = find(key);
    if (!*at) {
        *at = kernel_memory(sizeof **at);
        (*at)->key = key;
        counts[stripe]++;
    }
    (*at)->value += value;
    pthread_mutex_unlock(&locks[stripe]);
#ifdef RACY
    all_entries++; /* planted */
#endif
}

static void drop(uint64_t key) {
    size_t stripe = stripe_of(key);
    pthread_mutex_lock(&locks[stripe]);
    struct entry **at = find(key), *entry = *at;
    if (entry) {
        *at = entry->next;
        counts[stripe]--;
    }
    pthread_mutex_unlock(&locks[stripe]);
    free(entry);
}

static void *work(void *argument) {
    uint64_t me = (uint64_t)(intptr_t)argument, seed = me, own = (me + 1) << 32;
    for (long i = 0; i < size; i++) {
        uint64_t random = kernel_random(&seed), low = own + random % SHARED;
        switch (random >> 62) {
        case 0: drop(low); break;
        case 1: add(low, 1); break;
        default: add(random % SHARED, random >> 32);
        }
    }
    add(0, 1);
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 1);
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&locks[i], NULL);
    kernel_run(work);
    uint64_t sum = 0;
    for (int i = 0; i < STRIPES; i++)
        sum += (uint64_t)counts[i];
    for (int i = 0; i < BUCKETS; i++)
        for (struct entry *e = buckets[i]; e; e = e->next)
            sum += kernel_mix(e->key ^ kernel_mix(e->value));
    return kernel_print("hashtable", sum);
}
