/* Signals. The program's handlers run as they would have, except that none runs inside a critical
 * section, or inside libc's allocator (rt/critical.h): a signal that arrives there is put off to
 * its end.
 *
 * The kernel is given our handler in place of the program's, with all signals blocked while it
 * runs. It either
 *   - sets the mask that the program asked for, and calls the program's handler: from here on all
 * is as it would have been, nested signals included; or
 *   - puts the signal off: keeps its siginfo, and returns with all signals blocked in the mask that
 * the kernel restores, so that nothing else arrives in this section. At its end the thread sends
 * the signal to itself again and restores the mask: the kernel delivers it there, on the right
 * stack, with a context that makes sense. One signal is all there can be to keep.
 *
 * Faults of the running code (SIGSEGV and its like, from the kernel) cannot wait. Nor can SIGABRT
 * in the allocator, which sends it when it finds the heap broken. Their handlers may jump out of
 * it.
 *
 * Where checks are put off (rt/footprint.h), or come behind loops (rt/loops.h), a signal that would
 * end the process has our handler even if the program has none: it sees to what is pending, gives
 * the signal its default back, and sends it again. The program is told that it is the default.
 *
 * What was done before a handler was installed is ordered before it runs, in whichever thread: it
 * could not run earlier, and programs rely on it.
 *
 * SA_RESETHAND is done by us, not the kernel: for a signal sent twice the handler must survive the
 * first.
 */
#include "rt/ending.h"
#include "rt/epochs.h"
#include "rt/gathers.h"
#include "rt/intercept/intercept.h"
#include "rt/loops.h"
#include "rt/options.h"
#include "rt/trails.h"
#include "rt/unchecked.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

enum { SIGNALS = 65 };

/* What the program asked for. Changed under the lock, inside a critical section; read by handlers,
 * which take no lock: they read again while `version` is odd or has changed. */
static struct {
    uint32_t version;
    uint32_t
        installer; /* the number of the thread that has installed handlers plus one, or SEVERAL */
    struct sigaction action;
} actions[SIGNALS];
#define SEVERAL UINT32_MAX
static struct dh_mutex actions_lock;

/* The signal that was put off. */
static _Thread_local struct {
    siginfo_t info;
    uint64_t mask; /* to be restored */
} waiting;

/* The kernel's sigset_t; libc's is larger. */
static uint64_t *kernel_set(sigset_t *set) { return (uint64_t *)set; }

static uint64_t bit(int signal) { return (uint64_t)1 << (signal - 1); }

static void mask_set(uint64_t mask) {
    dh_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &mask, 0l, (long)sizeof mask, 0l, 0l);
}

static bool is_function(struct sigaction const *action) {
    return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/* ---- what the program asked for ---- */

static void action_write_locked(int signal, struct sigaction const *action) {
    uint32_t version = actions[signal].version;
    __atomic_store_n(&actions[signal].version, version + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    actions[signal].action = *action;
    __atomic_store_n(&actions[signal].version, version + 2, __ATOMIC_RELEASE);
}

static struct sigaction action_read(int signal) {
    for (;;) {
        uint32_t before = __atomic_load_n(&actions[signal].version, __ATOMIC_ACQUIRE);
        struct sigaction action = actions[signal].action;
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        uint32_t after = __atomic_load_n(&actions[signal].version, __ATOMIC_RELAXED);
        if (before == after && before % 2 == 0) return action;
    }
}

/* ---- delivery ---- */

static bool is_fault(int signal, siginfo_t const *info) {
    if (info->si_code <= 0) return false; /* sent by somebody */
    switch (signal) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGSYS: return true;
    default: return false;
    }
}

static void put_off(siginfo_t const *info, ucontext_t *context) {
    static uint64_t const faults = 1 << (SIGSEGV - 1) | 1 << (SIGBUS - 1) | 1 << (SIGFPE - 1)
                                   | 1 << (SIGILL - 1) | 1 << (SIGTRAP - 1)
                                   | (uint64_t)1 << (SIGSYS - 1);
    waiting.info = *info;
    waiting.mask = *kernel_set(&context->uc_sigmask);
    *kernel_set(&context->uc_sigmask) = ~faults;
    __dh_critical.signals_waiting = 1;
}

static void send_again(siginfo_t const *info) {
    long process = dh_syscall(SYS_getpid, 0l, 0l, 0l, 0l, 0l, 0l);
    long thread = dh_syscall(SYS_gettid, 0l, 0l, 0l, 0l, 0l, 0l);
    long signal = info->si_signo;
    if (dh_syscall(SYS_rt_tgsigqueueinfo, process, thread, signal, info, 0l, 0l) != 0)
        dh_syscall(SYS_tgkill, process, thread, signal, 0l, 0l,
                   0l); /* the queue is full: without siginfo */
}

void dh_critical_signals(void) {
    siginfo_t info = waiting.info;
    uint64_t mask = waiting.mask;
    __dh_critical.signals_waiting = 0;
    send_again(&info);
    mask_set(mask);
}

static bool can_run(int signal, siginfo_t const *info) {
    if (is_fault(signal, info)) return true;
    return __dh_critical.depth == 0 && (__dh_critical.held == 0 || signal == SIGABRT);
}

bool dh_signal_put_off(siginfo_t const *info, void *context) {
    bool can = can_run(info->si_signo, info);
    if (!can) put_off(info, context);
    return !can;
}

static void reset(int signal);
static void end_by(siginfo_t const *info);

/* ---- what comes before a handler ---- */

static void publish_installation(int signal) {
    uint32_t me = dh_self()->number + 1, before = 0;
    if (!__atomic_compare_exchange_n(&actions[signal].installer, &before, me, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED)
        && before != me)
        __atomic_store_n(&actions[signal].installer, SEVERAL, __ATOMIC_RELAXED);
    dh_release_join(&actions[signal]);
}

/* Who has installed it knows what came before, and acquires nothing: a fault in a loop should not
 * end what the loop's checks are good for. */
static void learn_installation(int signal) {
    uint32_t installer = __atomic_load_n(&actions[signal].installer, __ATOMIC_RELAXED);
    if (installer != __dh_tls.self->number + 1) dh_acquire(&actions[signal]);
}

/* What is interrupted may have read a word of an older generation (rt/gathers.h), or the beginning of
 * another trail (rt/trails.h). */
static uint64_t gathers_begun(void) {
    struct dh_thread const *self = __dh_tls.self;
    return self && self->gathers ? self->gathers->begun : 0;
}

/* What is interrupted may have read a word of a cell, which is not that any more: ids were collected
 * since, and the handler was given the same one for something of its own. It must match nothing. */
static void forget_ids(void) {
    dh_critical_enter();
    dh_thread_forget_epoch();
    dh_fill(__dh_tls.known, 0, sizeof __dh_tls.known);
    dh_critical_leave();
}

static void handler(int signal, siginfo_t *info, void *context) {
    ucontext_t *interrupted = context;
    if (dh_signal_put_off(info, interrupted)) return;
    struct sigaction action = action_read(signal);
    if (action.sa_handler == SIG_DFL) {
        end_by(info);
        return;
    }
    uint32_t held = __dh_critical.held;
    __dh_critical.held = 0;
    if (action.sa_flags & SA_RESETHAND) reset(signal);
    uint64_t mask = *kernel_set(&interrupted->uc_sigmask) | *kernel_set(&action.sa_mask);
    if (!(action.sa_flags & SA_NODEFER)) mask |= bit(signal);
    mask_set(mask);
    bool known = __dh_tls.self && __dh_critical.depth == 0;
    struct dh_ignored ignored = {0, 0};
    /* The handler may not come back to the loops that it interrupts: they are as good as left. */
    struct dh_loop *loops = __dh_tls.loops;
    if (known && loops) dh_loops_check(__dh_tls.self);
    __dh_tls.loops = 0;
    uint64_t gathers = gathers_begun();
    uintptr_t begin = __dh_tls.trail.begin, committed = __dh_tls.trail.committed;
    uint64_t collections = __atomic_load_n(&dh_collections, __ATOMIC_RELAXED);
    if (known) {
        ignored = dh_ignore_suspend();
        learn_installation(signal);
    }
    action.sa_sigaction(signal, info,
                        context); /* the kernel passes all three to every handler, too */
    __dh_tls.loops = loops;
    if (gathers_begun() != gathers) __dh_tls.gathering = 0;
    if (__dh_tls.trail.begin != begin || __dh_tls.trail.committed != committed)
        dh_trail_end(&__dh_tls);
    if (known && __atomic_load_n(&dh_collections, __ATOMIC_RELAXED) != collections) forget_ids();
    if (known) dh_ignore_resume(ignored);
    __dh_critical.held = held;
}

/* ---- installation ---- */

static bool watching; /* the signals that end the process: under the lock */

static bool ends_process(int signal) {
    switch (signal) {
    case SIGKILL: /* nobody has a say in this one, */
    case SIGSTOP:
    case SIGCHLD: /* and these do other things by default */
    case SIGCONT:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGURG:
    case SIGWINCH: return false;
    default: return true;
    }
}

/* The kernel is to call us. */
static bool is_ours_locked(int signal, struct sigaction const *action) {
    return is_function(action)
           || (watching && action->sa_handler == SIG_DFL && ends_process(signal));
}

static struct sigaction ours(struct sigaction const *action) {
    struct sigaction ours = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    if (is_function(action)) ours.sa_flags |= action->sa_flags & ~(int)SA_RESETHAND;
    sigfillset(&ours.sa_mask);
    return ours;
}

/* The older ways to install a handler lead to sigaction, too. */
static bool installs(void) { return dh_options.enabled || dh_filling; }

INTERCEPT(int, sigaction, (int signal, struct sigaction const *action, struct sigaction *old)) {
    struct sigaction open;
    if (dh_filling && signal == SIGSEGV) return dh_unchecked_sigaction(action, old);
    if (dh_filling && action) {
        open = *action;
        action = &open;
        sigdelset(&open.sa_mask, SIGSEGV);
    }
    if (!dh_options.enabled || signal <= 0 || signal >= SIGNALS)
        return REAL(sigaction)(signal, action, old);
    struct sigaction wanted, before, kept = {0};
    if (action) wanted = kept = *action;
    if (action && is_function(action)) publish_installation(signal);
    dh_critical_enter();
    dh_mutex_lock(&actions_lock);
    struct sigaction kept_before = actions[signal].action;
    bool wrapped = action && is_ours_locked(signal, &kept);
    if (wrapped) {
        wanted = ours(&kept);
        action_write_locked(signal, &kept); /* before the first signal can arrive */
    }
    int failed = REAL(sigaction)(signal, action ? &wanted : 0, &before);
    if (failed && wrapped) action_write_locked(signal, &kept_before);
    dh_mutex_unlock(&actions_lock);
    dh_critical_leave();
    if (!failed && old) *old = before.sa_sigaction == handler ? kept_before : before;
    return failed;
}

/* libc has it under this name, too. */
__attribute__((visibility("default"),
               alias("sigaction"))) extern __typeof__(dh_intercept_sigaction) __sigaction;

#define sigaction(signal, action, old) dh_intercept_sigaction(signal, action, old)

/* ---- the default ---- */

static void default_locked(int signal) {
    struct sigaction by_default = {.sa_handler = SIG_DFL}, action = by_default;
    if (is_ours_locked(signal, &by_default)) {
        action_write_locked(signal, &by_default);
        action = ours(&by_default);
    }
    REAL(sigaction)(signal, &action, 0);
}

/* The handler is called once: the default is back before it runs. */
static void reset(int signal) {
    dh_critical_enter();
    dh_mutex_lock(&actions_lock);
    default_locked(signal);
    dh_mutex_unlock(&actions_lock);
    dh_critical_leave();
}

void dh_signals_watch_ends(void) {
    dh_critical_enter();
    dh_mutex_lock(&actions_lock);
    watching = true;
    for (int signal = 1; signal < SIGNALS; signal++) {
        struct sigaction now;
        if (ends_process(signal) && REAL(sigaction)(signal, 0, &now) == 0
            && now.sa_handler == SIG_DFL)
            default_locked(signal);
    }
    dh_mutex_unlock(&actions_lock);
    dh_critical_leave();
}

/* The signal arrives again when the handler returns, which has all of them blocked. */
static void end_by(siginfo_t const *info) {
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    if (__dh_critical.depth == 0) dh_ending(); /* else a fault in there: of no use to wait */
    REAL(sigaction)(info->si_signo, &by_default, 0);
    send_again(info);
}

/* ---- the older ways to say it ---- */

typedef void (*function)(int);

static function install(int signal, function f, int flags, uint64_t mask) {
    struct sigaction action = {.sa_handler = f, .sa_flags = flags}, old;
    *kernel_set(&action.sa_mask) = mask;
    if (f == SIG_ERR || signal < 1 || signal >= SIGNALS) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return sigaction(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

static uint64_t interrupting; /* signals whose handlers interrupt system calls: siginterrupt */

INTERCEPT(int, siginterrupt, (int signal, int interrupt)) {
    struct sigaction action;
    if (!installs()) return REAL(siginterrupt)(signal, interrupt);
    if (sigaction(signal, 0, &action) != 0) return -1;
    if (interrupt) {
        __atomic_fetch_or(&interrupting, bit(signal), __ATOMIC_RELAXED);
        action.sa_flags &= ~SA_RESTART;
    } else {
        __atomic_fetch_and(&interrupting, ~bit(signal), __ATOMIC_RELAXED);
        action.sa_flags |= SA_RESTART;
    }
    return sigaction(signal, &action, 0);
}

static function install_bsd(int signal, function f) {
    bool valid = signal > 0 && signal < SIGNALS;
    bool interrupts = valid && __atomic_load_n(&interrupting, __ATOMIC_RELAXED) & bit(signal);
    return install(signal, f, interrupts ? 0 : SA_RESTART, valid ? bit(signal) : 0);
}

INTERCEPT(function, signal, (int signal, function f)) {
    return installs() ? install_bsd(signal, f) : REAL(signal)(signal, f);
}

INTERCEPT(function, bsd_signal, (int signal, function f)) {
    return installs() ? install_bsd(signal, f) : REAL(bsd_signal)(signal, f);
}

INTERCEPT(function, __sysv_signal, (int signal, function f)) {
    if (!installs()) return REAL(__sysv_signal)(signal, f);
    return install(signal, f, (int)(SA_RESETHAND | SA_NODEFER), 0);
}

INTERCEPT(function, sysv_signal, (int signal, function f)) {
    if (!installs()) return REAL(sysv_signal)(signal, f);
    return install(signal, f, (int)(SA_RESETHAND | SA_NODEFER), 0);
}

INTERCEPT(function, sigset, (int signal, function f)) {
    sigset_t one, before;
    if (!installs()) return REAL(sigset)(signal, f);
    sigemptyset(&one);
    if (f == SIG_ERR || sigaddset(&one, signal) != 0) {
        errno = EINVAL;
        return SIG_ERR;
    }
    struct sigaction old;
    if (f == SIG_HOLD) {
        if (sigaction(signal, 0, &old) != 0 || sigprocmask(SIG_BLOCK, &one, &before) != 0)
            return SIG_ERR;
    } else {
        old.sa_handler = install(signal, f, 0, 0);
        if (old.sa_handler == SIG_ERR || sigprocmask(SIG_UNBLOCK, &one, &before) != 0)
            return SIG_ERR;
    }
    return sigismember(&before, signal) ? SIG_HOLD : old.sa_handler;
}
