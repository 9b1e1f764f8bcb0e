/* A tree is walked through, and added to, under a lock. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <search.h>

static void *root, *found; /* the same tree */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int one = 1, two = 2;

static int by_value(void const *a, void const *b) { return *(int const *)a - *(int const *)b; }
static void visit(void const *node, VISIT when, int depth) { (void)node, (void)when, (void)depth; }

static void *walk(void *unused) {
    pthread_mutex_lock(&lock);
    twalk(found, visit);
    pthread_mutex_unlock(&lock);
    step();
    return unused;
}

static void *add(void *unused) {
    step();
    pthread_mutex_lock(&lock);
    tsearch(&two, &root, by_value);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    tsearch(&one, &root, by_value);
    found = root;
    run_two(walk, add);
    return 0;
}
