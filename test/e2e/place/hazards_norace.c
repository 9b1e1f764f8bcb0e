/* Hard loops: not a byte more than they access is checked. */
#include "hazards.h"

static void *first(void *unused) {
    (void)unused;
    run_all();
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    open_end[end] = 1;
    leaves[stop + 1] = 1;
    for (int i = 0; i < N; i += 2)
        odd[i] = jumps[i + 1] = irreducible[i + 1] = 1;
    backward[N / 2 + 1] = backward[N / 2 - 1] = backward[1] = 1;
    irreducible[0] = 1;
    for (int i = 4; i < 250; i++)
        wraps[i] = 1;
    wraps[256] = wraps[257] = 1;
    for (int i = 0; i < N; i++)
        fields[i].x = fields[i].z = 1;
    fields[1].y = 1;
    aliased[1] = 1;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
