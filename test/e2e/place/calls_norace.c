/* What is called in a loop may acquire, leave it, or wait: a check before the loop of all that it will access would
 * then be of accesses that are ordered, or that never happen. And what is only computed by a callee is no reason to
 * check again, nor for a false report.
 *
 * FLAGS: -lm */
#include "test.h"

#include <math.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <unistd.h>

enum { N = 16, HALF = 8 };
int a[N], b[N], c[N], d[N];
double e[N];
atomic_int flag;

static __attribute__((noinline)) void acquire_at_half(int i) {
    if (i == HALF) CHECK(atomic_load_explicit(&flag, memory_order_acquire) == 1);
}
/* The second half is the other thread's until it says so. */
static __attribute__((noinline)) void acquires(int n) {
    for (int i = 0; i < n; i++) {
        acquire_at_half(i);
        a[i] = i;
    }
}

static jmp_buf out;
static __attribute__((noinline)) void leave_at_half(int i) {
    if (i == HALF) longjmp(out, 1);
}
/* The second half is the other thread's for good. */
static __attribute__((noinline)) void leaves(int n) {
    if (setjmp(out) != 0) return;
    for (int i = 0; i < n; i++) {
        leave_at_half(i);
        b[i] = i;
    }
}

static int volatile waiting;
static __attribute__((noinline)) void wait_at_half(int i) {
    if (i != HALF) return;
    while (atomic_load_explicit(&flag, memory_order_relaxed) != 1)
        waiting = 0;
    atomic_thread_fence(memory_order_acquire);
}
static __attribute__((noinline)) void waits(int n) {
    for (int i = 0; i < n; i++) {
        wait_at_half(i);
        c[i] = i;
    }
}

static __attribute__((noinline)) double half(int i) { return ldexp(i, -1); }
static __attribute__((noinline)) void computes(int n) {
    for (int i = 0; i < n; i++) {
        d[i] = (int)half(i);
        e[i] = pow(half(i), 2.0) + d[i];
    }
}

static void *first(void *unused) {
    (void)unused;
    step();
    acquires(N);
    leaves(N);
    waits(N);
    computes(HALF);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    for (int i = HALF; i < N; i++)
        a[i] = b[i] = c[i] = d[i] = -1, e[i] = -1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    step();
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
