/* ThreadSanitizer's functions for atomics do what they say, for all sizes, and order by it. */
#include "test.h"

#include <sanitizer/common_interface_defs.h>
#include <sanitizer/tsan_interface_atomic.h>

#define ORDERS __tsan_memory_order_acq_rel, __tsan_memory_order_acquire

#define SIZE(bits)                                                                                \
    static void results_##bits(void) {                                                            \
        __tsan_atomic##bits x = 5, expected = 6;                                                  \
        CHECK(__tsan_atomic##bits##_load(&x, __tsan_memory_order_seq_cst) == 5);                  \
        __tsan_atomic##bits##_store(&x, 6, __tsan_memory_order_release);                          \
        CHECK(__tsan_atomic##bits##_exchange(&x, 7, __tsan_memory_order_relaxed) == 6);           \
        CHECK(__tsan_atomic##bits##_fetch_add(&x, 3, __tsan_memory_order_acquire) == 7);          \
        CHECK(__tsan_atomic##bits##_fetch_sub(&x, 4, __tsan_memory_order_release) == 10);         \
        CHECK(__tsan_atomic##bits##_fetch_and(&x, 2, __tsan_memory_order_acq_rel) == 6);          \
        CHECK(__tsan_atomic##bits##_fetch_or(&x, 5, __tsan_memory_order_seq_cst) == 2);           \
        CHECK(__tsan_atomic##bits##_fetch_xor(&x, 1, __tsan_memory_order_relaxed) == 7);          \
        CHECK(__tsan_atomic##bits##_fetch_nand(&x, 2, __tsan_memory_order_relaxed) == 6);         \
        CHECK(x == -3);                                                                           \
        CHECK(!__tsan_atomic##bits##_compare_exchange_strong(&x, &expected, 9, ORDERS));          \
        CHECK(expected == -3);                                                                    \
        CHECK(__tsan_atomic##bits##_compare_exchange_strong(&x, &expected, 9, ORDERS) && x == 9); \
        expected = 8;                                                                             \
        CHECK(!__tsan_atomic##bits##_compare_exchange_weak(&x, &expected, 1, ORDERS));            \
        CHECK(__tsan_atomic##bits##_compare_exchange_val(&x, 9, 2, ORDERS) == 9 && x == 2);       \
    }                                                                                             \
    static void *results_of_##bits(void *unused) {                                                \
        results_##bits();                                                                         \
        return unused;                                                                            \
    }
SIZE(8)
SIZE(16)
SIZE(32)
SIZE(64)
SIZE(128)

int shared, fenced;
static __tsan_atomic64 ready, ready_by_fence;

static void *give(void *unused) {
    shared = 1;
    __tsan_atomic64_store(&ready, 1, __tsan_memory_order_release);
    fenced = 1;
    __tsan_atomic_thread_fence(__tsan_memory_order_release);
    __tsan_atomic64_store(&ready_by_fence, 1, __tsan_memory_order_relaxed);
    return unused;
}

static void *take(void *unused) {
    while (!__tsan_atomic64_load(&ready, __tsan_memory_order_acquire)) {}
    CHECK(shared == 1);
    while (!__tsan_atomic64_load(&ready_by_fence, __tsan_memory_order_relaxed)) {}
    __tsan_atomic_thread_fence(__tsan_memory_order_acquire);
    __tsan_atomic_signal_fence(__tsan_memory_order_acquire);
    CHECK(fenced == 1);
    return unused;
}

static void *unaligned(void *unused) {
    char bytes[16] = {0};
    __sanitizer_unaligned_store16(bytes + 1, 0x1234);
    __sanitizer_unaligned_store32(bytes + 3, 0x12345678);
    __sanitizer_unaligned_store64(bytes + 7, 0x123456789abcdef0);
    CHECK(__sanitizer_unaligned_load16(bytes + 1) == 0x1234);
    CHECK(__sanitizer_unaligned_load32(bytes + 3) == 0x12345678);
    CHECK(__sanitizer_unaligned_load64(bytes + 7) == 0x123456789abcdef0);
    return unused;
}

int main(void) {
    run_two(results_of_8, results_of_16);
    run_two(results_of_32, results_of_64);
    run_two(results_of_128, unaligned);
    run_two(give, take);
    return 0;
}
