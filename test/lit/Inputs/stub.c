#include "stub.h"
#include "rt/abi.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BYTES = 255, EPOCH = 7 << 8, SET = (int)0x80000300 };
_Thread_local struct dh_tls __dh_tls = {.epoch = EPOCH | BYTES, .readset = SET | BYTES};

static char taken[4096];
static unsigned length;

static uint32_t *cell(uintptr_t a) {
    return (uint32_t *)DH_SHADOW(a & ~(uintptr_t)7);
}

/* Marks bytes one by one, and writes the name down. Called with all registers to be kept, so libc,
 * which does not keep the vector registers of preserve_most's caller either, may be used. */
static void slow(char const *name, void const *p, unsigned size, bool write) {
    length += (unsigned)snprintf(taken + length, sizeof taken - length, "%s ", name);
    for (uintptr_t a = (uintptr_t)p; a < (uintptr_t)p + size; a++) {
        uint32_t *w = &cell(a)[write ? 0 : 1];
        *w = ((*w & ~(uint32_t)BYTES) == EPOCH ? *w : EPOCH) | 1u << (a & 7);
    }
}

char const *stub_taken(void) {
    static char copy[sizeof taken];
    memcpy(copy, taken, length);
    copy[length] = 0;
    length = 0;
    return copy;
}
void stub_forget(void *p, unsigned long size) {
    for (uintptr_t a = (uintptr_t)p; a < (uintptr_t)p + size; a++)
        cell(a)[0] = cell(a)[1] = 0;
}
void stub_share(void *p, unsigned long size) {
    for (uintptr_t a = (uintptr_t)p; a < (uintptr_t)p + size; a++)
        cell(a)[1] = SET | BYTES;
}

#define EXIT(n, u, suffix)                                                                         \
    DH_SLOW void __dh_read##n##suffix(void const *p) { slow("r" #n u, p, n, false); }              \
    DH_SLOW void __dh_write##n##suffix(void *p) { slow("w" #n u, p, n, true); }
EXIT(1, "", _slow)
EXIT(2, "", _slow)
EXIT(4, "", _slow)
EXIT(8, "", _slow)
EXIT(16, "", _slow)
EXIT(2, "u", _unaligned_slow)
EXIT(4, "u", _unaligned_slow)
EXIT(8, "u", _unaligned_slow)

void __dh_check_read_range(void const *p, size_t size) { slow("rr", p, (unsigned)size, false); }
void __dh_check_write_range(void *p, size_t size) { slow("wr", p, (unsigned)size, true); }

uint8_t __dh_atomic8_load(uint8_t const volatile *p, uint32_t order) { return *p; }
uint16_t __dh_atomic16_load(uint16_t const volatile *p, uint32_t order) { return *p; }
uint16_t __dh_atomic16_compare_exchange(uint16_t volatile *p, uint16_t expected, uint16_t desired,
                                        uint32_t success, uint32_t failure) {
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}
uint8_t __dh_atomic8_rmw(uint8_t volatile *p, uint8_t operand, uint32_t op, uint32_t order) {
    return op == DH_RMW_ADD ? __atomic_fetch_add(p, operand, __ATOMIC_SEQ_CST) : 0;
}
uint64_t __dh_atomic64_compare_exchange(uint64_t volatile *p, uint64_t expected, uint64_t desired,
                                        uint32_t success, uint32_t failure) {
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}

static void *map(void *at, size_t size, int flags) {
    void *p = mmap(at, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (p == MAP_FAILED) perror("mmap"), _Exit(1);
    return p;
}

/* Shadow for where programs usually are: what rt/shadow.c reserves. */
void __dh_init_v3(void) {
    static bool done;
    if (done) return;
    done = true;
    map((void *)0x155555550000, 0x400000000000, MAP_FIXED_NOREPLACE);
}
