/* The inlined part of a check: has this thread, in this epoch, been here already?
 *
 * Compiled to bitcode when Deadheat is built, carried in the plugin, linked into each of the user's
 * modules and inlined there. So nothing here may need anything but rt/abi.h and the tests
 * (rt/same.h), and every instruction counts: it is executed at each access of the user's program.
 *
 *   READSAMEEPOCH, WRITESAMEEPOCH (FastTrack): a word equal to the epoch's word says that this very
 *   access would leave the cell as it is. Reads also match the word of a set that holds the epoch.
 *
 * Cost: an aligned 8-byte check is five instructions: two for the shadow's address, two to fetch
 * and compare the epoch, and a branch never taken. Narrower ones test the byte mask too. Everything
 * else is behind the slow exits, which keep the caller's registers (preserve_most) so that nothing
 * is saved on the way here.
 */
#include "rt/same.h"

#define CHECK __attribute__((always_inline)) void
/* Each exit keeps its own return address, which says where in the source the access is. */
#define SLOW __attribute__((nomerge))

#define CHECKS(name, same_write, same_read)      \
    CHECK __dh_check_write##name(void *p) {      \
        if (LIKELY(same_write)) return;          \
        SLOW                                     \
        __dh_write##name##_slow(p);              \
    }                                            \
    CHECK __dh_check_read##name(void const *p) { \
        if (LIKELY(same_read)) return;           \
        SLOW                                     \
        __dh_read##name##_slow(p);               \
    }
SAMES_ALIGNED(CHECKS)
SAMES_UNALIGNED(CHECKS)

/* Reads all over an array: while the thread has a table of them, that is asked and not the cell,
 * whose line of the cache may be far. */
CHECK __dh_check_gather8(void const *p) {
    uint64_t const *table = __dh_tls.gathered;
    if (table ? LIKELY(same_gather8(table, address(p))) : LIKELY(same_read8(address(p)))) return;
    SLOW
    __dh_gather8_slow(p);
}

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

/* The same of those cells, from the first on, that have a bit in a constant. */
#define AMONG(i, t) (((cells & (1u << (i))) == 0) | (t(i)))
#define WRITE_AMONG(i) AMONG(i, WRITE_CELL)
#define READ_AMONG(i) AMONG(i, READ_CELL)
TEST __dh_check_write_among(void const *p, uint32_t cells) {
    struct cell const *c = shadow(address(p));
    uint32_t epoch = __dh_tls.epoch;
    return ALL8(WRITE_AMONG);
}
TEST __dh_check_read_among(void const *p, uint32_t cells) {
    struct cell const *c = shadow(address(p));
    uint32_t w = word(&c[0].read);
    return ALL8(READ_AMONG) & EITHER(w);
}

/* Up to three words that begin anywhere in a cell are in two of them at most: have_exactly. */
HELPER bool have_words(uint32_t first, uint32_t last, uintptr_t a, unsigned size) {
    uint32_t lack = first ^ __dh_tls.epoch, lack_behind = last ^ __dh_tls.epoch;
    return ((lack | lack_behind) <= ~ids)
           & (((lack | lack_behind << CELL) >> (a & (CELL - 1)) & ((1u << size) - 1)) == 0);
}
HELPER bool set_words(uint32_t first, uint32_t last) {
    return (first == __dh_tls.readset) & (last == __dh_tls.readset);
}
#define WORDS(n)                                                                          \
    TEST __dh_check_write_words##n(void const *p) {                                       \
        uintptr_t a = address(p), end = a + 4 * n;                                        \
        uint32_t first = word(&cell_of(a)->write), last = word(&cell_of(end - 1)->write); \
        return have_words(first, last, a, 4 * n);                                         \
    }                                                                                     \
    TEST __dh_check_read_words##n(void const *p) {                                        \
        uintptr_t a = address(p), end = a + 4 * n;                                        \
        uint32_t first = word(&cell_of(a)->read), last = word(&cell_of(end - 1)->read);   \
        return have_words(first, last, a, 4 * n) | set_words(first, last);                \
    }
WORDS(1)
WORDS(2)
WORDS(3)

/* An even number of words that begin anywhere in a cell. All cells between their first and their
 * last are whole; of those two, what the words have of them is asked for. */
#define INNER2(t) t(1)
#define INNER3(t) (INNER2(t) & t(2))
#define INNER4(t) (INNER3(t) & t(3))
#define INNER5(t) (INNER4(t) & t(4))
#define INNER6(t) (INNER5(t) & t(5))
#define INNER7(t) (INNER6(t) & t(6))
#define INNER8(t) (INNER7(t) & t(7))
HELPER bool span_ends(uint32_t first, uint32_t last, uint32_t wanted, uintptr_t a, uintptr_t end) {
    return ((first ^ wanted) & (ids | 0xffu << (a & (CELL - 1)))) == 0
           & ((last ^ wanted) & (ids | 0xffu >> (-end & (CELL - 1)))) == 0;
}
#define SPAN(words, cells)                                                                  \
    TEST __dh_check_write_span##words(void const *p) {                                      \
        uintptr_t a = address(p), end = a + 4 * words;                                      \
        struct cell const *c = cell_of(a);                                                  \
        uint32_t epoch = __dh_tls.epoch;                                                    \
        return INNER##cells(WRITE_CELL)                                                     \
               & span_ends(word(&c->write), word(&cell_of(end - 1)->write), epoch, a, end); \
    }                                                                                       \
    TEST __dh_check_read_span##words(void const *p) {                                       \
        uintptr_t a = address(p), end = a + 4 * words;                                      \
        struct cell const *c = cell_of(a);                                                  \
        uint32_t w = word(&c[1].read);                                                      \
        return INNER##cells(READ_CELL) & EITHER(w)                                          \
               & span_ends(word(&c->read), word(&cell_of(end - 1)->read), w, a, end);       \
    }
SPAN(4, 2)
SPAN(6, 3)
SPAN(8, 4)
SPAN(10, 5)
SPAN(12, 6)
SPAN(14, 7)
SPAN(16, 8)

/* Where all are from one place in the source, and of one size, what the test did not find may be
 * one step for all. */
TEST __dh_missed_write_row(void *p, size_t size, size_t unit, bool same) {
    if (LIKELY(same)) return true;
    SLOW
    return __dh_write_row_slow(p, size, unit);
}
TEST __dh_missed_read_row(void const *p, size_t size, size_t unit, bool same) {
    if (LIKELY(same)) return true;
    SLOW
    return __dh_read_row_slow(p, size, unit);
}

/* Where they are from several, but share cells, they are one step, too, which each then has noted,
 * if it was new. */
#define GROUP __attribute__((always_inline)) uint32_t
GROUP __dh_missed_write_group(void *p, size_t size, bool same) {
    if (LIKELY(same)) return 0;
    SLOW
    return __dh_write_group_slow(p, size);
}
GROUP __dh_missed_read_group(void const *p, size_t size, bool same) {
    if (LIKELY(same)) return 0;
    SLOW
    return __dh_read_group_slow(p, size);
}
CHECK __dh_missed_write_member(void *p, size_t size, uint32_t left) {
    if (LIKELY(left == 0)) return;
    SLOW
    __dh_write_member_slow(p, size, left);
}
CHECK __dh_missed_read_member(void const *p, size_t size, uint32_t left) {
    if (LIKELY(left == 0)) return;
    SLOW
    __dh_read_member_slow(p, size, left);
}

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

/* Of cells that are not side by side one may well be on record while another is not. */
#define MISSED_APART(bytes)                                           \
    CHECK __dh_missed_write##bytes##_apart(void *p, bool same) {      \
        if (LIKELY(same)) return;                                     \
        __dh_check_write##bytes(p);                                   \
    }                                                                 \
    CHECK __dh_missed_read##bytes##_apart(void const *p, bool same) { \
        if (LIKELY(same)) return;                                     \
        __dh_check_read##bytes(p);                                    \
    }
MISSED_APART(8)
MISSED_APART(16)

/* Runs behind loops. Searches often end after a round or two, where they have been before: that
 * costs what a check in each round would. Many rounds are the runtime's. */
#define FEW(bytes)                                                                                 \
    CHECK __dh_check_read_few##bytes(void const *p, size_t size, ptrdiff_t stride, size_t count) { \
        if (LIKELY(count <= DH_FEW)) {                                                             \
            for (; count != 0; p = (void const *)(address(p) + (uintptr_t)stride), count--)        \
                __dh_check_read##bytes(p);                                                         \
            return;                                                                                \
        }                                                                                          \
        SLOW                                                                                       \
        __dh_read_many_slow(p, size, stride, count);                                               \
    }                                                                                              \
    CHECK __dh_check_write_few##bytes(void *p, size_t size, ptrdiff_t stride, size_t count) {      \
        if (LIKELY(count <= DH_FEW)) {                                                             \
            for (; count != 0; p = (void *)(address(p) + (uintptr_t)stride), count--)              \
                __dh_check_write##bytes(p);                                                        \
            return;                                                                                \
        }                                                                                          \
        SLOW                                                                                       \
        __dh_write_many_slow(p, size, stride, count);                                              \
    }
FEW(1)
FEW(2)
FEW(4)
FEW(8)

/* As for groups, but of runs side by side (rt/runs.c): each has something left to do, or none. */
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
