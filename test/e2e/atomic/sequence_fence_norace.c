/* A store after a release fence heads a release sequence, which a read-modify-write goes on with. */
#include "test.h"

#include <stdatomic.h>

static atomic_int flag;
int x;

static void *first(void *unused) {
    x = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    step();
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    step();
    return unused;
}

static void *third(void *unused) {
    step();
    step();
    CHECK(atomic_load_explicit(&flag, memory_order_relaxed) == 2);
    atomic_thread_fence(memory_order_acquire);
    x = 2;
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
