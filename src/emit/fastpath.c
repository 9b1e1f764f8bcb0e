/* The inlined part of a check: has this thread, in this epoch, been here already?
 *
 * Compiled to bitcode when Deadheat is built, carried in the plugin, linked into each of the user's
 * modules and inlined there. So nothing here may need anything but rt/abi.h, and every instruction
 * counts: it is executed at each access of the user's program.
 *
 *   READSAMEEPOCH, WRITESAMEEPOCH (FastTrack): a word equal to the epoch's word says that this very
 *   access would leave the cell as it is. Reads also match the word of a set that holds the epoch.
 *
 * Cost: an aligned 4-byte check is six instructions: three for the shadow's address, two to fetch
 * and compare the epoch, and a branch never taken. Everything else is behind the slow exits, which
 * keep the caller's registers (preserve_most) so that nothing is saved on the way here.
 *
 * Words are read without a lock. Others may be changing them, but nobody else ever writes a word
 * that matches: a match seen late is still a match, and a mismatch seen late only costs the slow
 * exit. A word that is looked at twice is read once (word()); for one that is compared and
 * forgotten a plain load will do (is()), which the compiler folds into the comparison.
 *
 * The shadow of an access that crosses a terabyte is taken to go on where the first one's ends. The
 * cell there may be another's; at worst this is a match for four bytes at the end of a terabyte.
 */
#include "rt/abi.h"

#include <stdbool.h>

#define CHECK __attribute__((always_inline)) void
#define HELPER static inline __attribute__((always_inline))
/* Each exit keeps its own return address, which says where in the source the access is. */
#define SLOW __attribute__((nomerge))
#define LIKELY(e) __builtin_expect(e, 1)

enum { CELL = 4 };                 /* bytes of the program that a cell stands for */
static uint32_t const ids = ~0xfu; /* a word without its byte mask */

struct cell {
    uint32_t write, read;
};

HELPER uintptr_t address(void const *p) { return (uintptr_t)p; }
HELPER uintptr_t round_down(uintptr_t a) { return a & ~(uintptr_t)(CELL - 1); }

/* The cell of an address that is a multiple of CELL. */
HELPER struct cell const *shadow(uintptr_t a) {
    return (struct cell const *)(DH_SHADOW_MAP[a >> DH_REGION_SHIFT] + 2 * a);
}
/* The cell of any address, in the terabyte with this base. */
HELPER struct cell const *cell_in(uintptr_t base, uintptr_t a) {
    return (struct cell const *)(base + 2 * round_down(a));
}

HELPER uint32_t word(uint32_t const *w) { return __atomic_load_n(w, __ATOMIC_RELAXED); }
HELPER bool is(uint32_t const *w, uint32_t wanted) { return *w == wanted; }

/* The bits of a word that matter to an access of 1 or 2 bytes within one cell. */
HELPER uint32_t care(uintptr_t a, unsigned size) {
    return ids | ((1u << size) - 1) << (a & (CELL - 1));
}

/* 1 and 2 bytes: the epoch's word must be there, with these bytes in its mask. */
HELPER bool same_write_part(uintptr_t a, unsigned size) {
    return ((word(&shadow(round_down(a))->write) ^ __dh_tls.epoch) & care(a, size)) == 0;
}
HELPER bool same_read_part(uintptr_t a, unsigned size) {
    uint32_t w = word(&shadow(round_down(a))->read), bits = care(a, size);
    return LIKELY(((w ^ __dh_tls.epoch) & bits) == 0) || ((w ^ __dh_tls.readset) & bits) == 0;
}

CHECK __dh_check_write1(void *p) {
    if (LIKELY(same_write_part(address(p), 1))) return;
    SLOW __dh_write1_slow(p);
}
CHECK __dh_check_write2(void *p) {
    if (LIKELY(same_write_part(address(p), 2))) return;
    SLOW __dh_write2_slow(p);
}
CHECK __dh_check_read1(void const *p) {
    if (LIKELY(same_read_part(address(p), 1))) return;
    SLOW __dh_read1_slow(p);
}
CHECK __dh_check_read2(void const *p) {
    if (LIKELY(same_read_part(address(p), 2))) return;
    SLOW __dh_read2_slow(p);
}

/* Whole cells. A read of several must find the same word in all of them: then one test against the
 * epoch and one against the set are enough. */
HELPER bool same_read(uint32_t w) { return LIKELY(w == __dh_tls.epoch) || w == __dh_tls.readset; }

CHECK __dh_check_write4(void *p) {
    if (LIKELY(is(&shadow(address(p))->write, __dh_tls.epoch))) return;
    SLOW __dh_write4_slow(p);
}
CHECK __dh_check_read4(void const *p) {
    if (LIKELY(same_read(word(&shadow(address(p))->read)))) return;
    SLOW __dh_read4_slow(p);
}

CHECK __dh_check_write8(void *p) {
    struct cell const *c = shadow(address(p));
    uint32_t epoch = __dh_tls.epoch;
    if (LIKELY(is(&c[0].write, epoch) && is(&c[1].write, epoch))) return;
    SLOW __dh_write8_slow(p);
}
CHECK __dh_check_read8(void const *p) {
    struct cell const *c = shadow(address(p));
    uint32_t w = word(&c[0].read);
    if (LIKELY(is(&c[1].read, w) && same_read(w))) return;
    SLOW __dh_read8_slow(p);
}

CHECK __dh_check_write16(void *p) {
    struct cell const *c = shadow(address(p));
    uint32_t epoch = __dh_tls.epoch;
    if (LIKELY(is(&c[0].write, epoch) && is(&c[1].write, epoch) && is(&c[2].write, epoch)
               && is(&c[3].write, epoch)))
        return;
    SLOW __dh_write16_slow(p);
}
CHECK __dh_check_read16(void const *p) {
    struct cell const *c = shadow(address(p));
    uint32_t w = word(&c[0].read);
    if (LIKELY(is(&c[1].read, w) && is(&c[2].read, w) && is(&c[3].read, w) && same_read(w))) return;
    SLOW __dh_read16_slow(p);
}

/* Unaligned: two cells, or three for 8 bytes; the first and the last are used in part. They are
 * asked for whole, which in a buffer that is read or written all over they soon are. Aligned
 * addresses do occur here: then first and last are one cell, or two neighbours. */
HELPER bool same_write_across(uintptr_t a, unsigned size) {
    uintptr_t base = DH_SHADOW_MAP[a >> DH_REGION_SHIFT];
    struct cell const *first = cell_in(base, a), *last = cell_in(base, a + size - 1);
    uint32_t epoch = __dh_tls.epoch;
    return is(&first->write, epoch) && is(&last->write, epoch)
           && (size <= CELL || is(&first[1].write, epoch));
}
HELPER bool same_read_across(uintptr_t a, unsigned size) {
    uintptr_t base = DH_SHADOW_MAP[a >> DH_REGION_SHIFT];
    struct cell const *first = cell_in(base, a), *last = cell_in(base, a + size - 1);
    uint32_t w = word(&first->read);
    return is(&last->read, w) && (size <= CELL || is(&first[1].read, w)) && same_read(w);
}

CHECK __dh_check_write2_unaligned(void *p) {
    if (LIKELY(same_write_across(address(p), 2))) return;
    SLOW __dh_write2_unaligned_slow(p);
}
CHECK __dh_check_write4_unaligned(void *p) {
    if (LIKELY(same_write_across(address(p), 4))) return;
    SLOW __dh_write4_unaligned_slow(p);
}
CHECK __dh_check_write8_unaligned(void *p) {
    if (LIKELY(same_write_across(address(p), 8))) return;
    SLOW __dh_write8_unaligned_slow(p);
}
CHECK __dh_check_read2_unaligned(void const *p) {
    if (LIKELY(same_read_across(address(p), 2))) return;
    SLOW __dh_read2_unaligned_slow(p);
}
CHECK __dh_check_read4_unaligned(void const *p) {
    if (LIKELY(same_read_across(address(p), 4))) return;
    SLOW __dh_read4_unaligned_slow(p);
}
CHECK __dh_check_read8_unaligned(void const *p) {
    if (LIKELY(same_read_across(address(p), 8))) return;
    SLOW __dh_read8_unaligned_slow(p);
}
