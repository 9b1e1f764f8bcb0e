/* The inlined part of a check: has this thread, in this epoch, been here already?
 *
 * Compiled to bitcode when Deadheat is built, carried in the plugin, linked into each of the user's
 * modules and inlined there. So nothing here may need anything but rt/abi.h, and every instruction
 * counts: it is executed at each access of the user's program.
 *
 *   READSAMEEPOCH, WRITESAMEEPOCH (FastTrack): a word equal to the epoch's word says that this very
 *   access would leave the cell as it is. Reads also match the word of a set that holds the epoch.
 *
 * Cost: an aligned 8-byte check is five instructions: two for the shadow's address, two to fetch
 * and compare the epoch, and a branch never taken. Narrower ones test the byte mask too. Everything
 * else is behind the slow exits, which keep the caller's registers (preserve_most) so that nothing
 * is saved on the way here.
 *
 * Words are read without a lock. Others may be changing them, but nobody else ever writes a word
 * that matches: a match seen late is still a match, and a mismatch seen late only costs the slow
 * exit. A word that is looked at twice is read once (word()); for one that is compared and
 * forgotten a plain load will do (is()), which the compiler folds into the comparison.
 */
#include "rt/abi.h"

#include <stdbool.h>

#define CHECK __attribute__((always_inline)) void
#define HELPER static inline __attribute__((always_inline))
/* Each exit keeps its own return address, which says where in the source the access is. */
#define SLOW __attribute__((nomerge))
#define LIKELY(e) __builtin_expect(e, 1)

enum { CELL = 8 };                  /* bytes of the program that a cell stands for */
static uint32_t const ids = ~0xffu; /* a word without its byte mask */

struct cell {
    uint32_t write, read;
};

HELPER uintptr_t address(void const *p) { return (uintptr_t)p; }

/* The cell of an address that is a multiple of CELL, and of any. */
HELPER struct cell const *shadow(uintptr_t a) { return (struct cell const *)(a ^ DH_SHADOW_XOR); }
HELPER struct cell const *cell_of(uintptr_t a) { return shadow(a & ~(uintptr_t)(CELL - 1)); }

HELPER uint32_t word(uint32_t const *w) { return __atomic_load_n(w, __ATOMIC_RELAXED); }
HELPER bool is(uint32_t const *w, uint32_t wanted) { return *w == wanted; }

/* The bits of a word that matter to an access within one cell. */
HELPER uint32_t care(uintptr_t a, unsigned size) {
    return ids | ((1u << size) - 1) << (a & (CELL - 1));
}

/* Less than a cell: the epoch's word must be there, with these bytes in its mask. */
HELPER bool same_write_part(uintptr_t a, unsigned size) {
    return ((word(&cell_of(a)->write) ^ __dh_tls.epoch) & care(a, size)) == 0;
}
HELPER bool same_read_part(uintptr_t a, unsigned size) {
    uint32_t w = word(&cell_of(a)->read), bits = care(a, size);
    return LIKELY(((w ^ __dh_tls.epoch) & bits) == 0) || ((w ^ __dh_tls.readset) & bits) == 0;
}

#define PART(bytes)                                             \
    CHECK __dh_check_write##bytes(void *p) {                    \
        if (LIKELY(same_write_part(address(p), bytes))) return; \
        SLOW                                                    \
        __dh_write##bytes##_slow(p);                            \
    }                                                           \
    CHECK __dh_check_read##bytes(void const *p) {               \
        if (LIKELY(same_read_part(address(p), bytes))) return;  \
        SLOW                                                    \
        __dh_read##bytes##_slow(p);                             \
    }
PART(1)
PART(2)
PART(4)

/* Whole cells. A read of two must find the same word in both: then one test against the epoch and
 * one against the set are enough. */
HELPER bool same_read(uint32_t w) { return LIKELY(w == __dh_tls.epoch) || w == __dh_tls.readset; }

CHECK __dh_check_write8(void *p) {
    if (LIKELY(is(&shadow(address(p))->write, __dh_tls.epoch))) return;
    SLOW
    __dh_write8_slow(p);
}
CHECK __dh_check_read8(void const *p) {
    if (LIKELY(same_read(word(&shadow(address(p))->read)))) return;
    SLOW
    __dh_read8_slow(p);
}

CHECK __dh_check_write16(void *p) {
    struct cell const *c = shadow(address(p));
    uint32_t epoch = __dh_tls.epoch;
    if (LIKELY(is(&c[0].write, epoch) && is(&c[1].write, epoch))) return;
    SLOW
    __dh_write16_slow(p);
}
CHECK __dh_check_read16(void const *p) {
    struct cell const *c = shadow(address(p));
    uint32_t w = word(&c[0].read);
    if (LIKELY(is(&c[1].read, w) && same_read(w))) return;
    SLOW
    __dh_read16_slow(p);
}

/* Unaligned: one cell or two, used in part. They are asked for whole, which in a buffer that is
 * read or written all over they soon are. */
HELPER bool same_write_across(uintptr_t a, unsigned size) {
    uint32_t epoch = __dh_tls.epoch;
    return is(&cell_of(a)->write, epoch) && is(&cell_of(a + size - 1)->write, epoch);
}
HELPER bool same_read_across(uintptr_t a, unsigned size) {
    uint32_t w = word(&cell_of(a)->read);
    return is(&cell_of(a + size - 1)->read, w) && same_read(w);
}

#define ACROSS(bytes)                                             \
    CHECK __dh_check_write##bytes##_unaligned(void *p) {          \
        if (LIKELY(same_write_across(address(p), bytes))) return; \
        SLOW                                                      \
        __dh_write##bytes##_unaligned_slow(p);                    \
    }                                                             \
    CHECK __dh_check_read##bytes##_unaligned(void const *p) {     \
        if (LIKELY(same_read_across(address(p), bytes))) return;  \
        SLOW                                                      \
        __dh_read##bytes##_unaligned_slow(p);                     \
    }
ACROSS(2)
ACROSS(4)
ACROSS(8)

/* ---- groups: accesses that share a test ----
 *
 * The test is of all their bytes: whole cells, or words of four bytes. Only if it fails is each
 * access looked at by itself, with its own size and its own place in the source. It has no branches
 * of its own, so that those on its result can become one. */

#define ALL1(t) t(0)
#define ALL2(t) (t(0) & t(1))
#define ALL3(t) (ALL2(t) & t(2))
#define ALL4(t) (ALL3(t) & t(3))
#define ALL5(t) (ALL4(t) & t(4))
#define ALL6(t) (ALL5(t) & t(5))
#define ALL7(t) (ALL6(t) & t(6))
#define ALL8(t) (ALL7(t) & t(7))
#define TEST __attribute__((always_inline)) bool

#define WRITE_CELL(i) is(&c[i].write, epoch)
#define READ_CELL(i) is(&c[i].read, w)
#define EITHER(w) ((w) == __dh_tls.epoch | (w) == __dh_tls.readset)
#define CELLS(n)                                    \
    TEST __dh_check_write_cells##n(void const *p) { \
        struct cell const *c = shadow(address(p));  \
        uint32_t epoch = __dh_tls.epoch;            \
        return ALL##n(WRITE_CELL);                  \
    }                                               \
    TEST __dh_check_read_cells##n(void const *p) {  \
        struct cell const *c = shadow(address(p));  \
        uint32_t w = word(&c[0].read);              \
        return ALL##n(READ_CELL) & EITHER(w);       \
    }
CELLS(1)
CELLS(2)
CELLS(3)
CELLS(4)
CELLS(5)
CELLS(6)
CELLS(7)
CELLS(8)

#define WRITE_WORD(i) same_write_part(address(p) + 4 * (i), 4)
HELPER bool same_read_word(uintptr_t a) {
    uint32_t w = word(&cell_of(a)->read), bits = care(a, 4);
    return ((w ^ __dh_tls.epoch) & bits) == 0 | ((w ^ __dh_tls.readset) & bits) == 0;
}
#define READ_WORD(i) same_read_word(address(p) + 4 * (i))
#define WORDS(n)                                                                 \
    TEST __dh_check_write_words##n(void const *p) { return ALL##n(WRITE_WORD); } \
    TEST __dh_check_read_words##n(void const *p) { return ALL##n(READ_WORD); }
WORDS(1)
WORDS(2)
WORDS(3)
WORDS(4)

#define MISSED(bytes)                                         \
    CHECK __dh_missed_write##bytes(void *p, bool same) {      \
        if (LIKELY(same)) return;                             \
        SLOW                                                  \
        __dh_write##bytes##_slow(p);                          \
    }                                                         \
    CHECK __dh_missed_read##bytes(void const *p, bool same) { \
        if (LIKELY(same)) return;                             \
        SLOW                                                  \
        __dh_read##bytes##_slow(p);                           \
    }
MISSED(4)
MISSED(8)
MISSED(16)

/* The same for runs side by side (rt/runs.c): each has something left to do, or none. */
CHECK __dh_missed_write_run(void *p, size_t size, ptrdiff_t stride, size_t count, uint32_t left) {
    if (LIKELY(left == 0)) return;
    SLOW
    __dh_write_run_slow(p, size, stride, count, left);
}
CHECK __dh_missed_read_run(void const *p, size_t size, ptrdiff_t stride, size_t count,
                           uint32_t left) {
    if (LIKELY(left == 0)) return;
    SLOW
    __dh_read_run_slow(p, size, stride, count, left);
}
