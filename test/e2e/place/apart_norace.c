/* Fields that are accessed together share a check also where others lie between them: those are another thread's. */
#include "test.h"

struct point {
    double x, y, z, u, v;
    long w;
};
struct point p;
double result;

__attribute__((noinline)) double sum(struct point const *q) {
    double s = q->x;
    s += q->z;
    return s + q->v;
}

__attribute__((noinline)) void fill(struct point *q, double value) {
    q->x = value;
    q->z = value;
    q->w = 1;
}

static void *first(void *unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        result += sum(&p);
        fill(&p, i);
    }
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        p.y = i;
        p.u += p.y;
    }
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
