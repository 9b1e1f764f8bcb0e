/* Two races in one helper function, on two variables, from two callers: they are two.
 * EXPECT: #1 add_apples
 * EXPECT: #1 add_pears
 * EXPECT: ^deadheat: 2 races reported
 */
#include "test.h"

int apples, pears;

__attribute__((noinline)) static void set(int *p, int value) {
    *p = value;
}

__attribute__((noinline)) static void add_apples(int n) {
    set(&apples, n);
    __asm__ volatile(""); /* no tail call */
}

__attribute__((noinline)) static void add_pears(int n) {
    set(&pears, n);
    __asm__ volatile("");
}

static void *first(void *unused) {
    (void)unused;
    add_apples(1);
    add_pears(1);
    step();
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    step();
    add_apples(2);
    add_pears(2);
    return NULL;
}

int main(void) {
    run_two(first, second);
    return 0;
}
