/* The checks that are called, and not inlined: the same test, here; rt/across.c has those that are
 * not aligned. */
#include "rt/access.h"
#include "rt/parts.h"
#include "rt/same.h"

#define EXPORT __attribute__((visibility("default")))
#define GO __attribute__((musttail)) return

/* What the test does not settle is done as if the slow exit had been called from there. */
#define CALLED(name, same_write, same_read)                     \
    EXPORT DH_SLOW void __dh_called_write##name(void *p) {      \
        if (LIKELY(same_write)) return;                         \
        GO __dh_write##name##_slow(p);                          \
    }                                                           \
    EXPORT DH_SLOW void __dh_called_read##name(void const *p) { \
        if (LIKELY(same_read)) return;                          \
        GO __dh_read##name##_slow(p);                           \
    }

/* A part of a cell may be on record in a set, as far as the thread knows those (rt/parts.h). What
 * the compiler took for aligned need not be: programs cast pointers. */
HELPER bool is_in_set(uint32_t w, uintptr_t a, unsigned size) {
    return dh_word_is_set(w) && a % size == 0;
}
#define CALLED_PART(name, size, suffix, which, same)                 \
    EXPORT DH_SLOW void __dh_called_##name(void suffix *p) {         \
        uintptr_t a = address(p);                                    \
        uint32_t w = word(&cell_of(a)->which), bits = care(a, size); \
        if (LIKELY(same)) return;                                    \
        if (!is_in_set(w, a, size)) GO dh_##name##_no_set(p);        \
        if (LIKELY(dh_known_set_has(w, bits & ~ids))) return;        \
        GO dh_##name##_in_set(p);                                    \
    }
#define CALLED_PARTS(size)                                                      \
    CALLED_PART(write##size, size, , write, ((w ^ __dh_tls.epoch) & bits) == 0) \
    CALLED_PART(read##size, size, const, read,                                  \
                LIKELY(((w ^ __dh_tls.epoch) & bits) == 0)                      \
                    || ((w ^ __dh_tls.readset) & bits) == 0)
CALLED_PARTS(1)
CALLED_PARTS(2)
CALLED_PARTS(4)
CALLED(8, same_write8(address(p)), same_read8(address(p)))
CALLED(16, same_write16(address(p)), same_read16(address(p)))
