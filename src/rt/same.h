/* The tests of emit/fastpath.c: has this thread, in this epoch, been here already? They are inlined
 * into the user's code, or called by it (rt/called.c).
 *
 * Words are read without a lock. Others may be changing them, but nobody else ever writes a word
 * that matches: a match seen late is still a match, and a mismatch seen late only costs the slow
 * exit. A word that is looked at twice is read once (word()); for one that is compared and
 * forgotten a plain load will do (is()), which the compiler folds into the comparison.
 */
#ifndef DEADHEAT_RT_SAME_H
#define DEADHEAT_RT_SAME_H

#include "rt/abi.h"

#include <stdbool.h>

#define HELPER static inline __attribute__((always_inline))
#define LIKELY(e) __builtin_expect(e, 1)

enum { CELL = 8 };                  /* bytes of the program that a cell stands for */
static uint32_t const ids = ~0xffu; /* a word without its byte mask */

struct cell {
    uint32_t write, read;
};

HELPER uintptr_t address(void const *p) { return (uintptr_t)p; }

/* The cell of an address that is a multiple of CELL, and of any. */
HELPER struct cell const *shadow(uintptr_t a) { return (struct cell const *)DH_SHADOW(a); }
HELPER struct cell const *cell_of(uintptr_t a) { return shadow(a & ~(uintptr_t)(CELL - 1)); }

HELPER uint32_t word(uint32_t const *w) { return __atomic_load_n(w, __ATOMIC_RELAXED); }
HELPER bool is(uint32_t const *w, uint32_t wanted) { return *w == wanted; }

/* The bits of a word that matter to an access within one cell. */
HELPER uint32_t care(uintptr_t a, unsigned size) {
    return ids | ((1u << size) - 1) << (a & (CELL - 1));
}

/* Less than a cell: the epoch's word must be there, with these bytes in its mask. It mostly has all:
 * then nothing else is to be found out. A set that is trusted holds the epoch on all bytes. */
HELPER bool same_part(uint32_t w, uintptr_t a, unsigned size) {
    return ((w ^ __dh_tls.epoch) & care(a, size)) == 0;
}
HELPER bool same_write_part(uintptr_t a, unsigned size) {
    uint32_t w = word(&cell_of(a)->write);
    return LIKELY(w == __dh_tls.epoch) || same_part(w, a, size);
}
HELPER bool same_read_part(uintptr_t a, unsigned size) {
    uint32_t w = word(&cell_of(a)->read);
    return LIKELY(w == __dh_tls.epoch) || same_part(w, a, size) || w == __dh_tls.readset;
}

/* Whole cells. A read of two must find the same word in both: then one test against the epoch and
 * one against the set are enough. */
HELPER bool same_read(uint32_t w) { return LIKELY(w == __dh_tls.epoch) || w == __dh_tls.readset; }

HELPER bool same_write8(uintptr_t a) { return is(&shadow(a)->write, __dh_tls.epoch); }
HELPER bool same_read8(uintptr_t a) { return same_read(word(&shadow(a)->read)); }

/* A word of the table of rt/gathers.h, which is in the place of the address, says that this was
 * read. What is left of an address that is not a multiple of CELL is above all that a word has. */
HELPER uintptr_t gather_cell(uintptr_t a) { return a / CELL | a << 61; }
HELPER bool gather_has(uint64_t word, uint32_t gathering, uintptr_t a) {
    uintptr_t cell = gather_cell(a);
    return (word >> cell % DH_GATHER_CELLS & 1) != 0
           && word >> 32 == (cell / (DH_GATHER_CELLS * DH_GATHER_WORDS) ^ gathering);
}
HELPER uintptr_t gather_place(uintptr_t a) {
    return gather_cell(a) / DH_GATHER_CELLS % DH_GATHER_WORDS;
}
/* The word first: a handler that comes in between may end what it says. */
HELPER bool same_gather8(uint64_t const *table, uintptr_t a) {
    uint64_t word = __atomic_load_n(&table[gather_place(a)], __ATOMIC_ACQUIRE);
    return gather_has(word, __atomic_load_n(&__dh_tls.gathering, __ATOMIC_RELAXED), a);
}

HELPER bool same_write16(uintptr_t a) {
    struct cell const *c = shadow(a);
    uint32_t epoch = __dh_tls.epoch;
    return is(&c[0].write, epoch) && is(&c[1].write, epoch);
}
HELPER bool same_read16(uintptr_t a) {
    struct cell const *c = shadow(a);
    uint32_t w = word(&c[0].read);
    return is(&c[1].read, w) && same_read(w);
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

/* The same, of the bytes that are accessed and no others; for who is past that (rt/across.c). What
 * two words differ in from one with all bytes is, if they have its id, the bytes that they lack. Of
 * one cell the second look is at the same word, and is not asked for. */
HELPER bool have_exactly(uint32_t first, uint32_t second, uint32_t wanted, uintptr_t a,
                         unsigned size) {
    uint32_t lack = first ^ wanted, lack_behind = second ^ wanted;
    return LIKELY((lack | lack_behind) <= ~ids)
           && ((lack | lack_behind << CELL) >> (a & (CELL - 1)) & ((1u << size) - 1)) == 0;
}
HELPER bool same_write_exactly(uintptr_t a, unsigned size) {
    return have_exactly(word(&cell_of(a)->write), word(&cell_of(a + size - 1)->write),
                        __dh_tls.epoch, a, size);
}
HELPER bool same_read_exactly(uintptr_t a, unsigned size) {
    uint32_t first = word(&cell_of(a)->read), second = word(&cell_of(a + size - 1)->read);
    return LIKELY(have_exactly(first, second, __dh_tls.epoch, a, size))
           || have_exactly(first, second, __dh_tls.readset, a, size);
}

/* All of them, by the names of the checks: of the access at `p` to write and to read. */
#define SAMES_ALIGNED(X)                                                \
    X(1, same_write_part(address(p), 1), same_read_part(address(p), 1)) \
    X(2, same_write_part(address(p), 2), same_read_part(address(p), 2)) \
    X(4, same_write_part(address(p), 4), same_read_part(address(p), 4)) \
    X(8, same_write8(address(p)), same_read8(address(p)))               \
    X(16, same_write16(address(p)), same_read16(address(p)))
#define SAMES_UNALIGNED(X)                                                            \
    X(2_unaligned, same_write_across(address(p), 2), same_read_across(address(p), 2)) \
    X(4_unaligned, same_write_across(address(p), 4), same_read_across(address(p), 4)) \
    X(8_unaligned, same_write_across(address(p), 8), same_read_across(address(p), 8))

#endif
