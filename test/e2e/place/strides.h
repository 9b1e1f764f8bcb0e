/* One field of each element, by one thread each: blocks of shadow say that in strides. What differs between the two
 * programs is which field the second thread has. */
#include "test.h"

enum { N = 3000 };
struct cell {
    double mine, yours;
    int half, other;
} cells[N];
double result;

__attribute__((noinline)) void fill(struct cell *p, int n) {
    for (int i = 0; i < n; i++)
        p[i].mine = i;
}
__attribute__((noinline)) void fill_other(struct cell *p, int n) {
    for (int i = n - 1; i >= 0; i--)
        p[i].other = i;
}
__attribute__((noinline)) double sum(struct cell const *p, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p[i].yours;
    return s;
}

static void *first(void *unused) {
    (void)unused;
    fill(cells, N);
    fill_other(cells, N);
    result = sum(cells, N);
    step();
    step();
    fill(cells, N);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    use(cells);
    step();
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
