#include "rt/critical.h"
#include "rt/state.h"
#include "rt/tape.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <sys/syscall.h>

_Thread_local struct dh_critical __dh_critical;
uint32_t dh_world_stopping;
uint32_t dh_strangers_inside;

/* One stopper at a time. It is held with all signals blocked, and never waited for inside a
 * critical section: the present stopper could be waiting for that section to end. */
static struct dh_mutex stopper;
static uint64_t stoppers_signals; /* the mask to restore */
static bool expedited;

void dh_signals_restore(uint64_t mask) {
    dh_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &mask, 0l, (long)sizeof mask, 0l, 0l);
}

uint64_t dh_signals_block(void) {
    uint64_t all = UINT64_MAX, old = 0;
    dh_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, &old, (long)sizeof all, 0l, 0l);
    return old;
}

void dh_barrier_everywhere(void) {
    if (!expedited)
        expedited = dh_syscall(SYS_membarrier, (long)MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0l,
                               0l, 0l, 0l, 0l)
                    == 0;
    long failed = expedited ? dh_syscall(SYS_membarrier, (long)MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0l,
                                         0l, 0l, 0l, 0l)
                            : -1;
    if (failed == 0) return;
    /* No membarrier in this kernel or sandbox. Having every page table entry of a page flushed by
     * mprotect interrupts all processors that run this process, which is the same barrier. */
    static char *page;
    if (!page) page = dh_pages(4096);
    if (!page) dh_die("out of memory: one page");
    __atomic_store_n(page, 1, __ATOMIC_RELAXED);
    dh_syscall(SYS_mprotect, page, 4096l, 1l, 0l, 0l, 0l);
    dh_syscall(SYS_mprotect, page, 4096l, 3l, 0l, 0l, 0l);
}

static void wait_for_world(void) {
    uint32_t stopping;
    while ((stopping = __atomic_load_n(&dh_world_stopping, __ATOMIC_ACQUIRE)) != 0)
        dh_syscall(SYS_futex, &dh_world_stopping, (long)FUTEX_WAIT_PRIVATE, (long)stopping, 0l, 0l,
                   0l);
}

/* Nobody sees a stranger's depth, so its section is counted. */
static void enter_as_stranger(void) {
    for (;;) {
        __atomic_add_fetch(&dh_strangers_inside, 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&dh_world_stopping, __ATOMIC_SEQ_CST) == 0) break;
        __atomic_sub_fetch(&dh_strangers_inside, 1, __ATOMIC_SEQ_CST);
        wait_for_world();
    }
    __dh_critical.counted++;
}

__attribute__((preserve_most)) void dh_critical_wait(void) {
    if (__dh_critical.depth != 1) return; /* one section inside another */
    if (!__dh_critical.known) {
        enter_as_stranger();
        return;
    }
    /* Step back, so that the stopper does not wait for us, and try again when the world goes on. */
    for (;;) {
        __atomic_store_n(&__dh_critical.depth, 0, __ATOMIC_RELEASE);
        wait_for_world();
        __atomic_store_n(&__dh_critical.depth, 1, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (__atomic_load_n(&dh_world_stopping, __ATOMIC_RELAXED) == 0) return;
    }
}

/* As soon as the depth is 0 a handler of the program may run, and have sections of its own: it may
 * see to what was to be done here. */
__attribute__((preserve_most)) void dh_critical_leave_slow(void) {
    if (__dh_critical.depth != 0) return;
    uint32_t counted = __atomic_exchange_n(&__dh_critical.counted, 0, __ATOMIC_RELAXED);
    if (counted) __atomic_sub_fetch(&dh_strangers_inside, counted, __ATOMIC_RELEASE);
    if (__dh_critical.signals_waiting != 0 && __dh_critical.held == 0) dh_critical_signals();
}

void dh_world_stop(void) {
    uint64_t signals = dh_signals_block();
    dh_mutex_lock(&stopper);
    stoppers_signals = signals;
    __atomic_store_n(&dh_world_stopping, 1, __ATOMIC_SEQ_CST);
    dh_barrier_everywhere();
    dh_live_wait();
    __dh_critical.depth++; /* so that our own work does not stop at the gate */
}

static void go(void) {
    __atomic_store_n(&dh_world_stopping, 0, __ATOMIC_RELEASE);
    dh_syscall(SYS_futex, &dh_world_stopping, (long)FUTEX_WAKE_PRIVATE, (long)INT32_MAX, 0l, 0l,
               0l);
    uint64_t signals = stoppers_signals;
    dh_mutex_unlock(&stopper);
    dh_critical_leave();
    dh_signals_restore(signals);
}

void dh_world_go(void) { go(); }

void dh_world_go_in_child(void) {
    dh_threads_after_fork(__dh_tls.self);
    dh_report_forked();
    stopper.state = 1;
    expedited = false;
    go();
    dh_tape_forked();
}
