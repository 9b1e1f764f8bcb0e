/* Neighbouring fields are not accessed because one is: not on the other way, not before a lock is held, not behind a
 * call that does not come back, not behind a loop that waits. Another thread may have them. */
#include "test.h"

#include <stdatomic.h>

struct fields {
    int a, b, c, d;
};
struct fields branch, locked, left, waiting;
atomic_int flag;
int volatile never;

__attribute__((noinline)) int on_one_way(struct fields *f, int c) {
    int r = f->a;
    if (c) r += f->b;
    return r;
}

__attribute__((noinline)) int behind_acquire(struct fields *f) {
    int r = f->a;
    while (atomic_load_explicit(&flag, memory_order_acquire) == 0) {}
    return r + f->b;
}

__attribute__((noinline)) void leave(int c) {
    if (c) pthread_exit(NULL);
}
__attribute__((noinline)) int behind_exit(struct fields *f) {
    int r = f->a;
    leave(r == 0);
    return r + f->b;
}

/* Relaxed, and a fence behind it. */
__attribute__((noinline)) int behind_loop(struct fields *f) {
    f->a = 1;
    while (atomic_load_explicit(&flag, memory_order_relaxed) == 0) {}
    atomic_thread_fence(memory_order_acquire);
    f->b = 1;
    return 0;
}

static void *first(void *unused) {
    (void)unused;
    int r = on_one_way(&branch, never);
    r += behind_loop(&waiting);
    r += behind_acquire(&locked);
    return (void *)(long)(r + behind_exit(&left));
}

static void *second(void *unused) {
    (void)unused;
    branch.b = locked.b = left.b = waiting.b = 2;
    branch.c = locked.c = left.c = waiting.c = 2;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
