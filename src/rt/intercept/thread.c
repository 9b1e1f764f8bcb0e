/* Threads: pthread_create, thrd_create, and what becomes of the threads they make.
 *
 * The child runs through a trampoline. Before any of the program's code it waits until its creator
 * has told the runtime its handle, so that whoever gets the handle can join it; it is made known;
 * and its stack, if libc took it from its cache, loses the history of its last user.
 *
 * A thread's end is noticed by the destructor of a key (rt/intercept/keys.c), whether it returns,
 * calls pthread_exit or is cancelled.
 *
 * pthread_exit and thrd_exit need no interceptor of their own, then. The main thread gets its value
 * when it makes the first other one.
 */
#include "rt/fibers.h"
#include "rt/footprint.h"
#include "rt/intercept/table.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <threads.h>

/* ---- signals ---- */

/* All but the two that libc keeps for itself, to cancel threads and to change the user of all of
 * them: who sends the second waits for every thread, with the lock held that a new stack needs. */
#define ALL_SIGNALS (~((uint64_t)3 << 31))

static uint64_t signals_set(uint64_t mask) {
    uint64_t old = 0;
    dh_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &mask, &old, (long)sizeof mask, 0l, 0l);
    return old;
}

/* ---- the end ---- */

void dh_thread_ends(void) {
    dh_fiber_go_home();
    dh_mutex_abandon_all();
    /* The first thread's state stays: the process may go on without it, or end by it. */
    if (__dh_tls.self->number == 0) {
        dh_footprint_commit(__dh_tls.self);
        return;
    }
    /* The program has nothing more to do here, and no handler may run over what libc has: it gives
     * back the thread's part of the allocator, under locks that fork waits for. But after the last
     * thread it calls exit, and that the program. */
    uint64_t signals = signals_set(ALL_SIGNALS);
    if (!dh_thread_finished()) signals_set(signals);
}

/* ---- the start ---- */

/* A thread's stack, with its descriptor and its static TLS above the stack proper; size 0: libc
 * does not say. */
struct stack {
    void *low;
    size_t size;
};

/* What the creator hands to the child; the child's to free. */
struct start {
    void *(*posix)(void *); /* one of these two */
    int (*c11)(void *);
    void *argument;
    struct dh_thread *child;
    uint64_t signals;   /* the creator's mask */
    bool signals_given; /* the program gave the child a mask of its own */
    bool stack_given;   /* and a stack */
    struct stack stack;
    uint32_t handle_known; /* a futex */
};

/* libc allocates in here. So the creator asks, for the child that waits for it: in a new thread
 * that would be the first allocation of all, and take a part of the allocator that it may never
 * need. */
static struct stack stack_of(pthread_t thread) {
    struct stack stack = {0, 0};
    pthread_attr_t attr;
    dh_ignore_begin();
    if (pthread_getattr_np(thread, &attr) == 0) {
        pthread_attr_getstack(&attr, &stack.low, &stack.size);
        pthread_attr_destroy(&attr);
    }
    dh_ignore_end();
    return stack;
}

static void use_stack(struct stack stack, bool forget) {
    struct dh_thread *self = __dh_tls.self;
    if (stack.size == 0) return;
    self->stack_low = (uintptr_t)stack.low;
    self->stack_high = (uintptr_t)stack.low + stack.size;
    if (forget) dh_memory_fresh(stack.low, stack.size);
}

/* Code of the running thread may have run already, a handler of a signal that was not blocked, and
 * have made it known as a thread that came from nowhere. That one ends here, joined. */
static void begin(struct dh_thread *child) {
    struct dh_thread *before = __dh_tls.self;
    if (before) {
        before->detached = false;
        dh_thread_finished();
    }
    dh_thread_started(child);
    if (before) dh_thread_joined(before);
}

void dh_thread_begin_in_libc(struct dh_thread *child, bool stack_given) {
    begin(child);
    use_stack(stack_of(pthread_self()), !stack_given);
    dh_thread_watch_end();
    dh_thread_created(child, (uintptr_t)pthread_self(), true);
}

/* The first thing that happens in the child. */
static struct start start_begin(struct start *handed) {
    while (__atomic_load_n(&handed->handle_known, __ATOMIC_ACQUIRE) == 0)
        dh_syscall(SYS_futex, &handed->handle_known, (long)FUTEX_WAIT_PRIVATE, 0l, 0l, 0l, 0l);
    struct start start = *handed;
    begin(start.child);
    use_stack(start.stack, !start.stack_given);
    dh_thread_watch_end();
    dh_free(handed, sizeof *handed); /* who stops the world waits for a thread that is known */
    if (!start.signals_given) signals_set(start.signals);
    return start;
}

static void *run_posix(void *handed) {
    struct start start = start_begin(handed);
    return start.posix(start.argument);
}

static int run_c11(void *handed) {
    struct start start = start_begin(handed);
    return start.c11(start.argument);
}

/* In the creator, before the real call; null if checking is off. The child starts with signals
 * blocked, so that no handler runs in it before it is known. */
static struct start *start_new(void *argument, struct dh_here here) {
    struct dh_thread *child = dh_thread_create(here);
    if (!child) return 0;
    struct dh_thread *self = __dh_tls.self;
    if (self->number == 0 && self->handle == 0) { /* the main thread can be joined, too */
        dh_thread_created(self, (uintptr_t)pthread_self(), false);
        dh_thread_watch_end();
    }
    struct start *start = dh_alloc(sizeof *start);
    start->argument = argument;
    start->child = child;
    start->signals = signals_set(ALL_SIGNALS);
    return start;
}

/* And after it. When the child may go on, `start` is no longer ours; waking nobody at an address of
 * the runtime's memory does no harm. */
static void start_done(struct start *start, bool made, uintptr_t handle, bool detached) {
    uint64_t signals = start->signals;
    if (made) {
        start->stack = stack_of((pthread_t)handle);
        dh_thread_created(start->child, handle, detached);
        __atomic_store_n(&start->handle_known, 1, __ATOMIC_RELEASE);
        dh_syscall(SYS_futex, &start->handle_known, (long)FUTEX_WAKE_PRIVATE, 1l, 0l, 0l, 0l);
    } else {
        dh_thread_create_failed(start->child);
        dh_free(start, sizeof *start);
    }
    signals_set(signals);
}

/* What the runtime asks of attributes, by the names that programs use, is not an access of the
 * program's. */
#define ASK(question)            \
    ({                           \
        dh_critical_enter();     \
        bool answer_ = question; \
        dh_critical_leave();     \
        answer_;                 \
    })

/* An attribute object without a stack address reads as a stack that ends at address 0. */
bool dh_thread_stack_given(pthread_attr_t const *attr) {
    void *low;
    size_t size;
    return attr && ASK(pthread_attr_getstack(attr, &low, &size) == 0) && (uintptr_t)low + size != 0;
}

static bool has_signals(pthread_attr_t const *attr) {
    sigset_t signals;
    return attr && ASK(pthread_attr_getsigmask_np(attr, &signals) == 0);
}

static bool is_detached(pthread_attr_t const *attr) {
    int state;
    return attr && ASK(pthread_attr_getdetachstate(attr, &state) == 0)
           && state == PTHREAD_CREATE_DETACHED;
}

INTERCEPT(int, pthread_create,
          (pthread_t * thread, pthread_attr_t const *attr, void *(*routine)(void *),
           void *argument)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) {
        READS(attr)
        WRITES(thread) /* before the child runs, which may read it */
    }
    struct start *start = start_new(argument, here);
    if (!start) return REAL(pthread_create)(thread, attr, routine, argument);
    start->posix = routine;
    start->stack_given = dh_thread_stack_given(attr);
    start->signals_given = has_signals(attr);
    int failed = REAL(pthread_create)(thread, attr, run_posix, start);
    start_done(start, !failed, failed ? 0 : (uintptr_t)*thread, is_detached(attr));
    return failed;
}

INTERCEPT(int, thrd_create, (thrd_t * thread, thrd_start_t routine, void *argument)) {
    struct dh_here here = DH_HERE;
    if (dh_checking()) WRITES(thread)
    struct start *start = start_new(argument, here);
    if (!start) return REAL(thrd_create)(thread, routine, argument);
    start->c11 = routine;
    int result = REAL(thrd_create)(thread, run_c11, start);
    bool made = result == thrd_success;
    start_done(start, made, made ? (uintptr_t)*thread : 0, false);
    return result;
}

/* ---- joining ---- */

/* `thread` was looked up before the real call: afterwards the handle may be another's. */
static int join_done(struct dh_thread *thread, int failed) {
    if (!failed) dh_thread_joined(thread);
    return failed;
}

/* Calls `real` as a join; `reads` comes before. */
#define JOIN(name, parameters, reads, real)                          \
    INTERCEPT(int, name, parameters) {                               \
        struct dh_here here = DH_HERE;                               \
        struct dh_thread *known = dh_thread_find((uintptr_t)thread); \
        if (dh_checking()) {                                         \
            reads                                                    \
        }                                                            \
        int failed = join_done(known, REAL(name) real);              \
        if (!failed && dh_checking()) WRITES(result)                 \
        return failed;                                               \
    }
JOIN(pthread_join, (pthread_t thread, void **result), , (thread, result))
JOIN(pthread_tryjoin_np, (pthread_t thread, void **result), , (thread, result))
JOIN(pthread_timedjoin_np, (pthread_t thread, void **result, struct timespec const *until),
     READS(until), (thread, result, until))
JOIN(pthread_clockjoin_np,
     (pthread_t thread, void **result, clockid_t clock, struct timespec const *until), READS(until),
     (thread, result, clock, until))
JOIN(thrd_join, (thrd_t thread, int *result), , (thread, result))

static int detach_done(struct dh_thread *thread, int failed) {
    if (!failed) dh_thread_detached(thread);
    return failed;
}

INTERCEPT(int, pthread_detach, (pthread_t thread)) {
    struct dh_thread *known = dh_thread_find((uintptr_t)thread);
    return detach_done(known, REAL(pthread_detach)(thread));
}

INTERCEPT(int, thrd_detach, (thrd_t thread)) {
    struct dh_thread *known = dh_thread_find((uintptr_t)thread);
    return detach_done(known, REAL(thrd_detach)(thread));
}

/* ---- names ---- */

INTERCEPT(int, pthread_setname_np, (pthread_t thread, char const *name)) {
    bool own = pthread_equal(thread, pthread_self());
    struct dh_thread *known = own ? __dh_tls.self : dh_thread_find((uintptr_t)thread);
    struct dh_here here = DH_HERE;
    if (dh_checking()) READS_STRING(name)
    int failed = REAL(pthread_setname_np)(thread, name);
    if (!failed) dh_thread_set_name(known, name);
    return failed;
}
