/* Atomic operations as the runtime performs them, for a caller `here`. rt/abi.h says what they do.
 */
#ifndef DEADHEAT_RT_ATOMICS_H
#define DEADHEAT_RT_ATOMICS_H

#include "rt/abi.h"
#include "rt/access.h"

#include <stdbool.h>

#define DH_DECLARE_ATOMICS_HERE(bits, T)                                                         \
    T dh_atomic##bits##_load(T const volatile *p, uint32_t order, struct dh_here here);          \
    void dh_atomic##bits##_store(T volatile *p, T value, uint32_t order, struct dh_here here);   \
    T dh_atomic##bits##_rmw(T volatile *p, T operand, uint32_t op, uint32_t order,               \
                            struct dh_here here);                                                \
    T dh_atomic##bits##_compare_exchange(T volatile *p, T expected, T desired, uint32_t success, \
                                         uint32_t failure, struct dh_here here);
DH_ATOMICS(DH_DECLARE_ATOMICS_HERE)

/* One on an object of any size at any address:
 *   load              old
 *   store             new
 *   exchange          old, new
 *   compare-exchange  old, expected, new: `old` is what was there, in any case
 * The others are null. `old` may be the same memory as `new` or `expected`. True: the object was
 * written. */
struct dh_bytes {
    void *old;
    void const *expected, *new;
    uint32_t order, failure;
};
bool dh_atomic_bytes(void volatile *p, size_t size, struct dh_bytes const *bytes,
                     struct dh_here here);

#endif
