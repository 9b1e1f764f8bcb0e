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

/* A barrier for tests that orders nothing: the detector does not see it, and neither does libc. The
 * word at *barrier counts arrivals in its low half; the number that make a round is in the high
 * half. */
EXPORT void __tsan_testonly_barrier_init(uint64_t volatile *barrier, unsigned count) {
    __atomic_store_n(barrier, (uint64_t)count << 32, __ATOMIC_RELAXED);
}

EXPORT void __tsan_testonly_barrier_wait(uint64_t volatile *barrier) {
    uint64_t before = __atomic_fetch_add(barrier, 1, __ATOMIC_ACQ_REL);
    uint32_t count = (uint32_t)(before >> 32), mine = (uint32_t)before;
    uint32_t volatile *arrived = (uint32_t volatile *)barrier; /* little endian: the low half */
    uint32_t round_end = mine / count * count + count;
    for (;;) {
        uint32_t now = __atomic_load_n(arrived, __ATOMIC_ACQUIRE);
        if (now >= round_end) break;
        dh_syscall(SYS_futex, arrived, (long)FUTEX_WAIT_PRIVATE, (long)now, 0l, 0l, 0l);
    }
    dh_syscall(SYS_futex, arrived, (long)FUTEX_WAKE_PRIVATE, (long)INT32_MAX, 0l, 0l, 0l);
}
