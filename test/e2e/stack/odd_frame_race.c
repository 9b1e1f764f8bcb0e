/* EXPECT: ^  Write of size 8 at .* by thread T2:$
 * EXPECT: ^    #0 fill_1 */
#include "stack/odd_frame.h"

static void *first(void *unused) {
    fill_all(area);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    fill_all(area);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
