/* A B-tree with a lock in every node, taken hand over hand: insertion splits full nodes on its way down,
 * so that it never holds more than a node, its child and a new sibling. Each thread inserts SIZE keys of
 * its own and looks up as many of them.
 *
 * Planted: the threads' counts of nodes that they made are added up without the lock. */
#include "kernel.h"

enum { KEYS = 31 }; /* an odd number: a full node has a middle */
struct node {
    pthread_mutex_t lock;
    int count, leaf;
    uint64_t keys[KEYS];
    struct node *children[KEYS + 1];
};
static struct node *root;
static pthread_mutex_t root_lock = PTHREAD_MUTEX_INITIALIZER;
static long nodes; /* under root_lock */
static _Thread_local long made;

static struct node *node_new(int leaf) {
    struct node *n = kernel_memory(sizeof *n);
    pthread_mutex_init(&n->lock, NULL);
    n->leaf = leaf;
    made++;
    return n;
}

static int position(struct node const *n, uint64_t key) {
    int i = 0;
    while (i < n->count && n->keys[i] < key)
        i++;
    return i;
}

/* Splits a full child; both are locked, and the parent has room. The new node is not locked. */
static void split_locked(struct node *parent, int at, struct node *child) {
    int const half = KEYS / 2;
    struct node *right = node_new(child->leaf);
    right->count = half;
    memcpy(right->keys, child->keys + half + 1, half * sizeof *right->keys);
    if (!child->leaf)
        memcpy(right->children, child->children + half + 1, (half + 1) * sizeof *right->children);
    child->count = half;
    for (int i = parent->count; i > at; i--) {
        parent->keys[i] = parent->keys[i - 1];
        parent->children[i + 1] = parent->children[i];
    }
    parent->keys[at] = child->keys[half];
    parent->children[at + 1] = right;
    parent->count++;
}

/* The root, locked. The root's own lock is taken before root_lock is given back. */
static struct node *root_locked(int with_room) {
    pthread_mutex_lock(&root_lock);
    struct node *n = root;
    pthread_mutex_lock(&n->lock);
    if (with_room && n->count == KEYS) {
        struct node *above = node_new(0);
        above->children[0] = n;
        split_locked(above, 0, n);
        pthread_mutex_unlock(&n->lock);
        pthread_mutex_lock(&above->lock);
        root = n = above;
    }
    pthread_mutex_unlock(&root_lock);
    return n;
}

static void insert(uint64_t key) {
    struct node *n = root_locked(1);
    while (!n->leaf) {
        int i = position(n, key);
        struct node *child = n->children[i];
        pthread_mutex_lock(&child->lock);
        if (child->count == KEYS) {
            split_locked(n, i, child);
            if (n->keys[i] < key) {
                pthread_mutex_unlock(&child->lock);
                child = n->children[i + 1];
                pthread_mutex_lock(&child->lock);
            }
        }
        pthread_mutex_unlock(&n->lock);
        n = child;
    }
    int i = position(n, key);
    for (int j = n->count; j > i; j--)
        n->keys[j] = n->keys[j - 1];
    n->keys[i] = key;
    n->count++;
    pthread_mutex_unlock(&n->lock);
}

static int lookup(uint64_t key) {
    struct node *n = root_locked(0);
    for (;;) {
        int i = position(n, key), found = i < n->count && n->keys[i] == key;
        struct node *child = found || n->leaf ? NULL : n->children[i];
        if (child) pthread_mutex_lock(&child->lock);
        pthread_mutex_unlock(&n->lock);
        if (!child) return found;
        n = child;
    }
}

/* Different for all threads and all i. */
static uint64_t key_of(uint64_t me, uint64_t i) {
    return kernel_mix(i * (uint64_t)threads + me + 1) | 1;
}

static void *work(void *argument) {
    uint64_t me = (uint64_t)(intptr_t)argument, seed = me;
    for (uint64_t i = 0; i < (uint64_t)size; i++) {
        insert(key_of(me, i));
        if (!lookup(key_of(me, kernel_random(&seed) % (i + 1)))) abort();
    }
#ifdef RACY
    nodes += made; /* planted */
#else
    pthread_mutex_lock(&root_lock);
    nodes += made;
    pthread_mutex_unlock(&root_lock);
#endif
    return NULL;
}

static uint64_t previous, sum;

static void visit(uint64_t key) {
    if (key <= previous) abort();
    previous = key;
    sum = kernel_mix(sum + key);
}
static void walk(struct node const *n) {
    for (int i = 0; i < n->count; i++) {
        if (!n->leaf) walk(n->children[i]);
        visit(n->keys[i]);
    }
    if (!n->leaf) walk(n->children[n->count]);
}

int main(int argc, char **argv) {
    kernel_arguments(argc, argv, 1);
    root = node_new(1);
    kernel_run(work);
    if (nodes < 0) abort();
    walk(root);
    return kernel_print("btree", sum);
}
