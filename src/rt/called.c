/* The checks that are called, and not inlined: the same test, here; rt/across.c has those that are
 * not aligned. */
#include "rt/same.h"

#define EXPORT __attribute__((visibility("default")))

/* What the test does not settle is done as if the slow exit had been called from there. */
#define CALLED(name, same_write, same_read)                          \
    EXPORT DH_SLOW void __dh_called_write##name(void *p) {           \
        if (LIKELY(same_write)) return;                              \
        __attribute__((musttail)) return __dh_write##name##_slow(p); \
    }                                                                \
    EXPORT DH_SLOW void __dh_called_read##name(void const *p) {      \
        if (LIKELY(same_read)) return;                               \
        __attribute__((musttail)) return __dh_read##name##_slow(p);  \
    }
SAMES_ALIGNED(CALLED)
