/* Atomic maximum, minimum and floating-point addition that are relaxed order nothing; and each is a write to
 * whoever reads plainly. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdatomic.h>

static _Atomic int most, least;
static _Atomic double sum;
int data[3];
static double volatile got;

#define RELAXED memory_order_relaxed
static void send_max(void) {
    data[0] = 1;
    __c11_atomic_fetch_max(&most, 5, RELAXED);
}
static void receive_max(void) {
    CHECK(__c11_atomic_fetch_max(&most, 3, RELAXED) == 5);
    data[0] = 2;
}
static void send_min(void) {
    data[1] = 1;
    __c11_atomic_fetch_min(&least, -5, RELAXED);
}
static void receive_min(void) {
    CHECK(__c11_atomic_fetch_min(&least, -3, RELAXED) == -5);
    data[1] = 2;
}
static void send_sum(void) {
    data[2] = 1;
    __c11_atomic_fetch_add(&sum, 1.5, RELAXED);
}
static void receive_sum(void) {
    CHECK(__c11_atomic_fetch_add(&sum, 1.0, RELAXED) == 1.5);
    data[2] = 2;
}
static void max(void) { __c11_atomic_fetch_max(&most, 9, RELAXED); }
static void read_most(void) { got = *(int volatile *)&most; }
static void add(void) { __c11_atomic_fetch_add(&sum, 1.0, RELAXED); }
static void read_sum(void) { got = *(double volatile *)&sum; }

static struct case_pair const pairs[] = {
    {"relaxed fetch_max", send_max, receive_max},
    {"relaxed fetch_min", send_min, receive_min},
    {"relaxed floating fetch_add", send_sum, receive_sum},
    {"fetch_max, then a plain read", max, read_most},
    {"floating fetch_add, then a plain read", add, read_sum},
};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
