/* A compare-exchange that fails still reads; one that succeeds also writes; and a failure orders no more
 * than its own order says. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdatomic.h>
#include <stdbool.h>

static atomic_int word, word_too, ready, back;
int volatile read_value;
int data, data_back;

static bool exchange(atomic_int *p, int expected, int desired, memory_order failure) {
    return atomic_compare_exchange_strong_explicit(p, &expected, desired, memory_order_acq_rel, failure);
}

static void fail(void) { CHECK(!exchange(&word, 100, 200, memory_order_acquire)); }
static void write_plainly(void) { *(int volatile *)&word = 1; }

static void succeed(void) { CHECK(exchange(&word_too, 0, 0, memory_order_acquire)); }
static void read_plainly(void) { read_value = *(int volatile *)&word_too; }

static void send(void) {
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
}
static void receive(void) {
    CHECK(!exchange(&ready, 100, 200, memory_order_relaxed));
    data++;
}

static void send_by_failure(void) {
    data_back = 1;
    CHECK(!exchange(&back, 100, 200, memory_order_acquire));
}
static void receive_nothing(void) {
    CHECK(atomic_load_explicit(&back, memory_order_acquire) == 0);
    data_back++;
}

static struct case_pair const pairs[] = {
    {"failed, then written", fail, write_plainly},
    {"succeeded, then read", succeed, read_plainly},
    {"failed without acquire", send, receive},
    {"failure releases nothing", send_by_failure, receive_nothing},
};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
