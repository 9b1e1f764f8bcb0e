/* A compare-exchange that fails is a load: with a plain read it has no quarrel. It acquires as its second
 * order says, and releases nothing. */
#include "access/cases.h"

#include <stdatomic.h>
#include <stdbool.h>

static atomic_int word;
int read_value, data;
static atomic_int ready;

static bool fails(atomic_int *p, memory_order order) {
    int expected = 100;
    return !atomic_compare_exchange_strong_explicit(p, &expected, 200, memory_order_acq_rel, order);
}

static void fail_relaxed(void) { CHECK(fails(&word, memory_order_relaxed)); }
static void fail_acquire(void) { CHECK(fails(&word, memory_order_acquire)); }
static void read_plainly(void) { read_value = *(int *)&word; }

static void send(void) {
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
}
static void receive(void) {
    CHECK(fails(&ready, memory_order_acquire));
    CHECK(data++ == 1);
}

static struct case_pair const pairs[] = {
    {"failed, then read", fail_relaxed, read_plainly},
    {"read, then failed", read_plainly, fail_acquire},
    {"failed acquires", send, receive},
};

int main(void) {
    CASES_RUN(pairs, 0);
    return 0;
}
