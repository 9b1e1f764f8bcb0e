/* What a program may call about itself: include/deadheat.h; and a barrier for tests. */
#include "rt/access.h"
#include "rt/benign.h"
#include "rt/state.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void deadheat_acquire(void const volatile *p) { dh_acquire((void const *)p); }
EXPORT void deadheat_release(void const volatile *p) { dh_release_join((void const *)p); }
EXPORT void deadheat_ignore_begin(void) { dh_ignore_begin(); }
EXPORT void deadheat_ignore_end(void) { dh_ignore_end(); }
EXPORT void deadheat_read(void const volatile *p, size_t size) {
    dh_range_read((void const *)p, size, DH_HERE);
}
EXPORT void deadheat_write(void volatile *p, size_t size) {
    dh_range_write((void const *)p, size, DH_HERE);
}
EXPORT void deadheat_benign_race(void const volatile *p, size_t size, char const *why) {
    (void)why; /* for the reader of the program */
    dh_benign_add((uintptr_t)p, size);
}
EXPORT unsigned long deadheat_race_count(void) { return dh_report_count(); }

/* A barrier for tests that orders nothing: the detector does not see it, and neither does libc. Its
 * word is all that a test of ThreadSanitizer's gives us: how many make a round, how many of them
 * have arrived, and below them the number of the round, modulo 64. */
enum { BARRIER_BITS = 13, BARRIER_MOST = (1 << BARRIER_BITS) - 1, BARRIER_ROUND_BITS = 6 };

static inline uint32_t barrier_round(uint32_t word) {
    return word & ((1u << BARRIER_ROUND_BITS) - 1);
}

EXPORT void __tsan_testonly_barrier_init(uint32_t volatile *barrier, unsigned count) {
    if (count == 0 || count > BARRIER_MOST)
        dh_die("a test barrier is for 1 to %d threads, not %u", BARRIER_MOST, count);
    __atomic_store_n(barrier, count << (BARRIER_BITS + BARRIER_ROUND_BITS), __ATOMIC_RELAXED);
}

EXPORT void __tsan_testonly_barrier_wait(uint32_t volatile *barrier) {
    uint32_t before = __atomic_load_n(barrier, __ATOMIC_RELAXED), after;
    do {
        uint32_t count = before >> (BARRIER_BITS + BARRIER_ROUND_BITS);
        uint32_t arrived = (before >> BARRIER_ROUND_BITS & BARRIER_MOST) + 1;
        uint32_t round = barrier_round(before);
        if (arrived == count) arrived = 0, round = barrier_round(round + 1);
        after = (count << BARRIER_BITS | arrived) << BARRIER_ROUND_BITS | round;
    } while (!__atomic_compare_exchange_n(barrier, &before, after, true, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
    if (barrier_round(after) != barrier_round(before)) {
        dh_syscall(SYS_futex, barrier, (long)FUTEX_WAKE_PRIVATE, (long)INT32_MAX, 0l, 0l, 0l);
        return;
    }
    for (;;) {
        uint32_t now = __atomic_load_n(barrier, __ATOMIC_ACQUIRE);
        if (barrier_round(now) != barrier_round(before)) break;
        dh_syscall(SYS_futex, barrier, (long)FUTEX_WAIT_PRIVATE, (long)now, 0l, 0l, 0l);
    }
}
