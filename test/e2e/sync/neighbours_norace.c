/* Two atomics side by side are two objects: a store to one does not end what the other has released.
 * Expected: no report. */
#include "test.h"
#include <stdatomic.h>
struct { atomic_int ready, other; } flags;
int data;
static void *first(void *u) { (void)u;
    data = 1;
    atomic_store_explicit(&flags.ready, 1, memory_order_release);
    step(); step();
    return NULL; }
static void *second(void *u) { (void)u;
    step();
    atomic_store_explicit(&flags.other, 1, memory_order_relaxed);
    if (atomic_load_explicit(&flags.ready, memory_order_acquire)) data = 2;
    step();
    return NULL; }
int main(void) { run_two(first, second); return 0; }
