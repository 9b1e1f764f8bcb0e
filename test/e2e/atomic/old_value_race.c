/* A load that saw the value from before the release acquires nothing, and neither does what it knew make up
 * for it later: only reading the flag again would. */
#include "test.h"

#include <stdatomic.h>

static atomic_int flag;
int x;

static void *first(void *unused) {
    step();
    x = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    step();
    return unused;
}

static void *second(void *unused) {
    CHECK(atomic_load_explicit(&flag, memory_order_acquire) == 0);
    step();
    step();
    x = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
