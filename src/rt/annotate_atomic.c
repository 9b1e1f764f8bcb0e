/* ThreadSanitizer's interface for atomic operations (sanitizer/tsan_interface_atomic.h) and for
 * accesses that are not aligned (sanitizer/common_interface_defs.h): what code calls that makes its
 * own instructions, or that was instrumented by others. */
#include "rt/atomics.h"

#define EXPORT __attribute__((visibility("default")))

/* ThreadSanitizer passes on the hints that gcc adds in higher bits. */
static uint32_t order_of(int order) { return (uint32_t)order & DH_ORDER_MASK; }

#define FETCH(bits, T, name, OP)                                                         \
    EXPORT T __tsan_atomic##bits##_##name(T volatile *p, T operand, int order) {         \
        return dh_atomic##bits##_rmw(p, operand, DH_RMW_##OP, order_of(order), DH_HERE); \
    }

#define ATOMIC(bits, T)                                                                       \
    EXPORT T __tsan_atomic##bits##_load(T const volatile *p, int order) {                     \
        return dh_atomic##bits##_load(p, order_of(order), DH_HERE);                           \
    }                                                                                         \
    EXPORT void __tsan_atomic##bits##_store(T volatile *p, T value, int order) {              \
        dh_atomic##bits##_store(p, value, order_of(order), DH_HERE);                          \
    }                                                                                         \
    FETCH(bits, T, exchange, XCHG)                                                            \
    FETCH(bits, T, fetch_add, ADD)                                                            \
    FETCH(bits, T, fetch_sub, SUB)                                                            \
    FETCH(bits, T, fetch_and, AND)                                                            \
    FETCH(bits, T, fetch_or, OR)                                                              \
    FETCH(bits, T, fetch_xor, XOR)                                                            \
    FETCH(bits, T, fetch_nand, NAND)                                                          \
    EXPORT T __tsan_atomic##bits##_compare_exchange_val(T volatile *p, T expected, T desired, \
                                                        int success, int failure) {           \
        return dh_atomic##bits##_compare_exchange(p, expected, desired, order_of(success),    \
                                                  order_of(failure), DH_HERE);                \
    }                                                                                         \
    /* The caller's own code accesses *expected, as it was compiled to. */                    \
    EXPORT int __tsan_atomic##bits##_compare_exchange_strong(                                 \
        T volatile *p, T *expected, T desired, int success, int failure) {                    \
        T old = dh_atomic##bits##_compare_exchange(p, *expected, desired, order_of(success),  \
                                                   order_of(failure), DH_HERE);               \
        bool same = old == *expected;                                                         \
        if (!same) *expected = old;                                                           \
        return same;                                                                          \
    }                                                                                         \
    EXPORT __attribute__((alias("__tsan_atomic" #bits "_compare_exchange_strong"))) int       \
        __tsan_atomic##bits##_compare_exchange_weak(T volatile *p, T *expected, T desired,    \
                                                    int success, int failure);
DH_ATOMICS(ATOMIC)

EXPORT void __tsan_atomic_thread_fence(int order) { __dh_atomic_thread_fence(order_of(order)); }
EXPORT void __tsan_atomic_signal_fence(int order) { (void)order; }

/* ---- not aligned ---- */

#define UNALIGNED(bits)                                                            \
    EXPORT uint##bits##_t __sanitizer_unaligned_load##bits(void const *p) {        \
        uint##bits##_t value;                                                      \
        dh_range_read(p, sizeof value, DH_HERE);                                   \
        __builtin_memcpy(&value, p, sizeof value);                                 \
        return value;                                                              \
    }                                                                              \
    EXPORT void __sanitizer_unaligned_store##bits(void *p, uint##bits##_t value) { \
        dh_range_write(p, sizeof value, DH_HERE);                                  \
        __builtin_memcpy(p, &value, sizeof value);                                 \
    }
UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)
