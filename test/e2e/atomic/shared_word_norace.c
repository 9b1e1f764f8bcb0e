/* Two atomics in one machine word have nothing to do with each other: a store to one leaves the other's
 * release sequences alone. */
#include "test.h"

#include <stdatomic.h>

static struct {
    _Alignas(8) atomic_int flag;
    _Atomic short neighbour;
    _Atomic char far_neighbour;
} word;
int x;

static void *first(void *unused) {
    x = 1;
    atomic_store_explicit(&word.flag, 1, memory_order_release);
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    atomic_store_explicit(&word.neighbour, 1, memory_order_relaxed);
    atomic_store_explicit(&word.far_neighbour, 1, memory_order_release);
    step();
    return unused;
}

static void *third(void *unused) {
    step();
    step();
    CHECK(atomic_load_explicit(&word.flag, memory_order_acquire) == 1);
    CHECK(x == 1);
    return unused;
}

int main(void) {
    steps(3);
    pthread_t a = spawn(first, NULL), b = spawn(second, NULL), c = spawn(third, NULL);
    join(a);
    join(b);
    join(c);
    return 0;
}
