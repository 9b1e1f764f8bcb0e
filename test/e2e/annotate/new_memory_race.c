/* What is beside new memory keeps its history; and to make memory new is to write it.
 * EXPECT: ^  Write of size 1 at .* by thread T2:$
 * EXPECT: ^deadheat: 8 races reported
 */
#include "annotate/new_memory.h"

static void *first(void *unused) {
    pool[FROM - 1] = 1;
    pool[TO] = 1;
    pool[INSIDE - 1] = 1;
    pool[INSIDE + FEW] = 1;
    step();
    step();
    pool[FROM] = 1;
    pool[TO - 1] = 1;
    pool[INSIDE] = 1;
    pool[INSIDE + FEW - 1] = 1;
    return unused;
}

static void *second(void *unused) {
    step();
    renew();
    pool[FROM - 1] = 2;
    pool[TO] = 2;
    pool[INSIDE - 1] = 2;
    pool[INSIDE + FEW] = 2;
    step();
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
