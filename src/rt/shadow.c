#include "rt/shadow.h"
#include "rt/blocks.h"
#include "rt/records.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* The same for each gigabyte, so that a walk over everything is short. */
#define GIGABYTE_SHIFT 30
static uint8_t touched_gigabytes[DH_ADDRESS_END >> GIGABYTE_SHIFT] DH_TABLE;

/* Linux puts a position independent program at two thirds of user space and up, other programs near
 * 0, the stack at the top, and mappings from below the stack downwards. Randomisation moves each by
 * at most 16 terabytes (vm.mmap_rnd_bits = 32). So the program's are [0, 1/6) and [2/3, 1) of user
 * space, and with bit 46 turned over these are the rest.
 *
 * The skew moves shadow beyond what is turned over. So that none of it is the program's, the last
 * page in front of each stretch of shadow is none, either; the last page of user space is
 * nobody's. */
#define SIXTH 0x155555550000ul
#define HALF 0x400000000000ul
#define TWO_THIRDS (SIXTH + HALF)
#define PAGE 4096ul
_Static_assert(DH_SHADOW_SKEW <= PAGE, "the skew leaves a page at most");
static struct dh_stretch const usual[DH_STRETCHES] = {{SIXTH - PAGE, TWO_THIRDS}, {0, 0}, {0, 0}};

/* With 'ulimit -s unlimited' mappings go from one third of user space upwards, and only the stack
 * is at the top. A quarter of a terabyte is left for it. */
#define THIRD 0x2aaaaaaa0000ul
#define STACKS 0x004000000000ul
static struct dh_stretch const bottom_up[DH_STRETCHES] = {
    {SIXTH - PAGE, THIRD},                   /* of a position independent program */
    {HALF - STACKS - PAGE, TWO_THIRDS},      /* of the stack, of other programs */
    {THIRD + HALF - PAGE, 2 * HALF - STACKS} /* of mappings */
};

extern void *__libc_stack_end;

struct dh_stretch dh_stretches[DH_STRETCHES];

static _Noreturn void no_address_space(char const *what) {
    struct rlimit64 limit = {0, 0};
    dh_syscall(SYS_prlimit64, 0l, (long)RLIMIT_AS, 0l, &limit, 0l, 0l);
    if (limit.rlim_cur != RLIM64_INFINITY)
        dh_die("cannot reserve address space for %s: the limit on virtual memory is %lu kB (ulimit "
               "-v). The reservation costs no memory until it is used; run with 'ulimit -v "
               "unlimited', or unchecked with DEADHEAT_OPTIONS=enabled=0.",
               what, (unsigned long)(limit.rlim_cur / 1024));
    dh_die("cannot reserve address space for %s. If vm.overcommit_memory is 2, set it to 0 or 1: "
           "the reservation costs no memory until it is used; or run unchecked with "
           "DEADHEAT_OPTIONS=enabled=0.",
           what);
}

static void reserve(uintptr_t at, uintptr_t size, char const *what) {
    long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    long p = dh_syscall(SYS_mmap, at, size, (long)(PROT_READ | PROT_WRITE), flags, -1l, 0l);
    if (p == -EEXIST || (p > 0 && (uintptr_t)p != at))
        dh_die("something is mapped between %p and %p, where %s must be", (void *)at,
               (void *)(at + size), what);
    if (p < 0 && p > -4096) no_address_space(what);
    dh_syscall(SYS_madvise, p, size, (long)MADV_DONTDUMP, 0l, 0l, 0l);
}

void dh_shadow_place(void) {
    /* Where libc is says which way mappings go. */
    uintptr_t library = (uintptr_t)&__libc_stack_end;
    bool upwards = library >= THIRD && library < TWO_THIRDS;
    for (int i = 0; i < DH_STRETCHES; i++)
        dh_stretches[i] = upwards ? bottom_up[i] : usual[i];
}

void dh_shadow_init(void) {
    dh_shadow_place();
    for (int i = 0; i < DH_STRETCHES; i++) {
        struct dh_stretch s = dh_stretches[i];
        if (s.from == s.to) continue;
        reserve(s.from, s.to - s.from, "shadow memory");
        dh_syscall(SYS_madvise, s.from, s.to - s.from, (long)MADV_NOHUGEPAGE, 0l, 0l, 0l);
    }
    reserve((uintptr_t)DH_OWNERS, DH_OWNERS_COUNT * sizeof *DH_OWNERS, "owners of shadow");
    reserve((uintptr_t)DH_COARSE, DH_COARSE_COUNT * sizeof *DH_COARSE, "the coarse shadow");
    reserve((uintptr_t)DH_BLOCKS, DH_BLOCKS_COUNT * sizeof *DH_BLOCKS, "the shadow of blocks");
    reserve((uintptr_t)DH_TOUCHED, DH_TOUCHED_COUNT, "the shadow's index");
    reserve((uintptr_t)DH_EPOCHS, DH_EPOCHS_COUNT * sizeof *DH_EPOCHS, "epochs");
    reserve((uintptr_t)DH_SETS, DH_SETS_COUNT * sizeof *DH_SETS, "sets of epochs");
    reserve((uintptr_t)DH_SPLITS, DH_SPLITS_COUNT * sizeof *DH_SPLITS, "splits");
    reserve((uintptr_t)DH_RECORDS, DH_RECORDS_COUNT * sizeof *DH_RECORDS, "records");
    dh_blocks_init();
}

void dh_shadow_clear(uintptr_t from, uintptr_t to) {
    uintptr_t a = (uintptr_t)dh_shadow(from), b = a + (to - from);
    uintptr_t first = (a + PAGE - 1) & ~(PAGE - 1), last = b & ~(PAGE - 1);
    if (first < last && last - first >= 16 * PAGE) {
        dh_fill((void *)a, 0, first - a);
        dh_fill((void *)last, 0, b - last);
        dh_syscall(SYS_madvise, first, last - first, (long)MADV_DONTNEED, 0l, 0l, 0l);
    } else {
        dh_fill((void *)a, 0, b - a);
    }
}

static uint64_t touched_megabytes;

DH_COLD void dh_shadow_touch_slow(uintptr_t address) {
    __atomic_store_n(&touched_gigabytes[address >> GIGABYTE_SHIFT], 1, __ATOMIC_RELAXED);
    if (!__atomic_exchange_n(&DH_TOUCHED[address >> DH_TOUCHED_SHIFT], 1, __ATOMIC_RELAXED))
        __atomic_fetch_add(&touched_megabytes, 1, __ATOMIC_RELAXED);
}

uint64_t dh_shadow_megabytes(void) { return __atomic_load_n(&touched_megabytes, __ATOMIC_RELAXED); }

void dh_shadow_each(void (*visit)(dh_cell *from, dh_cell *to)) {
    uintptr_t const megabyte = (uintptr_t)1 << DH_TOUCHED_SHIFT,
                    gigabyte = (uintptr_t)1 << GIGABYTE_SHIFT;
    for (uintptr_t g = 0; g < DH_ADDRESS_END; g += gigabyte) {
        if (!touched_gigabytes[g >> GIGABYTE_SHIFT]) continue;
        for (uintptr_t a = g; a < g + gigabyte; a += megabyte) {
            if (!DH_TOUCHED[a >> DH_TOUCHED_SHIFT]) continue;
            visit(dh_coarse_of(a), dh_coarse_of(a) + megabyte / DH_UNIT);
            visit(dh_block_of(a), dh_block_of(a) + megabyte / DH_BLOCK);
            for (uintptr_t b = a; b < a + megabyte; b += DH_BLOCK)
                if (dh_block_has_cells(b)) visit(dh_shadow(b), dh_shadow(b) + DH_BLOCK_CELLS);
        }
    }
    dh_blocks_each_list(visit);
}
