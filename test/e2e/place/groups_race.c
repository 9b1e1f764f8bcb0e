/* One check stands for accesses to several fields: a report names the one that races, on both sides, by its own
 * line.
 *
 * FLAGS: -g
 * EXPECT: ^ *#0 .*sum.* .*groups_race.c:23
 * EXPECT: ^ *#0 .*fill.* .*groups_race.c:30
 * EXPECT: ^ *#0 .*total.* .*groups_race.c:38
 * EXPECT: 3 races reported .3 occurrences. */
#include "test.h"

struct point {
    double x, y, z;
    int a, b, c;
};
struct point p, n;
double result;

/* The others are not touched by the second thread, but for the one on its own line. */
__attribute__((noinline)) double sum(struct point const *q) {
    double s;
    s = q->x;
    s +=
        q->y;
    s += q->z + q->a;
    return s;
}

__attribute__((noinline)) void fill(struct point *q) {
    q->a = 1;
    q->b = 2;
    q->c = 3;
}

/* Words that share cells. */
__attribute__((noinline)) int total(struct point const *q) {
    int s = q->a;
    s +=
        q->b;
    return s + q->c;
}

static void *first(void *unused) {
    (void)unused;
    result = sum(&p);
    result += total(&n);
    step();
    step();
    fill(&p);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    p.y = 1;
    p.b = 4;
    n.b = 4;
    step();
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
