/* EXPECT: ^  Write of size 16 at .* by thread T2:$
 * EXPECT: ^  Previous write of size 1 at .* by thread T1:$
 * EXPECT: ^deadheat: 32 races reported
 */
#include "called.h"

static void *first(void *unused) {
    (void)unused;
    long sum = use();
    step();
    return (void *)sum;
}

static void *second(void *unused) {
    (void)unused;
    step();
    return (void *)use_otherwise();
}

int main(void) {
    run_two(first, second);
    return 0;
}
