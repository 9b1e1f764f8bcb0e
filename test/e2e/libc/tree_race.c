/* A tree is walked through, by a pointer to it that is the thread's own, while another thread adds to it. */
// FLAGS: -D_GNU_SOURCE
#include "test.h"

#include <search.h>

static void *root, *found; /* the same tree */
static int one = 1, two = 2;

static int by_value(void const *a, void const *b) { return *(int const *)a - *(int const *)b; }
static void visit(void const *node, VISIT when, int depth) { (void)node, (void)when, (void)depth; }

static void *walk(void *unused) {
    twalk(found, visit);
    step();
    return unused;
}

static void *add(void *unused) {
    step();
    tsearch(&two, &root, by_value); // RACE
    return unused;
}

int main(void) {
    tsearch(&one, &root, by_value);
    found = root;
    run_two(walk, add);
    return 0;
}
