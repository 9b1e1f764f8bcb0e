/* A load that was made before, and found nothing new, is made again when there is something. */
#include "test.h"

#include <stdatomic.h>

enum { TIMES = 3 };
static atomic_int flag, relaxed_first, with_fence;
int a, b, c;

static void *sender(void *unused) {
    atomic_store_explicit(&flag, 1, memory_order_release);
    step();
    step(); /* polled */
    a = 1;
    atomic_store_explicit(&flag, 2, memory_order_release);
    b = 1;
    atomic_store_explicit(&relaxed_first, 1, memory_order_release);
    c = 1;
    atomic_store_explicit(&with_fence, 1, memory_order_release);
    step();
    return unused;
}

static void poll(atomic_int *p, memory_order order, int value) {
    for (int i = 0; i < TIMES; i++)
        CHECK(atomic_load_explicit(p, order) == value);
}

static void *receiver(void *unused) {
    step();
    poll(&flag, memory_order_acquire, 1);
    step();
    step();
    poll(&flag, memory_order_acquire, 2);
    a++;
    poll(&relaxed_first, memory_order_relaxed, 1);
    poll(&relaxed_first, memory_order_acquire, 1);
    b++;
    poll(&with_fence, memory_order_relaxed, 1);
    atomic_thread_fence(memory_order_acquire);
    c++;
    return unused;
}

int main(void) {
    run_two(sender, receiver);
    return 0;
}
