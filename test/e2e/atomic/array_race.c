/* What the elements of an array have in common is not taken for more than it is. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "array.h"

static array a, b, c, d, e, f, g, h;
int data, more;
int volatile value;

static void load_a(void) { load_all(a); }
static void write_a(void) { *plain(a, ONE) = 1; }

static void store_b(void) { store_all(b); }
static void read_b(void) { value = *plain(b, ONE); }

/* The second thread has used them all by the time that it does so. */
static void add_c(void) {
    load_all(c);
    add_all(c);
    add_all(c);
}
static void read_c(void) {
    load_all(c);
    load_all(c);
    value = *plain(c, ONE);
}

static void compare_d(void) { compare_all(d); }
static void write_d(void) { *plain(d, ONE) = 1; }

static void write_e(void) {
    load_all(e);
    *plain(e, ONE) = 1;
}
static void load_e(void) { load_all(e); }

/* A relaxed store orders nothing, */
static void send_f(void) {
    load_all(f);
    data = 1;
    store_all(f);
}
static void receive_f(void) {
    load_all(f);
    CHECK(atomic_load_explicit(&f[ONE], memory_order_acquire) == 1);
    data++;
}

/* and neither does a release at a neighbour. */
static void send_g(void) {
    load_all(g);
    more = 1;
    atomic_store_explicit(&g[ONE], 1, memory_order_release);
}
static void receive_g(void) {
    load_all(g);
    (void)atomic_load_explicit(&g[ONE ^ 1], memory_order_acquire);
    more++;
}

/* Other bytes of the same cells. */
static void load_even_h(void) {
    for (int i = 0; i < COUNT; i += 2)
        (void)atomic_load_explicit(&h[i], memory_order_relaxed);
}
static void write_even_h(void) {
    load_all(h);
    *plain(h, ONE ^ 1) = 1;
}

static struct case_pair const pairs[] = {
    {"load, write", load_a, write_a},
    {"store, read", store_b, read_b},
    {"add, read", add_c, read_c},
    {"compare, write", compare_d, write_d},
    {"write, load", write_e, load_e},
    {"relaxed message", send_f, receive_f},
    {"message at a neighbour", send_g, receive_g},
    {"load, write at some bytes", load_even_h, write_even_h},
};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
