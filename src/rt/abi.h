/* What compiled code and the runtime agree on. src/emit/fastpath.c is compiled against this page to
 * the bitcode that is inlined into users' programs, so a change here is a change of binary
 * interface: raise DH_ABI_VERSION with it, so that objects of another age do not link.
 */
#ifndef DEADHEAT_RT_ABI_H
#define DEADHEAT_RT_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DH_ABI_VERSION 3

/* The shadow of address a is at a with bit 46 turned over, and a little further: one 64-bit cell in
 * the place of each eight bytes. Programs live in the lower and the upper part of user space, so
 * that one of a and its shadow is the program's and the other is free; rt/shadow.c reserves the
 * free halves, whatever randomisation did.
 *
 * A little further, by an odd number of cache lines of about half a page: processors take a load
 * for one from an unfinished store where the last twelve bits of both addresses are equal, and
 * wait. Without the skew that is the test of an address behind each store to it
 * (docs/layout.md). */
#define DH_SHADOW_BIT 46
#define DH_SHADOW_XOR ((uintptr_t)1 << DH_SHADOW_BIT)
#define DH_SHADOW_SKEW ((uintptr_t)35 * 64)
/* Of an address that is a multiple of eight. */
#define DH_SHADOW(a) (((a) ^ DH_SHADOW_XOR) + DH_SHADOW_SKEW)

/* The part of a thread's state that the inlined test reads. Initial-exec, so one instruction each.
 *   epoch    the word of the running epoch with all eight bytes set.
 *            0 while the process has never had a second thread: untouched cells match it, nothing
 *            is recorded. DH_WORD_NOMATCH when the next access must open a new epoch first,
 *            DH_WORD_STRANGER when it must make the thread known.
 *   readset  the word of a set that holds the running epoch on all eight bytes; epoch if none is
 *            known.
 *   gathered, gathering  the table of what was gathered in the running epoch, null if there is none,
 *            and the upper bits of its words (below). 0 when what the table says is over.
 * Compiled code does not look at `known` (rt/parts.h) and `trail` (rt/trails.h), which are behind all
 * that it looks at.
 */
#define DH_KNOWN_SETS 16
struct dh_tls {
    uint32_t epoch;
    uint32_t readset;
    struct dh_thread *self; /* null until the runtime knows the thread */
    struct dh_loop *loops;  /* open loops that the thread is in, innermost first */
    uint64_t const *gathered;
    uint32_t gathering;
    uint64_t known[DH_KNOWN_SETS];
    struct {
        uintptr_t begin;     /* what is known: reads so far behind this, */
        uintptr_t limit;     /* less than this; 0: none */
        uintptr_t committed; /* what is pending: from here on, */
        uintptr_t reach;     /* reads so far behind, less than this; 0: none; */
        uintptr_t end;       /* to here; 0: there is no trail */
        uintptr_t missed;    /* the last read that was past the test, */
        uintptr_t first;     /* the first of those that were near each other, */
        uint32_t row;        /* and how many there were behind it */
        int32_t left;        /* accesses, until what is pending is committed: none if not above 0 */
    } trail;
};

/* The table of rt/gathers.h. A word of it stands for DH_GATHER_CELLS cells side by side: its lower
 * half has a bit for each, and the upper half what tells their address from others in the same
 * place, with the generation of the table above that:
 *
 *    63   60 59          32 31     0        address: 46          19 18    8 7    3 2   0
 *    generation |  address  |  bits                  in the word  |  place | bit  | 0
 *
 * A generation is never 0. */
enum { DH_GATHER_CELLS = 32, DH_GATHER_WORDS = 2048, DH_GATHER_ADDRESS_BITS = 28 };

/* A loop whose accesses are checked behind it keeps an account of them meanwhile, in its frame: the
 * process may end, or a signal handler not come back, while the thread is in it (rt/loops.h).
 * Compiled code fills it in before it is linked, and unlinks it behind the checks. Each access
 * counts its rounds right after it was made, in each of them. */
struct dh_loop {
    struct dh_loop *outer;
    struct dh_loop_run {
        struct dh_loop_place const *place;
        void *first;
        size_t rounds;
    } runs[]; /* up to the one whose place is the last */
};

/* What the compiler knows of such an access. It lies behind the code. */
struct dh_loop_place {
    int32_t pc; /* from here on: what stands for the access in reports, a return address */
    uint16_t write;
    uint16_t last;
    size_t size;
    ptrdiff_t stride;
    uint64_t more; /* accesses that are ahead of this one, by so many rounds, share the check */
} __attribute__((packed));

/* Where the runtime and the executable are one, the parts that are called most know the address. */
#ifndef DH_TLS_MODEL
#define DH_TLS_MODEL "initial-exec"
#endif
extern _Thread_local struct dh_tls __dh_tls __attribute__((tls_model(DH_TLS_MODEL)));

/* Slow exits of the inlined tests. They keep all registers but the return value's and r11. */
#define DH_SLOW __attribute__((preserve_most))
DH_SLOW void __dh_read1_slow(void const *p);
DH_SLOW void __dh_read2_slow(void const *p);
DH_SLOW void __dh_read4_slow(void const *p);
DH_SLOW void __dh_read8_slow(void const *p);
DH_SLOW void __dh_read16_slow(void const *p);
DH_SLOW void __dh_write1_slow(void *p);
DH_SLOW void __dh_write2_slow(void *p);
DH_SLOW void __dh_write4_slow(void *p);
DH_SLOW void __dh_write8_slow(void *p);
DH_SLOW void __dh_write16_slow(void *p);
DH_SLOW void __dh_read2_unaligned_slow(void const *p);
DH_SLOW void __dh_read4_unaligned_slow(void const *p);
DH_SLOW void __dh_read8_unaligned_slow(void const *p);
DH_SLOW void __dh_write2_unaligned_slow(void *p);
DH_SLOW void __dh_write4_unaligned_slow(void *p);
DH_SLOW void __dh_write8_unaligned_slow(void *p);
DH_SLOW void __dh_gather8_slow(void const *p);
/* Of a row: accesses of `unit` bytes each side by side, `size` in all, from one place in the source.
 * False: each is to be looked at by itself. */
DH_SLOW bool __dh_read_row_slow(void const *p, size_t size, size_t unit);
DH_SLOW bool __dh_write_row_slow(void *p, size_t size, size_t unit);
/* Of a group: accesses side by side, `size` bytes in all, some of which share a cell, from several
 * places. What comes back is what is left to do for each, from its own place (DH_RUN_NOTE and
 * DH_RUN_JUDGE), by the exit of a member. */
DH_SLOW uint32_t __dh_read_group_slow(void const *p, size_t size);
DH_SLOW uint32_t __dh_write_group_slow(void *p, size_t size);
DH_SLOW void __dh_read_member_slow(void const *p, size_t size, uint32_t left);
DH_SLOW void __dh_write_member_slow(void *p, size_t size, uint32_t left);

/* What the compiler puts before each access; the first ten are inlined and expect natural alignment
 * (16: 8 is enough). The ranges take any address and any size, zero included. */
void __dh_check_read1(void const *p);
void __dh_check_read2(void const *p);
void __dh_check_read4(void const *p);
void __dh_check_read8(void const *p);
void __dh_check_read16(void const *p);
void __dh_check_write1(void *p);
void __dh_check_write2(void *p);
void __dh_check_write4(void *p);
void __dh_check_write8(void *p);
void __dh_check_write16(void *p);
void __dh_check_read2_unaligned(void const *p);
void __dh_check_read4_unaligned(void const *p);
void __dh_check_read8_unaligned(void const *p);
void __dh_check_write2_unaligned(void *p);
void __dh_check_write4_unaligned(void *p);
void __dh_check_write8_unaligned(void *p);
/* __dh_check_read8 of reads all over an array; inlined. */
void __dh_check_gather8(void const *p);
/* These, called (emit/called.c). They keep registers as the slow exits do. */
#define DH_CALLED_CHECKS(name)                          \
    DH_SLOW void __dh_called_read##name(void const *p); \
    DH_SLOW void __dh_called_write##name(void *p);
DH_CALLED_CHECKS(1)
DH_CALLED_CHECKS(2)
DH_CALLED_CHECKS(4)
DH_CALLED_CHECKS(8)
DH_CALLED_CHECKS(16)
DH_CALLED_CHECKS(2_unaligned)
DH_CALLED_CHECKS(4_unaligned)
DH_CALLED_CHECKS(8_unaligned)
void __dh_check_read_range(void const *p, size_t size);
void __dh_check_write_range(void *p, size_t size);

/* In the place of the fast ones where checks of neighbours are to be made as one
 * (rt/footprint.h). */
void __dh_foot_read(void const *p, size_t size);
void __dh_foot_write(void *p, size_t size);

/* `count` accesses of `size` bytes, each `stride` bytes from the last, backwards if that is
 * negative. The stride is not 0. */
void __dh_check_read_run(void const *p, size_t size, ptrdiff_t stride, size_t count);
void __dh_check_write_run(void *p, size_t size, ptrdiff_t stride, size_t count);

/* The same behind a loop that may have had few rounds, or none: inlined, of accesses with natural
 * alignment. Up to DH_FEW are checked one by one; more, by the slow exit. */
enum { DH_FEW = 4 };
#define DH_FEW_CHECKS(bytes)                                                                     \
    void __dh_check_read_few##bytes(void const *p, size_t size, ptrdiff_t stride, size_t count); \
    void __dh_check_write_few##bytes(void *p, size_t size, ptrdiff_t stride, size_t count);
DH_FEW_CHECKS(1)
DH_FEW_CHECKS(2)
DH_FEW_CHECKS(4)
DH_FEW_CHECKS(8)
DH_SLOW void __dh_read_many_slow(void const *p, size_t size, ptrdiff_t stride, size_t count);
DH_SLOW void __dh_write_many_slow(void *p, size_t size, ptrdiff_t stride, size_t count);

/* The same for several runs that go side by side, with the same stride and count, and are `size`
 * bytes together in each round, without a gap. What comes back is not 0 if each of them has
 * something left to do: then it is to be called by itself, from its own place in the code, with
 * that. */
enum {
    DH_RUN_NOTE = 1,  /* to be noted in the history */
    DH_RUN_JUDGE = 2, /* there are races, or what there is was not looked at */
};
uint32_t __dh_check_read_runs(void const *p, size_t size, ptrdiff_t stride, size_t count);
uint32_t __dh_check_write_runs(void *p, size_t size, ptrdiff_t stride, size_t count);
DH_SLOW void __dh_read_run_slow(void const *p, size_t size, ptrdiff_t stride, size_t count,
                                uint32_t left);
DH_SLOW void __dh_write_run_slow(void *p, size_t size, ptrdiff_t stride, size_t count,
                                 uint32_t left);

/* Masked and scattered vector accesses: lane i of `lanes` (at most 64 a call) is accessed if bit i
 * of `mask` is set; it is `lane_size` bytes at p + i * lane_size, or at ps[i]. */
void __dh_check_read_masked(void const *p, uint64_t mask, uint32_t lanes, uint32_t lane_size);
void __dh_check_write_masked(void *p, uint64_t mask, uint32_t lanes, uint32_t lane_size);
void __dh_check_read_gather(void const *const *ps, uint64_t mask, uint32_t lanes,
                            uint32_t lane_size);
void __dh_check_write_scatter(void *const *ps, uint64_t mask, uint32_t lanes, uint32_t lane_size);

/* Atomics. The operation and the update of its clock are one step, so the runtime does both.
 * `order` is a memory order of the C ABI (__ATOMIC_RELAXED..__ATOMIC_SEQ_CST), with DH_ORDER_CXX20
 * set where a later store by the same thread ends a release sequence (C++20; in C it continues it).
 */
#define DH_ORDER_MASK 0xfu
#define DH_ORDER_CXX20 0x10u

enum dh_rmw {
    DH_RMW_XCHG,
    DH_RMW_ADD,
    DH_RMW_SUB,
    DH_RMW_AND,
    DH_RMW_NAND,
    DH_RMW_OR,
    DH_RMW_XOR,
    DH_RMW_MAX,
    DH_RMW_MIN,
    DH_RMW_UMAX,
    DH_RMW_UMIN,
    DH_RMW_UINC_WRAP,
    DH_RMW_UDEC_WRAP,
    DH_RMW_FADD,
    DH_RMW_FSUB,
    DH_RMW_FMAX,
    DH_RMW_FMIN, /* 32: float, 64: double, as their bits */
    DH_RMWS
};

/* T is the unsigned integer type of that many bits; 128 needs 16-byte alignment.
 * compare_exchange returns the old value; it was exchanged if that equals `expected`. */
#define DH_ATOMICS(X) \
    X(8, uint8_t) X(16, uint16_t) X(32, uint32_t) X(64, uint64_t) X(128, unsigned __int128)
#define DH_DECLARE_ATOMICS(bits, T)                                                                \
    T __dh_atomic##bits##_load(T const volatile *p, uint32_t order);                               \
    void __dh_atomic##bits##_store(T volatile *p, T value, uint32_t order);                        \
    T __dh_atomic##bits##_rmw(T volatile *p, T operand, uint32_t op, uint32_t order);              \
    T __dh_atomic##bits##_compare_exchange(T volatile *p, T expected, T desired, uint32_t success, \
                                           uint32_t failure);
DH_ATOMICS(DH_DECLARE_ATOMICS)
void __dh_atomic_thread_fence(uint32_t order);

/* A module with open loops calls this from a constructor of its own. Idempotent. */
void __dh_has_loops(void);

/* Every instrumented module calls this from a constructor of its own, before any other of its code.
 * The name carries the version: objects of another one do not link. Idempotent. */
void __dh_init_v3(void);

#endif
