/* What atomic operations do to memory, for rt/atomics.c: the arithmetic of a read-modify-write, and
 * the instructions, for integers of 8 to 128 bits.
 */
#ifndef DEADHEAT_RT_OPERATIONS_H
#define DEADHEAT_RT_OPERATIONS_H

#include "rt/abi.h"
#include "rt/base.h"

#include <cpuid.h>

static inline float float_of(uint32_t bits) { return __builtin_bit_cast(float, bits); }
static inline double double_of(uint64_t bits) { return __builtin_bit_cast(double, bits); }

/* A number wins over none. */
#define MINMAX(op, a, b) ((b) != (b) || ((op) == DH_RMW_FMAX ? (a) > (b) : (a) < (b)) ? (a) : (b))

static inline uint32_t float_rmw(uint32_t op, uint32_t old, uint32_t operand) {
    float a = float_of(old), b = float_of(operand);
    float new = op == DH_RMW_FADD ? a + b : op == DH_RMW_FSUB ? a - b : MINMAX(op, a, b);
    return __builtin_bit_cast(uint32_t, new);
}
static inline uint64_t double_rmw(uint32_t op, uint64_t old, uint64_t operand) {
    double a = double_of(old), b = double_of(operand);
    double new = op == DH_RMW_FADD ? a + b : op == DH_RMW_FSUB ? a - b : MINMAX(op, a, b);
    return __builtin_bit_cast(uint64_t, new);
}

#define DEFINE_APPLY(bits, T, S)                                                          \
    static T apply##bits(uint32_t op, T old, T operand) {                                 \
        switch (op) {                                                                     \
        case DH_RMW_XCHG: return operand;                                                 \
        case DH_RMW_ADD: return (T)(old + operand);                                       \
        case DH_RMW_SUB: return (T)(old - operand);                                       \
        case DH_RMW_AND: return old & operand;                                            \
        case DH_RMW_NAND: return (T) ~(old & operand);                                    \
        case DH_RMW_OR: return old | operand;                                             \
        case DH_RMW_XOR: return old ^ operand;                                            \
        case DH_RMW_MAX: return (S)old > (S)operand ? old : operand;                      \
        case DH_RMW_MIN: return (S)old < (S)operand ? old : operand;                      \
        case DH_RMW_UMAX: return old > operand ? old : operand;                           \
        case DH_RMW_UMIN: return old < operand ? old : operand;                           \
        case DH_RMW_UINC_WRAP: return old >= operand ? 0 : (T)(old + 1);                  \
        case DH_RMW_UDEC_WRAP: return old == 0 || old > operand ? operand : (T)(old - 1); \
        default:                                                                          \
            if (bits == 32) return (T)float_rmw(op, (uint32_t)old, (uint32_t)operand);    \
            return (T)double_rmw(op, (uint64_t)old, (uint64_t)operand);                   \
        }                                                                                 \
    }
DEFINE_APPLY(8, uint8_t, int8_t)
DEFINE_APPLY(16, uint16_t, int16_t)
DEFINE_APPLY(32, uint32_t, int32_t)
DEFINE_APPLY(64, uint64_t, int64_t)
DEFINE_APPLY(128, unsigned __int128, __int128)

/* The hardware operations, sequentially consistent, for the program may rely on less, never on
 * more; but a store that need not be is a plain instruction, and so is never weaker than a
 * release. */
#define DEFINE_RAW(bits, T)                                                                       \
    static T raw_load##bits(T const volatile *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); } \
    static inline void raw_store##bits(T volatile *p, T value, uint32_t order) {                  \
        if ((order & DH_ORDER_MASK) == __ATOMIC_SEQ_CST)                                          \
            __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                         \
        else                                                                                      \
            __atomic_store_n(p, value, __ATOMIC_RELEASE);                                         \
    }                                                                                             \
    static inline T raw_add##bits(T volatile *p, T operand) {                                     \
        return __atomic_fetch_add(p, operand, __ATOMIC_SEQ_CST);                                  \
    }                                                                                             \
    static inline bool raw_cas##bits(T volatile *p, T *expected, T desired) {                     \
        return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST,         \
                                           __ATOMIC_SEQ_CST);                                     \
    }
DEFINE_RAW(8, uint8_t)
DEFINE_RAW(16, uint16_t)
DEFINE_RAW(32, uint32_t)
DEFINE_RAW(64, uint64_t)

static inline bool raw_cas128(unsigned __int128 volatile *p, unsigned __int128 *expected,
                              unsigned __int128 desired) {
    unsigned __int128 old = __sync_val_compare_and_swap(p, *expected, desired);
    bool done = old == *expected;
    *expected = old;
    return done;
}

/* All makers promise that on a processor with AVX an aligned vector is loaded in one piece.
 * Elsewhere the bytes are exchanged with themselves, which needs memory that can be written. */
static inline bool vectors_load_whole(void) {
    static int8_t known; /* 0: not asked yet */
    if (DH_UNLIKELY(known == 0)) {
        unsigned a, b, c = 0, d;
        known = __get_cpuid(1, &a, &b, &c, &d) && c & bit_AVX ? 1 : -1;
    }
    return known > 0;
}

static inline unsigned __int128 raw_load128(unsigned __int128 const volatile *p) {
    unsigned __int128 value = 0;
    if (DH_UNLIKELY(!vectors_load_whole())) {
        raw_cas128((unsigned __int128 volatile *)p, &value, 0);
        return value;
    }
    uint64_t __attribute__((vector_size(16))) halves;
    __asm__ volatile("movdqa %1, %0" : "=x"(halves) : "m"(*p) : "memory");
    return __builtin_bit_cast(unsigned __int128, halves);
}

static inline unsigned __int128 raw_add128(unsigned __int128 volatile *p,
                                           unsigned __int128 operand) {
    unsigned __int128 old = raw_load128(p);
    while (!raw_cas128(p, &old, old + operand)) {}
    return old;
}

static inline void raw_store128(unsigned __int128 volatile *p, unsigned __int128 value,
                                uint32_t order) {
    unsigned __int128 old = raw_load128(p);
    (void)order;
    while (!raw_cas128(p, &old, value)) {}
}

#endif
