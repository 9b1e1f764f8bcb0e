/* Accesses that are not aligned, and so may lie across two cells: the exits of their inlined tests,
 * and their tests where these are called.
 *
 * The inlined test asks for whole cells, which is short (rt/same.h). Text that is looked at here
 * and there has cells of which only some bytes were read, so what comes here is first asked the
 * exact question: has this epoch these bytes of both cells? Then there is the shortest way, for
 * cells that lie in fine shadow and hold nothing but epochs ordered before the access, or are in a
 * state that the thread remembers having met (rt/parts.h), with the steps of rt/quick.h. That is
 * asked next: what was done of the access by then it finds on record.
 */
#include "rt/access.h"
#include "rt/shortest.h"
#include "rt/same.h"
#include "rt/trails.h"
#include "report/race.h"

#define EXPORT __attribute__((visibility("default")))

/* The bytes of one cell. False: nothing was done. */
static inline __attribute__((always_inline)) bool
step(dh_cell *at, dh_word bytes, enum dh_kind kind, uint32_t owner, bool *changed) {
    dh_cell cell = __atomic_load_n(at, __ATOMIC_ACQUIRE), next = cell;
    dh_word const mine = (__dh_tls.epoch & ~DH_WORD_BYTES_MASK) | bytes;
    if (DH_UNLIKELY(cell == 0)) return false;
    if ((cell & DH_SHORTEST_OBJECTS) != 0 || !dh_quick_step(&next, mine, kind)) {
        next = dh_parts_changed(__dh_tls.self, cell, mine, kind);
        if (next == 0) return false;
    } else if (next != cell && !dh_shortest_is_ordered((uintptr_t)at, cell, __dh_tls.self)) {
        return false;
    }
    if (next == cell) return true; /* on record */
    if (!dh_shortest_exchange(at, cell, next, owner)) return false;
    *changed = true;
    if (kind == DH_READ) dh_parts_remember(next);
    return true;
}

/* From the function that the program called. */
static inline __attribute__((always_inline)) bool shortest(uintptr_t a, uint32_t size,
                                                           enum dh_kind kind) {
    dh_word const bytes = ((1u << size) - 1) << a % DH_CELL_BYTES; /* of two cells */
    dh_cell *at = dh_shadow(a);
    bool done = false, changed = false;
    if (DH_UNLIKELY(dh_recording) || DH_UNLIKELY((a ^ (a + size - 1)) >> DH_GRANULE_SHIFT != 0))
        return false;
    dh_critical_enter_known();
    /* Asked inside: until then a signal handler may end the epoch. */
    if (DH_LIKELY(__dh_tls.epoch - 1 < DH_WORD_OBJECT) || dh_epochs_open_quick()) {
        uint32_t owner = dh_owner_of(a);
        done = step(at, bytes & DH_WORD_BYTES_MASK, kind, owner, &changed)
               && (bytes <= DH_WORD_BYTES_MASK
                   || step(at + 1, bytes >> DH_CELL_BYTES, kind, owner, &changed));
        if (changed)
            dh_history_note(__dh_tls.self, a, size, kind == DH_WRITE ? DH_ACCESS_WRITE : 0,
                            DH_HERE);
    }
    dh_critical_leave();
    return done;
}

/* The way past the test should not pay for the registers of the others: these are entered by a
 * jump, and find the caller as if they had been called from there. */
#define WAY static DH_SLOW __attribute__((noinline)) void
#define GO __attribute__((musttail)) return
#define LAST_WAYS(name, bytes, kind)                                                      \
    WAY long_##name(void const *p) { dh_access_one((uintptr_t)p, bytes, kind, DH_HERE); } \
    WAY shortest_##name(void const *p) {                                                  \
        if (DH_LIKELY(shortest((uintptr_t)p, bytes, kind))) return;                       \
        GO long_##name(p);                                                                \
    }

#define WRITE(bytes)                                                    \
    LAST_WAYS(write##bytes, bytes, DH_WRITE)                            \
    EXPORT DH_SLOW void __dh_write##bytes##_unaligned_slow(void *p) {   \
        if (DH_LIKELY(same_write_exactly((uintptr_t)p, bytes))) return; \
        GO shortest_write##bytes(p);                                    \
    }                                                                   \
    EXPORT DH_SLOW void __dh_called_write##bytes##_unaligned(void *p) { \
        if (DH_LIKELY(same_write_exactly((uintptr_t)p, bytes))) return; \
        GO shortest_write##bytes(p);                                    \
    }

/* Text that is read on and on has a trail, which is asked first (rt/trails.h). */
#define READ(bytes)                                                              \
    LAST_WAYS(read##bytes, bytes, DH_READ)                                       \
    WAY begin_trail_read##bytes(void const *p) {                                 \
        if (DH_LIKELY(dh_trail_begin((uintptr_t)p, bytes, DH_HERE))) return;     \
        GO shortest_read##bytes(p);                                              \
    }                                                                            \
    WAY off_trail_read##bytes(void const *p) {                                   \
        if (DH_LIKELY(same_read_exactly((uintptr_t)p, bytes))) return;           \
        if (dh_trail_is_due((uintptr_t)p, bytes)) GO begin_trail_read##bytes(p); \
        GO shortest_read##bytes(p);                                              \
    }                                                                            \
    WAY late_trail_read##bytes(void const *p) {                                  \
        if (DH_LIKELY(dh_trail_take_slow((uintptr_t)p, bytes, DH_HERE))) return; \
        GO off_trail_read##bytes(p);                                             \
    }                                                                            \
    WAY trail_read##bytes(void const *p) {                                       \
        if (DH_LIKELY(dh_trail_take((uintptr_t)p, bytes, DH_HERE))) return;      \
        GO late_trail_read##bytes(p);                                            \
    }                                                                            \
    WAY known_read##bytes(void const *p) {                                       \
        if (DH_LIKELY(dh_trail_knows((uintptr_t)p))) return;                     \
        if (dh_trail_has((uintptr_t)p)) GO trail_read##bytes(p);                 \
        GO off_trail_read##bytes(p);                                             \
    }                                                                            \
    EXPORT DH_SLOW void __dh_read##bytes##_unaligned_slow(void const *p) {       \
        if (DH_LIKELY(dh_trail_awaits((uintptr_t)p))) return;                    \
        GO known_read##bytes(p);                                                 \
    }                                                                            \
    EXPORT DH_SLOW void __dh_called_read##bytes##_unaligned(void const *p) {     \
        if (DH_LIKELY(dh_trail_awaits((uintptr_t)p))) return;                    \
        GO known_read##bytes(p);                                                 \
    }

#define UNALIGNED(bytes) \
    READ(bytes)          \
    WRITE(bytes)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
