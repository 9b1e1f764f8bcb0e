/* What another thread did there is forgotten, at both ends and in between. What it did beside that is not touched. */
#include "annotate/new_memory.h"

static void *first(void *unused) {
    for (unsigned i = 0; i < sizeof pool; i++)
        pool[i] = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    renew();
    for (int i = FROM; i < TO; i++)
        pool[i]++;
    for (int i = INSIDE; i < INSIDE + FEW; i++)
        pool[i]++;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
