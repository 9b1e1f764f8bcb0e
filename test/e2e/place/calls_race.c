/* What is called between two accesses may release, however deep: a check of the first is then no check of the
 * second, and that is the one that races.
 *
 * In each case the first thread writes, releases in some hidden way, writes again; then the second thread acquires
 * that release and writes. It is ordered after the first write only.
 *
 * EXPECT: in_callee
 * EXPECT: in_callees_callee
 * EXPECT: in_recursion
 * EXPECT: by_pointer
 * EXPECT: at_setjmp
 * EXPECT: in_loop */
#include "test.h"

#include <setjmp.h>
#include <stdatomic.h>

enum { CASES = 6 };
int volatile x[CASES];
atomic_int flag[CASES];

static __attribute__((noinline)) void release(int i) { atomic_store_explicit(&flag[i], 1, memory_order_release); }
static __attribute__((noinline)) int acquire(int i) { return atomic_load_explicit(&flag[i], memory_order_acquire); }

__attribute__((noinline)) void in_callee(void) {
    x[0] = 1;
    release(0);
    x[0] = 2;
}

static __attribute__((noinline)) void deeper(int i) {
    if (i < CASES) release(i);
}
__attribute__((noinline)) void in_callees_callee(void) {
    x[1] = 1;
    deeper(1);
    x[1] = 2;
}

static __attribute__((noinline)) int even(int n);
static __attribute__((noinline)) int odd(int n) { return n == 0 ? (release(2), 0) : even(n - 1); }
static __attribute__((noinline)) int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__attribute__((noinline)) void in_recursion(void) {
    x[2] = 1;
    even(5);
    x[2] = 2;
}

void (*volatile pointer)(int) = release;
__attribute__((noinline)) void by_pointer(void) {
    x[3] = 1;
    pointer(3);
    x[3] = 2;
}

static jmp_buf again;
static __attribute__((noinline)) void release_and_return(void) {
    release(4);
    longjmp(again, 1);
}
__attribute__((noinline)) void at_setjmp(void) {
    x[4] = 1;
    if (setjmp(again) == 0) release_and_return();
    x[4] = 2;
}

/* The check of the first round is none of the last. */
__attribute__((noinline)) void in_loop(int n) {
    for (int i = 0; i < n; i++) {
        x[5] = i;
        if (i == n - 2) deeper(5);
    }
}

static void *first(void *unused) {
    (void)unused;
    in_callee();
    in_callees_callee();
    in_recursion();
    by_pointer();
    at_setjmp();
    in_loop(10);
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    for (int i = 0; i < CASES; i++) {
        CHECK(acquire(i) == 1);
        x[i] = 3;
    }
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
