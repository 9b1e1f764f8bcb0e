/* Two threads sweep through the same memory at once, in loops whose checks stand before them, and never touch the
 * same byte: halves side by side, every other element, one field each, backwards, and reading together. */
#include "test.h"

enum { COUNT = 1001 };
struct {
    long a, b;
} pairs[COUNT];
int halves[COUNT], stripes[COUNT], both[COUNT];
short back[COUNT];
long sums[2][8];

static void sweep(int me, int count) {
    int from = me ? count / 2 : 0, to = me ? count : count / 2;
    long sum = 0;
    for (int i = from; i < to; i++)
        halves[i] = i;
    for (int i = me; i < count; i += 2)
        stripes[i] = i;
    for (int i = to; i-- > from;)
        back[i] = 1;
    if (me == 0)
        for (int i = 0; i < count; i++)
            pairs[i].a = i;
    else
        for (int i = 0; i < count; i++)
            pairs[i].b = i;
    for (int i = 0; i < count; i++)
        sum += both[i];
    sums[me][0] = sum;
}

static void *first(void *unused) {
    (void)unused;
    sweep(0, COUNT);
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    sweep(1, COUNT);
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
