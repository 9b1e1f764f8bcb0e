/* A load that is made over and over acquires nothing by that, and is on record. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdatomic.h>

enum { TIMES = 3 };
static atomic_int flag, other, written, late;
int a, b;

static void poll(atomic_int *p, memory_order order) {
    for (int i = 0; i < TIMES; i++)
        (void)atomic_load_explicit(p, order);
}

static void send(void) {
    a = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
}
static void receive(void) {
    poll(&flag, memory_order_relaxed);
    a++;
}

/* The last store is relaxed, of another thread, and ends the sequence. */
static void send_other(void) {
    b = 1;
    atomic_store_explicit(&other, 1, memory_order_release);
}
static void *overwrite_other(void *unused) {
    atomic_store_explicit(&other, 2, memory_order_relaxed);
    return unused;
}
static void receive_other(void) {
    join(spawn(overwrite_other, NULL));
    poll(&other, memory_order_acquire);
    b++;
}

static void poll_written(void) {
    atomic_store_explicit(&written, 1, memory_order_release);
    poll(&written, memory_order_acquire);
}
static void write_it(void) { *(int volatile *)&written = 1; }

/* Polled before and after the write, in the same epoch or another: it is the later load that finds it. */
static void write_late(void) { *(int volatile *)&late = 1; }
static void poll_late(void) {
    poll(&late, memory_order_acquire);
    poll(&late, memory_order_acquire);
}

static struct case_pair const pairs[] = {
    {"relaxed", send, receive},
    {"overwritten", send_other, receive_other},
    {"written", poll_written, write_it},
    {"late", write_late, poll_late},
};

int main(void) {
    atomic_store_explicit(&late, 0, memory_order_release);
    CASES_RUN(pairs, 1);
    return 0;
}
