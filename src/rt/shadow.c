#include "rt/shadow.h"
#include "rt/critical.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

dh_cell *dh_coarse;
uint8_t *dh_touched;

#define REGION ((uintptr_t)1 << DH_REGION_SHIFT)
#define REGION_SHADOW (2 * REGION)

static uintptr_t *map_table; /* DH_SHADOW_MAP, writable */
static uintptr_t zeros;      /* a region's shadow that is read-only and empty */
static struct dh_mutex region_lock;

static _Noreturn void no_address_space(char const *what) {
    struct rlimit64 limit = {0, 0};
    dh_syscall(SYS_prlimit64, 0l, (long)RLIMIT_AS, 0l, &limit, 0l, 0l);
    if (limit.rlim_cur != RLIM64_INFINITY)
        dh_die("cannot reserve address space for %s: the limit on virtual memory is %lu kB (ulimit -v). "
               "The reservation costs no memory until it is used; run with 'ulimit -v unlimited'.",
               what, (unsigned long)(limit.rlim_cur / 1024));
    dh_die("cannot reserve address space for %s. If vm.overcommit_memory is 2, set it to 0 or 1: the "
           "reservation costs no memory until it is used.",
           what);
}

static uintptr_t reserve(uintptr_t at, uintptr_t size, int protection, int flags, char const *what) {
    long p = dh_syscall(SYS_mmap, at, size, (long)protection,
                        (long)(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags), -1l, 0l);
    if (p < 0 && p > -4096) no_address_space(what);
    if (at && (uintptr_t)p != at)
        dh_die("the page at %p, which compiled code expects to find the shadow map at, is taken",
               (void *)at);
    dh_syscall(SYS_madvise, p, size, (long)MADV_DONTDUMP, 0l, 0l, 0l);
    return (uintptr_t)p;
}

void dh_shadow_init(void) {
    map_table = (uintptr_t *)reserve(DH_SHADOW_MAP_ADDRESS, DH_REGIONS * sizeof(uintptr_t),
                                     PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE, "the shadow map");
    zeros = reserve(0, REGION_SHADOW, PROT_READ, 0, "the empty shadow");
    for (uintptr_t r = 0; r < DH_REGIONS; r++)
        map_table[r] = zeros - 2 * (r << DH_REGION_SHIFT);
    int both = PROT_READ | PROT_WRITE;
    dh_coarse = (dh_cell *)reserve(0, (DH_ADDRESS_END >> DH_UNIT_SHIFT) * sizeof(dh_cell), both, 0,
                                   "the coarse shadow");
    dh_touched = (uint8_t *)reserve(0, DH_ADDRESS_END >> DH_TOUCHED_SHIFT, both, 0, "the shadow's index");
}

static bool region_empty(uintptr_t region) {
    return map_table[region] + 2 * (region << DH_REGION_SHIFT) == zeros;
}

DH_COLD void dh_shadow_touch_slow(uintptr_t address) {
    uintptr_t region = address >> DH_REGION_SHIFT;
    dh_critical_enter();
    dh_mutex_lock(&region_lock);
    if (region_empty(region)) {
        uintptr_t shadow = reserve(0, REGION_SHADOW, PROT_READ | PROT_WRITE, 0, "shadow memory");
        dh_syscall(SYS_madvise, shadow, REGION_SHADOW, (long)MADV_NOHUGEPAGE, 0l, 0l, 0l);
        __atomic_store_n(&map_table[region], shadow - 2 * (region << DH_REGION_SHIFT), __ATOMIC_RELEASE);
    }
    __atomic_store_n(&dh_touched[address >> DH_TOUCHED_SHIFT], 1, __ATOMIC_RELEASE);
    dh_mutex_unlock(&region_lock);
    dh_critical_leave();
}

void dh_shadow_clear(uintptr_t from, uintptr_t to) {
    uintptr_t const page = 4096;
    while (from < to) {
        uintptr_t region_end = (from & ~(REGION - 1)) + REGION;
        uintptr_t end = to < region_end ? to : region_end;
        if (!region_empty(from >> DH_REGION_SHIFT)) {
            uintptr_t a = (uintptr_t)dh_shadow(from), b = a + 2 * (end - from);
            uintptr_t first = (a + page - 1) & ~(page - 1), last = b & ~(page - 1);
            if (first < last && last - first >= 16 * page) {
                dh_fill((void *)a, 0, first - a);
                dh_fill((void *)last, 0, b - last);
                dh_syscall(SYS_madvise, first, last - first, (long)MADV_DONTNEED, 0l, 0l, 0l);
            } else {
                dh_fill((void *)a, 0, b - a);
            }
        }
        from = end;
    }
}

void dh_shadow_each(void (*visit)(dh_cell *from, dh_cell *to)) {
    uintptr_t const megabyte = (uintptr_t)1 << DH_TOUCHED_SHIFT;
    for (uintptr_t r = 0; r < DH_ADDRESS_END >> DH_REGION_SHIFT; r++) {
        if (region_empty(r)) continue;
        for (uintptr_t a = r << DH_REGION_SHIFT; a < (r + 1) << DH_REGION_SHIFT; a += megabyte)
            if (dh_touched[a >> DH_TOUCHED_SHIFT]) {
                visit(dh_shadow(a), dh_shadow(a) + megabyte / DH_CELL_BYTES);
                visit(dh_coarse_of(a), dh_coarse_of(a) + megabyte / DH_UNIT);
            }
    }
}
