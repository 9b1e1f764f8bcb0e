/* A part of an atomic, read by itself, carries the order of the whole; the whole that of its parts. */
#include "access/cases.h"

#include <stdatomic.h>

static union {
    _Atomic unsigned long whole;
    _Atomic unsigned parts[2];
    _Atomic unsigned char bytes[8];
} a, b, c, d;
int x, y, z, w;

static void store_whole(void) {
    x = 1;
    atomic_store_explicit(&a.whole, 1ul << 32 | 1, memory_order_release);
}
static void load_upper(void) {
    CHECK(atomic_load_explicit(&a.parts[1], memory_order_acquire) == 1);
    x = 2;
}

static void store_upper(void) {
    y = 1;
    atomic_store_explicit(&b.parts[1], 1, memory_order_release);
}
static void load_whole(void) {
    CHECK(atomic_load_explicit(&b.whole, memory_order_acquire) == 1ul << 32);
    y = 2;
}

/* The store of one part ends the sequence for that part only. */
static void store_whole_again(void) {
    z = 1;
    atomic_store_explicit(&c.whole, 1ul << 32 | 1, memory_order_release);
}
static void store_lower_load_upper(void) {
    atomic_store_explicit(&c.parts[0], 2, memory_order_relaxed);
    CHECK(atomic_load_explicit(&c.bytes[4], memory_order_acquire) == 1);
    z = 2;
}

/* And where the same thread goes on with its sequence for one part, a fence from before adds nothing. */
static void store_whole_then_lower(void) {
    atomic_thread_fence(memory_order_release);
    w = 1;
    atomic_store_explicit(&d.whole, 1ul << 32 | 1, memory_order_release);
    atomic_store_explicit(&d.parts[0], 2, memory_order_relaxed);
}
static void load_lower(void) {
    CHECK(atomic_load_explicit(&d.parts[0], memory_order_acquire) == 2);
    w = 2;
}

static struct case_pair const pairs[] = {
    {"whole, then part", store_whole, load_upper},
    {"part, then whole", store_upper, load_whole},
    {"other part stored", store_whole_again, store_lower_load_upper},
    {"part stored by the same thread", store_whole_then_lower, load_lower},
};

int main(void) {
    CASES_RUN(pairs, 0);
    return 0;
}
