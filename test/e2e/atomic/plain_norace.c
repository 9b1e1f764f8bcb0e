/* Atomic accesses have no quarrel among themselves, nor an atomic load with a plain one. */
#include "access/cases.h"

#include <stdatomic.h>

static atomic_int word;

static void load(void) { (void)atomic_load_explicit(&word, memory_order_relaxed); }
static void store(void) { atomic_store_explicit(&word, 1, memory_order_relaxed); }
static void modify(void) { atomic_fetch_add_explicit(&word, 1, memory_order_relaxed); }
static void read_plainly(void) { (void)*(int volatile *)&word; }

static struct case_pair const pairs[] = {
    {"store, store", store, store},         {"store, load", store, load},
    {"load, store", load, store},           {"modify, store", modify, store},
    {"modify, load", modify, load},         {"load, plain read", load, read_plainly},
    {"plain read, load", read_plainly, load},
};

int main(void) {
    CASES_RUN(pairs, 0);
    return 0;
}
