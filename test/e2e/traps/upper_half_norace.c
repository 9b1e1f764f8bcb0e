/* Atomics of sixteen bytes, by instruction or by library: values, order, and no quarrel with neighbours. */
#include "access/cases.h"

#include <stdatomic.h>
#include <string.h>

typedef unsigned __int128 wide;

static struct {
    char before[16];
    _Atomic wide word;
    char after[16];
} m;
static _Atomic wide flag, half;
static _Atomic long double number;
int x, y;

static wide of(unsigned long high, unsigned long low) { return (wide)high << 64 | low; }

static void store(void) { atomic_store(&m.word, of(1, 2)); }
static void use_neighbours(void) {
    m.before[15] = 1;
    m.after[0] = 1;
}

static void send(void) {
    x = 1;
    atomic_store_explicit(&flag, of(1, 0), memory_order_release);
}
static void receive(void) {
    CHECK(atomic_load_explicit(&flag, memory_order_acquire) == of(1, 0));
    x = 2;
}

/* The upper half alone has the order of the whole. */
static void send_both(void) {
    y = 1;
    atomic_store_explicit(&half, of(7, 0), memory_order_release);
}
static void receive_upper(void) {
    CHECK(__atomic_load_n((unsigned long *)&half + 1, __ATOMIC_ACQUIRE) == 7);
    y = 2;
}

/* All operations, in both threads at once. */
enum { ROUNDS = 1000 };
static _Atomic wide counter;
static void count(void) {
    for (int i = 0; i < ROUNDS; i++) {
        wide old = atomic_load(&counter);
        while (!atomic_compare_exchange_weak(&counter, &old, old + of(1, 1))) {}
        atomic_fetch_add(&counter, of(2, 3));
        atomic_fetch_sub(&counter, of(1, 1));
        number = number + 0.0L;
    }
}
static void *count_too(void *unused) {
    count();
    return unused;
}

static struct case_pair const pairs[] = {
    {"neighbours", store, use_neighbours},
    {"message", send, receive},
    {"upper half", send_both, receive_upper},
};

int main(void) {
    static wide const constant = 5; /* in memory that cannot be written */
    CASES_RUN(pairs, 0);
    run_two(count_too, count_too);
    CHECK(counter == of(4 * ROUNDS, 6 * ROUNDS));
    CHECK(atomic_load((_Atomic wide const *)&constant) == 5);
    return 0;
}
