#include "rt/ending.h"
#include "rt/footprint.h"
#include "rt/intercept/intercept.h"
#include "rt/loops.h"
#include "rt/trails.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

enum {
    STOP = 33, /* libc's SIGSETXID */
    /* For those that do not answer: asleep in the kernel beyond signals, or in vfork. */
    PATIENCE_S = 10,
    GLANCE_NS = 10 * 1000 * 1000,
};

static uint32_t answers; /* a futex: how many have made their checks */

static void check_all(struct dh_thread *self) {
    dh_footprint_commit(self);
    dh_loops_check(self);
}

/* ---- in the others ---- */

static void stay(int signal, siginfo_t *info, void *context) {
    (void)signal;
    if (dh_signal_put_off(info, context)) return;
    if (__dh_tls.self) {
        check_all(__dh_tls.self);
        __atomic_store_n(&__dh_tls.self->stays, true, __ATOMIC_RELEASE);
    }
    __atomic_add_fetch(&answers, 1, __ATOMIC_RELEASE);
    dh_syscall(SYS_futex, &answers, (long)FUTEX_WAKE_PRIVATE, (long)INT32_MAX, 0l, 0l, 0l);
    for (;;) {
        struct timespec long_time = {.tv_sec = 3600};
        dh_syscall(SYS_nanosleep, &long_time, 0l, 0l, 0l, 0l, 0l);
    }
}

/* libc does not let anybody have this signal, so the kernel is asked directly. It wants to be told
 * how a handler returns. */
__asm__(".pushsection .text\n"
        ".type dh_stay_returns, @function\n"
        "dh_stay_returns:\n"
        "\tmovl $15, %eax\n" /* rt_sigreturn */
        "\tsyscall\n"
        ".size dh_stay_returns, . - dh_stay_returns\n"
        ".popsection\n");
void dh_stay_returns(void) __attribute__((visibility("hidden")));

static void catch_stop(void) {
    struct {
        void (*handler)(int, siginfo_t *, void *);
        unsigned long flags;
        void (*returns)(void);
        uint64_t mask;
    } action = {stay, SA_SIGINFO | 0x04000000 /* SA_RESTORER */, dh_stay_returns, UINT64_MAX};
    dh_syscall(SYS_rt_sigaction, (long)STOP, &action, 0l, (long)sizeof action.mask, 0l, 0l);
}

/* ---- in the one that ends the process ---- */

/* A thread that is seen in no loop may enter one now: what it does there comes after the end. */
static bool is_late(struct dh_thread const *t) {
    return t != __dh_tls.self
           && (t->pending != 0
               || (t->tls && __atomic_load_n(&t->tls->loops, __ATOMIC_RELAXED) != 0));
}

/* The threads that have checks pending. From now on none puts off another. */
static struct dh_thread **late_threads(uint32_t *count) {
    uint32_t room = 0;
    *count = 0;
    dh_world_stop();
    dh_footprints = DH_FOOTPRINTS_OVER;
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live) {
        if (t->tls) dh_trail_end(t->tls);
        room += is_late(t);
    }
    struct dh_thread **list = room ? dh_alloc(room * sizeof *list) : 0;
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live)
        if (*count < room && is_late(t)) list[(*count)++] = t; /* meanwhile others may be, too */
    dh_world_go();
    return list;
}

static int64_t seconds(void) {
    struct timespec now = {0};
    dh_syscall(SYS_clock_gettime, (long)CLOCK_MONOTONIC, &now, 0l, 0l, 0l, 0l);
    return now.tv_sec;
}

static bool exists(struct dh_thread const *t, long process) {
    return dh_syscall(SYS_tgkill, process, (long)t->os_id, 0l, 0l, 0l, 0l) == 0;
}

/* Until it has made its checks, and reported what they found. */
static void wait_for(struct dh_thread const *t, long process, int64_t until) {
    struct timespec glance = {.tv_nsec = GLANCE_NS};
    for (;;) {
        uint32_t seen = __atomic_load_n(&answers, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&t->stays, __ATOMIC_ACQUIRE) || !exists(t, process)
            || seconds() >= until)
            return;
        dh_syscall(SYS_futex, &answers, (long)FUTEX_WAIT_PRIVATE, (long)seen, &glance, 0l, 0l);
    }
}

/* The running thread, if there may be anything to check; else null. */
static struct dh_thread *who_may_check(void) {
    struct dh_thread *self = __dh_tls.self;
    bool some = dh_footprints == DH_FOOTPRINTS_SOME
                || (dh_loops_used && dh_footprints != DH_FOOTPRINTS_OVER);
    if (!some || dh_alone_now || !self) return 0;
    /* A child of vfork has its parent's memory, and nothing of its own. */
    return dh_syscall(SYS_gettid, 0l, 0l, 0l, 0l, 0l, 0l) == (long)self->os_id ? self : 0;
}

void dh_ending_alone(void) {
    struct dh_thread *self = who_may_check();
    if (self) check_all(self);
}

void dh_ending(void) {
    struct dh_thread *self = who_may_check();
    if (!self) return;
    check_all(self);
    uint32_t count;
    struct dh_thread **list = late_threads(&count);
    if (count == 0) return;
    catch_stop();
    long process = dh_syscall(SYS_getpid, 0l, 0l, 0l, 0l, 0l, 0l);
    for (uint32_t i = 0; i < count; i++)
        dh_syscall(SYS_tgkill, process, (long)list[i]->os_id, (long)STOP, 0l, 0l, 0l);
    int64_t until = seconds() + PATIENCE_S;
    for (uint32_t i = 0; i < count; i++)
        wait_for(list[i], process, until);
}
