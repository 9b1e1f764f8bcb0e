/* Plain accesses: the slow exits of the inlined tests, ranges, masked and scattered vectors. */
#include "rt/access.h"
#include "rt/called_from.h"
#include "rt/judge.h"
#include "rt/quick.h"
#include "report/race.h"

#include <sys/syscall.h>

static inline void plain(void const *p, size_t size, enum dh_kind kind, struct dh_here here) {
    struct dh_judge j;
    uint32_t flags = kind == DH_WRITE ? DH_ACCESS_WRITE : 0;
    if (!dh_judge_begin(&j, kind, flags, (uintptr_t)p, size, here)) return;
    dh_judge_range(&j);
    dh_judge_end(&j);
}

void dh_range_read(void const *p, size_t size, struct dh_here here) {
    if (!dh_call_ignored(here)) plain(p, size, DH_READ, here);
}
void dh_range_write(void const *p, size_t size, struct dh_here here) {
    if (!dh_call_ignored(here)) plain(p, size, DH_WRITE, here);
}

void dh_access_one(uintptr_t address, size_t size, enum dh_kind kind, struct dh_here here) {
    if (size > DH_CELL_BYTES || !dh_quick(address, (uint32_t)size, false, kind, here))
        plain((void const *)address, size, kind, here);
}

#define EXPORT __attribute__((visibility("default")))

/* Most calls take the quick way, which should not pay for the registers of the long one: that is
 * entered by a jump, and finds the caller as if it had been called from there. */
#define SLOW(name, bytes, aligned)                                                        \
    static DH_SLOW __attribute__((noinline)) void long_read##name(void const *p) {        \
        plain(p, bytes, DH_READ, DH_HERE);                                                \
    }                                                                                     \
    static DH_SLOW __attribute__((noinline)) void long_write##name(void *p) {             \
        plain(p, bytes, DH_WRITE, DH_HERE);                                               \
    }                                                                                     \
    EXPORT DH_SLOW void __dh_read##name##_slow(void const *p) {                           \
        if (DH_LIKELY(dh_quick((uintptr_t)p, bytes, aligned, DH_READ, DH_HERE))) return;  \
        __attribute__((musttail)) return long_read##name(p);                              \
    }                                                                                     \
    EXPORT DH_SLOW void __dh_write##name##_slow(void *p) {                                \
        if (DH_LIKELY(dh_quick((uintptr_t)p, bytes, aligned, DH_WRITE, DH_HERE))) return; \
        __attribute__((musttail)) return long_write##name(p);                             \
    }
SLOW(1, 1, true)
SLOW(2, 2, true)
SLOW(4, 4, true)
SLOW(8, 8, true)
SLOW(2_unaligned, 2, false)
SLOW(4_unaligned, 4, false)
SLOW(8_unaligned, 8, false)

EXPORT DH_SLOW void __dh_read16_slow(void const *p) { plain(p, 16, DH_READ, DH_HERE); }
EXPORT DH_SLOW void __dh_write16_slow(void *p) { plain(p, 16, DH_WRITE, DH_HERE); }

EXPORT void __dh_check_read_range(void const *p, size_t size) { plain(p, size, DH_READ, DH_HERE); }
EXPORT void __dh_check_write_range(void *p, size_t size) { plain(p, size, DH_WRITE, DH_HERE); }

/* Runs are judged in pieces of so many bytes, or accesses: a critical section is to be short. */
enum { DENSE_PIECE = 1 << 16, SPARSE_PIECE = 1 << 10 };

/* Accesses that leave no gap between them. */
static void dense(uintptr_t first, size_t size, size_t stride, size_t count, enum dh_kind kind,
                  struct dh_here here) {
    struct dh_judge j;
    uint32_t flags = kind == DH_WRITE ? DH_ACCESS_WRITE : 0;
    if (!dh_judge_begin(&j, kind, flags, first, (count - 1) * stride + size, here)) return;
    j.unit = size;
    j.stride = stride;
    dh_judge_range(&j);
    dh_judge_end(&j);
}

/* How many of these accesses, each within a cell and all in the same place of it, the inlined test
 * (emit/fastpath.c) would let pass. */
static inline size_t same_from(uintptr_t at, dh_word bytes, size_t stride, size_t count,
                               enum dh_kind kind) {
    dh_word const epoch = __dh_tls.epoch, other = kind == DH_READ ? __dh_tls.readset : epoch;
    dh_word const bits = ~DH_WORD_BYTES_MASK | bytes;
    char const *word = (char const *)dh_shadow(at) + (kind == DH_READ ? sizeof(dh_word) : 0);
    size_t n = 0;
    for (; n < count; n++, word += stride) {
        dh_word w = __atomic_load_n((dh_word const *)word, __ATOMIC_RELAXED);
        if (((w ^ epoch) & bits) != 0 && ((w ^ other) & bits) != 0) break;
    }
    return n;
}

/* Accesses with gaps between them, each in the same place of a cell, as far as the quick way goes: in
 * one critical section, and one event of the history. Returns how many. */
static inline size_t sparse_quick(uintptr_t first, uint32_t size, size_t stride, size_t count,
                                  enum dh_kind kind, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    dh_word const bytes = ((1u << size) - 1) << first % DH_CELL_BYTES;
    bool changed = false;
    size_t n = 0;
    dh_critical_enter();
    if (DH_LIKELY(__dh_tls.epoch - 1 < DH_WORD_OBJECT) || dh_epochs_open_quick(self))
        for (;; n++) {
            n += same_from(first + n * stride, bytes, stride, count - n, kind);
            if (n == count || !dh_quick_cell(first + n * stride, bytes, kind, self, &changed))
                break;
        }
    if (changed && n > 0)
        dh_history_add_run(self, first, size, (uint32_t)stride, (uint32_t)n,
                           kind == DH_WRITE ? DH_ACCESS_WRITE : 0, here);
    dh_critical_leave();
    return n;
}

static void sparse(uintptr_t first, size_t size, size_t stride, size_t count, enum dh_kind kind,
                   struct dh_here here) {
    bool quick = first % DH_CELL_BYTES + size <= DH_CELL_BYTES && stride % DH_CELL_BYTES == 0
                 && stride <= UINT32_MAX && !dh_recording;
    while (count > 0) {
        size_t done = 0;
        if (quick && kind == DH_READ)
            done = sparse_quick(first, (uint32_t)size, stride, count, DH_READ, here);
        else if (quick)
            done = sparse_quick(first, (uint32_t)size, stride, count, DH_WRITE, here);
        if (done < count) {
            dh_access_one(first + done * stride, size, kind, here);
            done++;
        }
        first += done * stride;
        count -= done;
    }
}

static bool is_mapped(uintptr_t address) {
    unsigned char resident;
    return dh_syscall(SYS_mincore, address & -(uintptr_t)4096, 1l, &resident, 0l, 0l, 0l) == 0;
}

/* A loop may be about to run off its memory, and crash. What it will never get to is then no access,
 * and shadow is not to be spent on it: from piece to piece the program's memory must go on. */
static void run(uintptr_t first, size_t size, ptrdiff_t stride, size_t count, enum dh_kind kind,
                struct dh_here here) {
    if (dh_alone_now) return;
    size_t distance = stride < 0 ? (size_t)-stride : (size_t)stride;
    size_t most = distance <= size ? DENSE_PIECE / distance + 1 : SPARSE_PIECE;
    for (;;) {
        size_t n = count < most ? count : most;
        uintptr_t lowest = stride < 0 ? first - (n - 1) * distance : first;
        (distance <= size ? dense : sparse)(lowest, size, distance, n, kind, here);
        count -= n;
        first += n * (uintptr_t)stride;
        if (count == 0 || !is_mapped(first)) return;
    }
}

EXPORT void __dh_check_read_run(void const *p, size_t size, ptrdiff_t stride, size_t count) {
    run((uintptr_t)p, size, stride, count, DH_READ, DH_HERE);
}
EXPORT void __dh_check_write_run(void *p, size_t size, ptrdiff_t stride, size_t count) {
    run((uintptr_t)p, size, stride, count, DH_WRITE, DH_HERE);
}

/* Lanes next to each other are one range. */
static void masked(void const *p, uint64_t mask, uint32_t lanes, uint32_t lane_size,
                   enum dh_kind kind, struct dh_here here) {
    for (uint32_t i = 0; i < lanes;) {
        uint32_t run = 0;
        while (i + run < lanes && mask >> (i + run) & 1)
            run++;
        plain((char const *)p + (size_t)i * lane_size, (size_t)run * lane_size, kind, here);
        i += run + 1;
    }
}

static void scattered(void const *const *ps, uint64_t mask, uint32_t lanes, uint32_t lane_size,
                      enum dh_kind kind, struct dh_here here) {
    for (uint32_t i = 0; i < lanes; i++)
        if (mask >> i & 1) plain(ps[i], lane_size, kind, here);
}

EXPORT void __dh_check_read_masked(void const *p, uint64_t mask, uint32_t lanes,
                                   uint32_t lane_size) {
    masked(p, mask, lanes, lane_size, DH_READ, DH_HERE);
}
EXPORT void __dh_check_write_masked(void *p, uint64_t mask, uint32_t lanes, uint32_t lane_size) {
    masked(p, mask, lanes, lane_size, DH_WRITE, DH_HERE);
}
EXPORT void __dh_check_read_gather(void const *const *ps, uint64_t mask, uint32_t lanes,
                                   uint32_t lane_size) {
    scattered(ps, mask, lanes, lane_size, DH_READ, DH_HERE);
}
EXPORT void __dh_check_write_scatter(void *const *ps, uint64_t mask, uint32_t lanes,
                                     uint32_t lane_size) {
    scattered((void const *const *)ps, mask, lanes, lane_size, DH_WRITE, DH_HERE);
}
