/* Arrays of atomics whose cells are in the same few states, so that they share them. */
#ifndef DEADHEAT_TEST_ARRAY_H
#define DEADHEAT_TEST_ARRAY_H

#include "access/cases.h"

#include <stdatomic.h>

enum { COUNT = 512, ONE = 301 };
typedef _Atomic int array[COUNT];

static inline void load_all(array a) {
    for (int i = 0; i < COUNT; i++)
        (void)atomic_load_explicit(&a[i], memory_order_relaxed);
}
static inline void store_all(array a) {
    for (int i = 0; i < COUNT; i++)
        atomic_store_explicit(&a[i], 1, memory_order_relaxed);
}
static inline void add_all(array a) {
    for (int i = 0; i < COUNT; i++)
        atomic_fetch_add_explicit(&a[i], 1, memory_order_relaxed);
}
/* Fails everywhere. */
static inline void compare_all(array a) {
    for (int i = 0; i < COUNT; i++) {
        int other = -1;
        CHECK(!atomic_compare_exchange_strong_explicit(&a[i], &other, 1, memory_order_relaxed,
                                                       memory_order_relaxed));
    }
}
static inline int volatile *plain(array a, int i) { return (int volatile *)&a[i]; }

#endif
