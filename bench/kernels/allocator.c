/* A memory allocator with a cache of free blocks a thread and class of sizes, refilled in batches from
 * central lists under a lock. Each thread makes SIZE blocks, writes them, and gives some away through
 * mailboxes: then another thread reads and frees them, into its own cache. To a detector one address is
 * many blocks in a row, in the hands of many threads.
 *
 * Planted: before it takes the lock, a refill looks whether the central list is empty. A thread's first
 * refill comes before all its locks, so that the look of the thread that is second to fill its first
 * class is unordered with what the first one did under the lock. */
#include "kernel.h"

enum { CLASSES = 6, SMALLEST = 32, BATCH = 32, CACHED = 2 * BATCH, MAILBOXES = 16, HELD = 64 };
struct block { /* a free block; used ones are all the user's */
    struct block *next;
};
struct list {
    struct block *first;
    long count;
};
struct central {
    pthread_mutex_t lock;
    struct list list;
};
static struct central centrals[CLASSES];
static _Thread_local struct list caches[CLASSES];
static long from_central[KERNEL_THREADS];
static _Thread_local long refills;

struct letter { /* what a block given away holds */
    uint64_t class, words[2];
};
static struct mailbox {
    pthread_mutex_t lock;
    struct letter *letter;
} mailboxes[MAILBOXES];
static uint64_t sums[KERNEL_THREADS];

static size_t bytes_of(unsigned class) { return (size_t)SMALLEST << class; }

static void push(struct list *l, struct block *b) {
    b->next = l->first;
    l->first = b;
    l->count++;
}
static struct block *pop(struct list *l) {
    struct block *b = l->first;
    l->first = b->next;
    l->count--;
    return b;
}
static void move(struct list *from, struct list *to, long count) {
    while (count-- > 0 && from->count > 0)
        push(to, pop(from));
}

/* New blocks for the central list, cut from a piece of memory. */
static void grow_locked(struct central *c, unsigned class) {
    char *piece = kernel_memory(8 * BATCH * bytes_of(class));
    for (long i = 0; i < 8 * BATCH; i++)
        push(&c->list, (struct block *)(piece + (size_t)i * bytes_of(class)));
}

static void refill(unsigned class) {
    struct central *c = &centrals[class];
#ifdef RACY
    if (c->list.count == 0) refills++; /* planted */
#endif
    pthread_mutex_lock(&c->lock);
    if (c->list.count < BATCH) grow_locked(c, class);
    move(&c->list, &caches[class], BATCH);
    pthread_mutex_unlock(&c->lock);
    refills++;
}

static void *take(unsigned class) {
    if (caches[class].count == 0) refill(class);
    return pop(&caches[class]);
}

static void give(unsigned class, void *p) {
    push(&caches[class], p);
    if (caches[class].count <= CACHED) return;
    struct central *c = &centrals[class];
    pthread_mutex_lock(&c->lock);
    move(&caches[class], &c->list, BATCH);
    pthread_mutex_unlock(&c->lock);
}

static uint64_t read_letter(struct letter *l) {
    uint64_t sum = kernel_mix(l->words[0]) ^ l->words[1];
    give((unsigned)l->class, l);
    return sum;
}

/* Leaves a letter and takes what was there. */
static struct letter *exchange(struct mailbox *m, struct letter *new) {
    pthread_mutex_lock(&m->lock);
    struct letter *old = m->letter;
    m->letter = new;
    pthread_mutex_unlock(&m->lock);
    return old;
}

static void *work(void *argument) {
    int me = (int)(intptr_t)argument;
    uint64_t seed = (uint64_t)me, sum = 0;
    struct letter *held[HELD] = {NULL};
    for (unsigned class = 0; class < CLASSES; class ++)
        refill(class);
    for (long i = 0; i < size; i++) {
        uint64_t random = kernel_random(&seed);
        unsigned class = random % CLASSES;
        struct letter *l = take(class);
        memset(l, 0, bytes_of(class));
        *l = (struct letter){class, {random, random >> 7}};
        struct letter **place = &held[random >> 8 & (HELD - 1)], *old = *place;
        *place = l;
        if (old && random >> 60 < 4)
            old = exchange(&mailboxes[random >> 20 & (MAILBOXES - 1)], old);
        if (old) sum += read_letter(old);
    }
    for (int i = 0; i < HELD; i++)
        if (held[i]) sum += read_letter(held[i]);
    sums[me] = sum;
    from_central[me] = refills;
    return NULL;
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 1);
    for (int i = 0; i < CLASSES; i++)
        pthread_mutex_init(&centrals[i].lock, NULL);
    for (int i = 0; i < MAILBOXES; i++)
        pthread_mutex_init(&mailboxes[i].lock, NULL);
    kernel_run(work);
    uint64_t sum = 0;
    for (int t = 0; t < threads; t++)
        sum += sums[t];
    for (int i = 0; i < MAILBOXES; i++)
        if (mailboxes[i].letter) sum += read_letter(mailboxes[i].letter);
    for (int t = 0; t < threads; t++)
        if (from_central[t] == 0) sum = 0; /* nobody gets by without the central lists */
    return kernel_print("allocator", sum);
}
