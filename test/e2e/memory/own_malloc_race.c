/* A block of the program's own allocator, published without order.
 * FLAGS: -fno-builtin
 */
#include "memory/own_malloc.h"
#include "test.h"

static _Atomic(long *) shared;

static void *publish(void *unused) {
    long *block = malloc(sizeof *block);
    *block = 1;
    atomic_store_explicit(&shared, block, memory_order_relaxed);
    step();
    return unused;
}

static void *use(void *unused) {
    step();
    *atomic_load_explicit(&shared, memory_order_relaxed) = 2;
    return unused;
}

int main(void) {
    run_two(publish, use);
    return 0;
}
