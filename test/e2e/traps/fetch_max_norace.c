/* Atomic maximum, minimum and floating-point addition are atomics: they have no quarrel among themselves, and
 * order as their memory order says. All others: atomic/operations_norace.c. */
#include "access/cases.h"

#include <stdatomic.h>

static _Atomic int most, least;
static _Atomic double sum;
int data[3];

static void send_max(void) {
    data[0] = 1;
    __c11_atomic_fetch_max(&most, 5, memory_order_release);
}
static void receive_max(void) {
    CHECK(__c11_atomic_fetch_max(&most, 3, memory_order_acquire) == 5);
    CHECK(data[0]++ == 1);
}
static void send_min(void) {
    data[1] = 1;
    __c11_atomic_fetch_min(&least, -5, memory_order_release);
}
static void receive_min(void) {
    CHECK(__c11_atomic_fetch_min(&least, -3, memory_order_acquire) == -5);
    CHECK(data[1]++ == 1);
}
static void send_sum(void) {
    data[2] = 1;
    __c11_atomic_fetch_add(&sum, 1.5, memory_order_release);
}
static void receive_sum(void) {
    CHECK(__c11_atomic_fetch_add(&sum, 1.0, memory_order_acquire) == 1.5);
    CHECK(data[2]++ == 1);
}

static struct case_pair const pairs[] = {
    {"fetch_max", send_max, receive_max},
    {"fetch_min", send_min, receive_min},
    {"floating fetch_add", send_sum, receive_sum},
};

int main(void) {
    CASES_RUN(pairs, 0);
    return 0;
}
