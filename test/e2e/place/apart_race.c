/* One check stands for accesses to fields with others between them: a report names the one that races, by its own
 * line, whether the rest is on record or not.
 *
 * FLAGS: -g
 * EXPECT: ^ *#0 .*sum.* .*apart_race.c:23
 * EXPECT: ^ *#0 .*fill.* .*apart_race.c:29
 * EXPECT: ^ *#0 .*again.* .*apart_race.c:35
 * EXPECT: 3 races reported */
#include "test.h"

struct point {
    double x, y, z, u, v;
    long w;
};
struct point p, o, r;
double result;

/* The others are not touched by the second thread, but for those between them and the one on its own line. */
__attribute__((noinline)) double sum(struct point const *q) {
    double s;
    s = q->x;
    s +=
        q->z;
    return s + q->v;
}

__attribute__((noinline)) void fill(struct point *q) {
    q->x = 1;
    q->w = 2;
}

/* All but the last are on record. */
__attribute__((noinline)) double again(struct point const *q) {
    double s = q->x + q->z;
    s += q->w;
    return s;
}

static void *first(void *unused) {
    (void)unused;
    result = sum(&p);
    fill(&o);
    result += r.x;
    result += r.z;
    result += again(&r);
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    p.y = o.y = r.y = 1;
    p.z = 1;
    o.w = 1;
    r.w = 1;
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
