/* A race four hundred thousand frames deep.
 * EXPECT: #0 bottom
 * EXPECT: #1 deep
 */
#include "deep_recursion.h"

int x;

static __attribute__((noinline)) void bottom(void) { x = 1; }

static void *first(void *unused) {
    deep(DEPTH, bottom);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    deep(DEPTH, bottom);
    return unused;
}

int main(void) {
    steps(2);
    pthread_t a = spawn_deep(first), b = spawn_deep(second);
    join(a);
    join(b);
    return 0;
}
