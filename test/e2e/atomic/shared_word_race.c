/* Two atomics in one machine word have nothing to do with each other: what one releases, a load of the other
 * does not acquire. */
#include "test.h"

#include <stdatomic.h>

static struct {
    _Alignas(8) atomic_int flag;
    atomic_int neighbour;
} word;
int x;

static void *first(void *unused) {
    x = 1;
    atomic_store_explicit(&word.flag, 1, memory_order_release);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    CHECK(atomic_load_explicit(&word.neighbour, memory_order_acquire) == 0);
    x = 2;
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
