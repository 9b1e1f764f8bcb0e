/* EXPECT: ^  Read of size 8 at .* by thread T2:$
 * EXPECT: ^  Previous write of size 8 at .* by thread T1:$
 * EXPECT: ^  Write of size 8 at .* by thread T2:$
 * EXPECT: ^  Previous read of size 8 at .* by thread T1:$
 * EXPECT: ^deadheat: 2 races reported
 */
#include "visits.h"

static void *first(void *unused) {
    (void)unused;
    long sum = visit();
    step();
    return (void *)sum;
}

static void *second(void *unused) {
    (void)unused;
    step();
    long read = get(WRITTEN);
    put(VISITED, read);
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
