/* An atomic access and a plain one, at least one of them a write: in either order. */
// ENV: DEADHEAT_OPTIONS=symbolize=0
#include "access/cases.h"

#include <stdatomic.h>

static atomic_int words[10];
int volatile value;

/* Every case has code and memory of its own, or its report would be folded into another's. */
#define PAIRS(X)                                                                                        \
    X(0, load, plain_write) X(1, plain_write, load)                                                     \
    X(2, store, plain_write) X(3, plain_write, store)                                                   \
    X(4, store, plain_read) X(5, plain_read, store)                                                     \
    X(6, modify, plain_read) X(7, plain_read, modify)                                                   \
    X(8, modify, plain_write) X(9, plain_write, modify)

#define load(p) (value = atomic_load_explicit(p, memory_order_seq_cst))
#define store(p) atomic_store_explicit(p, 1, memory_order_seq_cst)
#define modify(p) atomic_fetch_add_explicit(p, 1, memory_order_seq_cst)
#define plain_read(p) (value = *(int volatile *)(p))
#define plain_write(p) (*(int volatile *)(p) = 1)

#define DEFINE(n, first, second)                                                                        \
    static void first_##n(void) { first(&words[n]); }                                                   \
    static void second_##n(void) { second(&words[n]); }
PAIRS(DEFINE)

#define LIST(n, first, second) {#first ", " #second, first_##n, second_##n},
static struct case_pair const pairs[] = {PAIRS(LIST)};

int main(void) {
    CASES_RUN(pairs, 1);
    return 0;
}
