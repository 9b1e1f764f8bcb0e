/* An acquire orders what the releaser did before, not what it does after. */
#include "test.h"

#include <stdatomic.h>

static atomic_int flag;
int x;

static void *first(void *unused) {
    atomic_store_explicit(&flag, 1, memory_order_release);
    x = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    CHECK(atomic_load_explicit(&flag, memory_order_acquire) == 1);
    x = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
