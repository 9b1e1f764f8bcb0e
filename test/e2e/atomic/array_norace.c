/* Elements of an array of atomics are ordered, and told apart, like single ones. */
#include "array.h"

static array a, b, c, d, e, f, g;
int data, more, fenced, swapped;
int volatile value;

static void use_a(void) {
    load_all(a);
    store_all(a);
    add_all(a);
    load_all(a);
}

static void compare_b(void) { compare_all(b); }
static void read_b(void) { value = *plain(b, ONE); }

/* Neighbours in the cells. */
static void load_even_c(void) {
    for (int i = 0; i < COUNT; i += 2)
        (void)atomic_load_explicit(&c[i], memory_order_relaxed);
}
static void write_odd_c(void) { *plain(c, ONE) = 1; }

static void send_d(void) {
    load_all(d);
    add_all(d);
    data = 1;
    atomic_store_explicit(&d[ONE], 7, memory_order_release);
}
static void receive_d(void) {
    load_all(d);
    CHECK(atomic_load_explicit(&d[ONE], memory_order_acquire) == 7);
    data++;
}

/* Each of them carries the fence's clock. */
static void send_e(void) {
    load_all(e);
    fenced = 1;
    atomic_thread_fence(memory_order_release);
    store_all(e);
}
static void receive_e(void) {
    load_all(e);
    atomic_thread_fence(memory_order_acquire);
    fenced++;
}

/* Relaxed modifications continue the sequence. */
static void send_f(void) {
    load_all(f);
    more = 1;
    for (int i = 0; i < COUNT; i++)
        atomic_fetch_add_explicit(&f[i], 1, memory_order_release);
    add_all(f);
}
static void receive_f(void) {
    add_all(f);
    CHECK(atomic_load_explicit(&f[ONE], memory_order_acquire) == 3);
    more++;
}

static void send_g(void) {
    load_all(g);
    swapped = 1;
    for (int i = 0; i < COUNT; i++) {
        int none = 0;
        CHECK(atomic_compare_exchange_strong_explicit(&g[i], &none, 1, memory_order_acq_rel,
                                                      memory_order_relaxed));
    }
}
static void receive_g(void) {
    load_all(g);
    int other = 5;
    CHECK(!atomic_compare_exchange_strong_explicit(&g[ONE], &other, 6, memory_order_acq_rel,
                                                   memory_order_acquire));
    swapped++;
}

static struct case_pair const pairs[] = {
    {"all atomic", use_a, use_a},
    {"compare, read", compare_b, read_b},
    {"load, write at other bytes", load_even_c, write_odd_c},
    {"message", send_d, receive_d},
    {"fences", send_e, receive_e},
    {"sequences", send_f, receive_f},
    {"compare-exchange", send_g, receive_g},
};

int main(void) {
    CASES_RUN(pairs, 0);
    /* The threads have ended: plain accesses to what they used, and theirs to that. */
    for (int i = 0; i < COUNT; i++)
        *plain(a, i) = 0;
    load_all(a);
    CHECK(case_races(use_a, use_a) == 0);
    return 0;
}
