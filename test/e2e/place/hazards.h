/* Loops and addresses of which it is hard to say before what they access. The first thread runs each; the second
 * then writes to bytes that they access, or that they do not (hazards_race.c, hazards_norace.c). */
#include "test.h"

enum { N = 512 };
int open_end[N], leaves[N], odd[N], backward[N], jumps[N], irreducible[N];
unsigned char wraps[2 * N];
struct triple {
    int x, y, z;
} fields[N];
int aliased[2];
int end = 8, stop = 8;

/* The bound may change while it runs. */
__attribute__((noinline)) void with_open_end(int *a, int const *n) {
    for (int i = 0; i < *n; i++) a[i] = i;
}

__attribute__((noinline)) void that_leaves(int *a, int n) {
    for (int i = 0; i < n; i++) {
        a[i] = i;
        if (i == stop) break;
    }
}

__attribute__((noinline)) void every_second(int *a, int n) {
    for (int i = 0; i < n; i++)
        if (i % 2) a[i] = i;
}

__attribute__((noinline)) void going_back(int *a, int n) {
    for (int i = 0; i > -n; i--) a[2 * i] = i;
}

/* 250..255, then 0..3. */
__attribute__((noinline)) void wrapping(unsigned char *a, unsigned char from, int n) {
    for (int i = 0; i < n; i++) a[from++] = 1;
}

__attribute__((noinline)) void one_field(struct triple *t, int n) {
    for (int i = 0; i < n; i += 2) t[i].y = i;
}

__attribute__((noinline)) void computed_goto(int *a, int n) {
    static void *const labels[] = {&&more, &&done};
    int i = 0;
more:
    a[i] = i;
    i += 2;
    goto *labels[i >= n];
done:
    return;
}

/* Two ways into one cycle. */
__attribute__((noinline)) void two_ways_in(int *a, int n, int second) {
    int i = 0;
    if (second) goto inside;
again:
    a[i] = i;
inside:
    i += 2;
    if (i < n) goto again;
}

/* The same place by two pointers, of which the compiler knows nothing. */
__attribute__((noinline)) int two_pointers(int const *p, int *q) {
    int r = *p;
    *q = r + 1;
    return r + *p;
}

static void run_all(void) {
    with_open_end(open_end, &end);
    that_leaves(leaves, N);
    every_second(odd, N);
    going_back(backward + N / 2, N / 4);
    wrapping(wraps, 250, 10);
    one_field(fields, N);
    computed_goto(jumps, N);
    two_ways_in(irreducible, N, 1);
    two_pointers(aliased, aliased);
}
