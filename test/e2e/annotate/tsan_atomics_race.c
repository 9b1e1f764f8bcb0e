/* Relaxed ones order nothing; plain accesses race with all of them, and so do those that are not aligned. */
/* EXPECT: global 'shared' */
/* EXPECT: global 'word' */
/* EXPECT: global 'bytes' */
/* EXPECT: global 'range' */
/* EXPECT: 4 races reported */
#include "test.h"

#include <sanitizer/common_interface_defs.h>
#include <sanitizer/tsan_interface_atomic.h>

void __tsan_read_range_pc(void *p, unsigned long size, void *pc);
void __tsan_write_range_pc(void *p, unsigned long size, void *pc);

int shared;
__tsan_atomic32 word;
char bytes[16], range[64];
static __tsan_atomic32 ready;

static void *first(void *unused) {
    shared = 1;
    word = 1;
    bytes[8] = 1;
    __tsan_write_range_pc(range, 40, (char *)first + 1);
    __tsan_atomic32_store(&ready, 1, __tsan_memory_order_relaxed);
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    CHECK(__tsan_atomic32_load(&ready, __tsan_memory_order_acquire) == 1);
    shared = 2;
    __tsan_atomic32_fetch_add(&word, 1, __tsan_memory_order_relaxed);
    __sanitizer_unaligned_store32(bytes + 5, 0);
    __tsan_read_range_pc(range + 39, 20, (char *)second + 1);
    return unused;
}

int main(void) {
    run_two(first, second);
    return 0;
}
