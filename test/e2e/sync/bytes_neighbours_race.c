/* The same with bytes. Expected: a race on data. */
#include "test.h"
#include <stdatomic.h>
atomic_bool flags[2];
int data;
static void *first(void *u) { (void)u;
    data = 1;
    atomic_store_explicit(&flags[0], 1, memory_order_release);
    step(); step();
    return NULL; }
static void *second(void *u) { (void)u;
    step();
    atomic_load_explicit(&flags[1], memory_order_acquire);
    data = 2;
    step();
    return NULL; }
int main(void) { run_two(first, second); return 0; }
