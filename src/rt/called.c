/* The checks that are called, and not inlined: the same test, here; rt/across.c has those that are
 * not aligned.
 *
 * What is asked first takes one register, the one that need not be kept, and no frame (this file is
 * compiled without). Whatever else there is to do is jumped to, and finds the caller as if it had
 * been called from there. */
#include "rt/access.h"
#include "rt/parts.h"
#include "rt/same.h"
#include "core/split.h"

#define EXPORT __attribute__((visibility("default")))
#define GO __attribute__((musttail)) return

/* The cell of an address that is a multiple of CELL: as shadow(), without a constant, which would
 * take another register. */
HELPER struct cell const *cell_at(uintptr_t a) {
    __asm__("btcq %1, %0" : "+r"(a) : "i"(DH_SHADOW_BIT) : "cc");
    return (struct cell const *)(a + DH_SHADOW_SKEW);
}
HELPER struct cell const *cell_around(void const *p) {
    return cell_at(address(p) & ~(uintptr_t)(CELL - 1));
}

#define CALLED(name, same_write, same_read)                     \
    EXPORT DH_SLOW void __dh_called_write##name(void *p) {      \
        if (LIKELY(same_write)) return;                         \
        GO __dh_write##name##_slow(p);                          \
    }                                                           \
    EXPORT DH_SLOW void __dh_called_read##name(void const *p) { \
        if (LIKELY(same_read)) return;                          \
        GO __dh_read##name##_slow(p);                           \
    }

/* Of a part of a cell, it is first asked whether the epoch has all of it. If not, this part may be
 * on record; or it is in a set, as far as the thread knows those (rt/parts.h), or split. What the
 * compiler took for aligned need not be: programs cast pointers. */
HELPER bool is_in_one(uintptr_t a, unsigned size) { return a % size == 0; }
#define CALLED_PART(name, size, suffix, which)                                      \
    static DH_SLOW __attribute__((noinline)) void part_##name(void const *p) {      \
        uintptr_t a = address(p);                                                   \
        uint32_t w = word(&cell_around(p)->which);                                  \
        if (LIKELY(same_part(w, a, size))) return;                                  \
        if (!dh_word_is_set(w) || !is_in_one(a, size)) {                            \
            if (dh_word_is_split(w) && is_in_one(a, size)) GO dh_##name##_split(p); \
            GO dh_##name##_no_set(p);                                               \
        }                                                                           \
        if (LIKELY(dh_known_set_has(w, care(a, size) & ~ids))) return;              \
        GO dh_##name##_in_set(p);                                                   \
    }                                                                               \
    EXPORT DH_SLOW void __dh_called_##name(void suffix *p) {                        \
        if (LIKELY(is(&cell_around(p)->which, __dh_tls.epoch))) return;             \
        GO part_##name(p);                                                          \
    }
#define CALLED_PARTS(size)                  \
    CALLED_PART(write##size, size, , write) \
    CALLED_PART(read##size, size, const, read)
CALLED_PARTS(1)
CALLED_PARTS(2)
CALLED_PARTS(4)
CALLED(8, is(&cell_at(address(p))->write, __dh_tls.epoch),
       same_read(word(&cell_at(address(p))->read)))
CALLED(16, same_write16(address(p)), same_read16(address(p)))
