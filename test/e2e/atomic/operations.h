/* Every read-modify-write that C has, on every type that it takes:
 *   X(name, type, value before, operation on p, value after) */
#ifndef DEADHEAT_TEST_OPERATIONS_H
#define DEADHEAT_TEST_OPERATIONS_H

#include <stdatomic.h>
#include <stdbool.h>

#define INTEGERS(X, name, T)                                                                            \
    X(name##_exchange, _Atomic T, 5, atomic_exchange(p, 9), 9)                                          \
    X(name##_add, _Atomic T, 5, atomic_fetch_add(p, 3), 8)                                              \
    X(name##_sub, _Atomic T, 5, atomic_fetch_sub(p, 7), (T)-2)                                          \
    X(name##_and, _Atomic T, 5, atomic_fetch_and(p, 6), 4)                                              \
    X(name##_or, _Atomic T, 5, atomic_fetch_or(p, 6), 7)                                                \
    X(name##_xor, _Atomic T, 5, atomic_fetch_xor(p, 6), 3)                                              \
    X(name##_nand, _Atomic T, 5, __c11_atomic_fetch_nand(p, 6, 5), (T)~4)                               \
    X(name##_max, _Atomic T, (T)-5, __c11_atomic_fetch_max(p, 3, 5), (T)-5 > (T)3 ? (T)-5 : (T)3)       \
    X(name##_min, _Atomic T, (T)-5, __c11_atomic_fetch_min(p, 3, 5), (T)-5 < (T)3 ? (T)-5 : (T)3)       \
    X(name##_times, _Atomic T, 5, *p *= 3, 15)                                                          \
    X(name##_swap, _Atomic T, 5, swap(T), 9)

#define swap(T)                                                                                         \
    do {                                                                                                \
        T expected = 5;                                                                                 \
        (void)atomic_compare_exchange_strong(p, &expected, 9);                                          \
    } while (0)

#define FLOATS(X, name, T)                                                                              \
    X(name##_add, _Atomic T, (T)1.5, __c11_atomic_fetch_add(p, (T)0.25, 5), (T)1.75)                    \
    X(name##_sub, _Atomic T, (T)1.5, __c11_atomic_fetch_sub(p, (T)0.25, 5), (T)1.25)                    \
    COMPOUND(X, name, T)

/* long double has no more than these. */
#define COMPOUND(X, name, T)                                                                            \
    X(name##_exchange, _Atomic T, (T)5, atomic_exchange(p, (T)9), (T)9)                                 \
    X(name##_times, _Atomic T, (T)1.5, *p *= (T)2, (T)3)

#define OPERATIONS(X)                                                                                   \
    INTEGERS(X, i8, signed char) INTEGERS(X, u8, unsigned char)                                         \
    INTEGERS(X, i16, short) INTEGERS(X, u16, unsigned short)                                            \
    INTEGERS(X, i32, int) INTEGERS(X, u32, unsigned)                                                    \
    INTEGERS(X, i64, long) INTEGERS(X, u64, unsigned long)                                              \
    INTEGERS(X, i128, __int128) INTEGERS(X, u128, unsigned __int128)                                    \
    FLOATS(X, half, _Float16) FLOATS(X, float, float)                                                   \
    FLOATS(X, double, double) COMPOUND(X, long_double, long double)                                     \
    X(bool_exchange, _Atomic bool, true, atomic_exchange(p, false), false)                              \
    X(pointer_exchange, char *_Atomic, (char *)1, atomic_exchange(p, (char *)2), (char *)2)             \
    X(pointer_add, char *_Atomic, (char *)1, atomic_fetch_add(p, 5), (char *)6)                         \
    X(old_add, int, 5, __sync_fetch_and_add(p, 3), 8)                                                   \
    X(old_nand, int, 5, __sync_nand_and_fetch(p, 6), ~4)                                                \
    X(old_test_and_set, int, 5, __sync_lock_test_and_set(p, 9), 9)                                      \
    X(old_swap, int, 5, __sync_val_compare_and_swap(p, 5, 9), 9)                                        \
    X(old_max, int, -5, __sync_fetch_and_max(p, 3), 3)                                                  \
    X(old_umin, unsigned, 5, __sync_fetch_and_umin(p, 3), 3)                                            \
    X(gnu_max, int, -5, __atomic_fetch_max(p, 3, __ATOMIC_SEQ_CST), 3)                                  \
    X(gnu_min_fetch, int, 5, __atomic_min_fetch(p, 3, __ATOMIC_SEQ_CST), 3)

#endif
