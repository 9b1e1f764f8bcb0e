/* Fields and elements that the first thread has not touched, or has only read. */
struct cell;
static void use(struct cell *p);
#include "strides.h"

static void use(struct cell *p) {
    double s = 0;
    for (int i = 0; i < N; i++)
        p[i].half = i;
    for (int i = 0; i < N; i++)
        s += p[i].yours;
    s += p[N / 2].yours;
    p[N / 2].half++;
    CHECK(s == 0);
}
