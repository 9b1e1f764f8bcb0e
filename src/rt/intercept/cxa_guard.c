/* The guards of C++'s function-local statics (Itanium C++ ABI, 3.3.3), complete: a program that
 * links libstdc++ statically has no other that could be called from here. The protocol on the
 * guard's first four bytes is libstdc++'s, so that a library with a copy of its own may share
 * guards with us.
 *
 * The compiler has the program look at the first byte, with an atomic load that acquires, before it
 * calls. That load finds the clock that is published here.
 */
#include "rt/intercept/intercept.h"
#include "rt/tape.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#define EXPORT __attribute__((visibility("default")))

enum { DONE = 1, RUNNING = 1 << 8, WAITED_FOR = 1 << 16 };

EXPORT int __cxa_guard_acquire(int *guard) {
    for (;;) {
        int now = 0;
        if (__atomic_compare_exchange_n(guard, &now, RUNNING, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            break;
        if (now == DONE) break;
        int waited_for = RUNNING | WAITED_FOR;
        if (now == RUNNING
            && !__atomic_compare_exchange_n(guard, &now, waited_for, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE))
            continue;
        dh_syscall(SYS_futex, guard, (long)FUTEX_WAIT, (long)waited_for, 0l, 0l, 0l);
    }
    dh_acquire(guard);
    return __atomic_load_n(guard, __ATOMIC_RELAXED) != DONE;
}

static void leave(int *guard, int state) {
    if (__atomic_exchange_n(guard, state, __ATOMIC_ACQ_REL) & WAITED_FOR)
        dh_syscall(SYS_futex, guard, (long)FUTEX_WAKE, (long)INT32_MAX, 0l, 0l, 0l);
}

/* In a trace, what an atomic load finds is an atomic store. */
static void publish(int *guard) {
    dh_release(guard);
    if (DH_LIKELY(!dh_recording || dh_alone_now)) return;
    struct dh_thread *self = dh_self();
    dh_critical_enter();
    if (dh_recording) dh_tape_atomic(self, DH_OP_STORE, (uintptr_t)guard, 1, __ATOMIC_RELEASE, 0);
    dh_critical_leave();
}

EXPORT void __cxa_guard_release(int *guard) {
    publish(guard);
    leave(guard, DONE);
}

/* The initialiser threw: the next thread tries again, and is ordered after the failed attempt. */
EXPORT void __cxa_guard_abort(int *guard) {
    publish(guard);
    leave(guard, 0);
}
