/* Asynchronous cancellation: a thread may be cancelled in the middle of a loop whose check comes
 * behind it.
 *
 * libc cancels by a signal of its own. Once a thread asks to be cancelled at any time we stand in
 * front of its handler, which may not come back: what the loop has accessed is checked first
 * (rt/loops.h). And the signal is put off while the thread is in a critical section, as others are.
 *
 * libc installs its handler when a thread is first cancelled: so one is, which does nothing else.
 */
#include "rt/intercept/table.h"
#include "rt/loops.h"
#include "rt/options.h"

#include <pthread.h>
#include <sys/syscall.h>

enum { CANCEL = 32 }; /* libc's SIGCANCEL */

/* The kernel's form of it. */
static struct action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*returns)(void);
    uint64_t mask;
} libcs;

static void cancel(int signal, siginfo_t *info, void *context) {
    struct dh_loop *loops = __dh_tls.loops;
    if (dh_signal_put_off(info, context)) return;
    if (loops && __dh_tls.self) dh_loops_check(__dh_tls.self);
    __dh_tls.loops = 0;
    libcs.handler(signal, info, context);
    __dh_tls.loops = loops;
}

static void set_type(int type);

static void *wait_for_it(void *unused) {
    set_type(PTHREAD_CANCEL_ASYNCHRONOUS);
    for (;;)
        dh_syscall(SYS_pause, 0l, 0l, 0l, 0l, 0l, 0l);
    return unused;
}

/* The runtime is not to know of the thread. */
static void have_one_cancelled(void) {
    static struct dh_real create = {"pthread_create", 0, 0}, join = {"pthread_join", 0, 0};
    pthread_t thread;
    if (((__typeof__(pthread_create) *)dh_real_get(&create))(&thread, 0, wait_for_it, 0) != 0)
        return;
    pthread_cancel(thread);
    ((__typeof__(pthread_join) *)dh_real_get(&join))(thread, 0);
}

static void stand_in_front_locked(void) {
    have_one_cancelled();
    dh_syscall(SYS_rt_sigaction, (long)CANCEL, 0l, &libcs, (long)sizeof libcs.mask, 0l, 0l);
    if (!libcs.handler) return;
    struct action ours = libcs;
    ours.handler = cancel;
    dh_syscall(SYS_rt_sigaction, (long)CANCEL, &ours, 0l, (long)sizeof ours.mask, 0l, 0l);
}

/* No handler runs meanwhile, also not in the new thread. But libc's own signals get through. */
static void stand_in_front(void) {
    static struct dh_mutex lock;
    static bool done;
    uint64_t mask = ~((uint64_t)3 << (CANCEL - 1)), old = 0;
    dh_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &mask, &old, (long)sizeof mask, 0l, 0l);
    dh_ignore_begin(); /* libc allocates in here */
    dh_mutex_lock(&lock);
    if (!done) stand_in_front_locked();
    done = true;
    dh_mutex_unlock(&lock);
    dh_ignore_end();
    dh_signals_restore(old);
}

INTERCEPT(int, pthread_setcanceltype, (int type, int *old)) {
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS && dh_options.enabled && dh_loops_used)
        stand_in_front();
    struct dh_here here = DH_HERE;
    int failed = REAL(pthread_setcanceltype)(type, old);
    if (!failed && dh_checking()) WRITES(old)
    return failed;
}

static void set_type(int type) { REAL(pthread_setcanceltype)(type, 0); }
