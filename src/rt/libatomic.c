/* The functions of libatomic: what compilers call for an atomic that they make no instructions for.
 * Code that Deadheat's plugin has seen needs them for objects of odd size or alignment; code that
 * it has not seen, for sixteen bytes too. Defined here, they are seen as what they are, atomic
 * operations, and a program that needs no more of libatomic than these links without it.
 *
 * The real library is not called. All of the process finds these functions instead, code that was
 * not built with Deadheat included, so nobody is left who would hold the real library's locks. What
 * counts is that an object is always handled in the same way, and one that instructions can handle
 * by instructions, because code with inlined atomics does: so, up to sixteen bytes, naturally
 * aligned objects whose size is a power of two; all others are copied under a lock of ours, which
 * no signal handler can find held by the thread that it interrupted.
 *
 * A library call does not say whether C or C++20 made it. The rule of C for release sequences is
 * taken, which orders more: a race may be missed, none is made up.
 *
 * The operands are the caller's memory, read and written on its behalf: plain accesses.
 *
 * __atomic_is_lock_free is left to the real library. __sync_..._16 are not here, because clang
 * turns them into calls of these, and gcc's calls of them find no library that has them.
 */
#include "rt/atomics.h"

/* These names are the compiler's own; it lets nobody define them but in this way. */
#define EXPORT(type, name, parameters)                                                  \
    __attribute__((visibility("default"))) type dh_lib##name parameters __asm__(#name); \
    type dh_lib##name parameters

/* gcc adds hints about transactions in higher bits. */
static uint32_t order_of(int order) { return (uint32_t)order & DH_ORDER_MASK; }

/* ---- by size ---- */

#define SIZED(n, bits, T)                                                                        \
    EXPORT(T, __atomic_load_##n, (T const volatile *p, int order)) {                             \
        return dh_atomic##bits##_load(p, order_of(order), DH_HERE);                              \
    }                                                                                            \
    EXPORT(void, __atomic_store_##n, (T volatile * p, T value, int order)) {                     \
        dh_atomic##bits##_store(p, value, order_of(order), DH_HERE);                             \
    }                                                                                            \
    EXPORT(T, __atomic_exchange_##n, (T volatile * p, T value, int order)) {                     \
        return dh_atomic##bits##_rmw(p, value, DH_RMW_XCHG, order_of(order), DH_HERE);           \
    }                                                                                            \
    EXPORT(bool, __atomic_test_and_set_##n, (T volatile * p, int order)) {                       \
        return dh_atomic##bits##_rmw(p, 1, DH_RMW_XCHG, order_of(order), DH_HERE) != 0;          \
    }                                                                                            \
    static bool exchange_if_##n(T volatile *p, T *expected, T desired, int success, int failure, \
                                struct dh_here here) {                                           \
        dh_range_read(expected, n, here);                                                        \
        T wanted = *expected;                                                                    \
        T old = dh_atomic##bits##_compare_exchange(p, wanted, desired, order_of(success),        \
                                                   order_of(failure), here);                     \
        if (old == wanted) return true;                                                          \
        dh_range_write(expected, n, here);                                                       \
        *expected = old;                                                                         \
        return false;                                                                            \
    }                                                                                            \
    EXPORT(bool, __atomic_compare_exchange_##n,                                                  \
           (T volatile * p, T * expected, T desired, int success, int failure)) {                \
        return exchange_if_##n(p, expected, desired, success, failure, DH_HERE);                 \
    }                                                                                            \
    ARITHMETIC(n, bits, T, add, ADD, old + operand)                                              \
    ARITHMETIC(n, bits, T, sub, SUB, old - operand)                                              \
    ARITHMETIC(n, bits, T, and, AND, old &operand)                                               \
    ARITHMETIC(n, bits, T, or, OR, old | operand)                                                \
    ARITHMETIC(n, bits, T, xor, XOR, old ^ operand)                                              \
    ARITHMETIC(n, bits, T, nand, NAND, ~(old & operand))

/* One form returns what was there before, the other what is there now. */
#define ARITHMETIC(n, bits, T, name, OP, now)                                             \
    EXPORT(T, __atomic_fetch_##name##_##n, (T volatile * p, T operand, int order)) {      \
        return dh_atomic##bits##_rmw(p, operand, DH_RMW_##OP, order_of(order), DH_HERE);  \
    }                                                                                     \
    EXPORT(T, __atomic_##name##_fetch_##n, (T volatile * p, T operand, int order)) {      \
        T old = dh_atomic##bits##_rmw(p, operand, DH_RMW_##OP, order_of(order), DH_HERE); \
        return (T)(now);                                                                  \
    }

#define SIZES(X)     \
    X(1, 8, uint8_t) \
    X(2, 16, uint16_t) X(4, 32, uint32_t) X(8, 64, uint64_t) X(16, 128, unsigned __int128)
SIZES(SIZED)

/* ---- of any size ---- */

/* By what the object is handled: 1, 2, 4, 8 or 16, an instruction for so many bytes; 0, a lock. The
 * operands need not be aligned. */
static size_t width_of(size_t size, void const volatile *p) {
    bool fits = size <= 16 && size != 0 && (size & (size - 1)) == 0 && (uintptr_t)p % size == 0;
    return fits ? size : 0;
}

#define CASE_LOAD(n, bits, T)                                       \
    case n: {                                                       \
        T value = dh_atomic##bits##_load(p, order_of(order), here); \
        __builtin_memcpy(to, &value, n);                            \
        return;                                                     \
    }
EXPORT(void, __atomic_load, (size_t size, void const volatile *p, void *to, int order)) {
    struct dh_here here = DH_HERE;
    dh_range_write(to, size, here);
    switch (width_of(size, p)) {
        SIZES(CASE_LOAD)
    default:
        dh_atomic_bytes((void volatile *)p, size,
                        &(struct dh_bytes){.old = to, .order = order_of(order)}, here);
    }
}

#define CASE_STORE(n, bits, T)                                    \
    case n: {                                                     \
        T value;                                                  \
        __builtin_memcpy(&value, from, n);                        \
        dh_atomic##bits##_store(p, value, order_of(order), here); \
        return;                                                   \
    }
EXPORT(void, __atomic_store, (size_t size, void volatile *p, void const *from, int order)) {
    struct dh_here here = DH_HERE;
    dh_range_read(from, size, here);
    switch (width_of(size, p)) {
        SIZES(CASE_STORE)
    default:
        dh_atomic_bytes(p, size, &(struct dh_bytes){.new = from, .order = order_of(order)}, here);
    }
}

#define CASE_EXCHANGE(n, bits, T)                                                    \
    case n: {                                                                        \
        T value;                                                                     \
        __builtin_memcpy(&value, from, n);                                           \
        value = dh_atomic##bits##_rmw(p, value, DH_RMW_XCHG, order_of(order), here); \
        __builtin_memcpy(to, &value, n);                                             \
        return;                                                                      \
    }
EXPORT(void, __atomic_exchange,
       (size_t size, void volatile *p, void const *from, void *to, int order)) {
    struct dh_here here = DH_HERE;
    dh_range_read(from, size, here);
    dh_range_write(to, size, here);
    switch (width_of(size, p)) {
        SIZES(CASE_EXCHANGE)
    default:
        dh_atomic_bytes(p, size,
                        &(struct dh_bytes){.old = to, .new = from, .order = order_of(order)}, here);
    }
}

#define CASE_COMPARE_EXCHANGE(n, bits, T)                                             \
    case n: {                                                                         \
        T wanted, value, old;                                                         \
        __builtin_memcpy(&wanted, expected, n);                                       \
        __builtin_memcpy(&value, desired, n);                                         \
        old = dh_atomic##bits##_compare_exchange(p, wanted, value, order_of(success), \
                                                 order_of(failure), here);            \
        if (old != wanted) __builtin_memcpy(expected, &old, n);                       \
        return old == wanted;                                                         \
    }
static bool compare_exchange(size_t size, void volatile *p, void *expected, void const *desired,
                             int success, int failure, struct dh_here here) {
    struct dh_bytes bytes = {.old = expected,
                             .expected = expected,
                             .new = desired,
                             .order = order_of(success),
                             .failure = order_of(failure)};
    switch (width_of(size, p)) {
        SIZES(CASE_COMPARE_EXCHANGE)
    default: return dh_atomic_bytes(p, size, &bytes, here);
    }
}

EXPORT(bool, __atomic_compare_exchange,
       (size_t size, void volatile *p, void *expected, void const *desired, int success,
        int failure)) {
    struct dh_here here = DH_HERE;
    dh_range_read(expected, size, here);
    dh_range_read(desired, size, here);
    bool done = compare_exchange(size, p, expected, desired, success, failure, here);
    if (!done) dh_range_write(expected, size, here);
    return done;
}
