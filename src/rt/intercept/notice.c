#include "rt/intercept/notice.h"
#include "rt/intercept/fd.h"
#include "rt/intercept/intercept.h"

#include <pthread.h>
#include <sys/syscall.h>

/* A notice is never freed: libc may hold one whose timer is gone, or whose control block is used
 * again. Those that are not in use serve for the same owner again. */
struct dh_notice {
    void (*function)(union sigval);
    union sigval value;
    void const *owner;
    struct dh_thread *child; /* that will make the call; null while another is made known */
    bool used, repeats, over, stack_given;
    int queue; /* -1: none */
    struct dh_notice *next;
};

enum { BUCKETS = 256 };

static struct dh_mutex lock;
static struct dh_notice *notices[BUCKETS]; /* by owner */

static void enter(void) {
    dh_critical_enter();
    dh_mutex_lock(&lock);
}

static void leave(void) {
    dh_mutex_unlock(&lock);
    dh_critical_leave();
}

static struct dh_notice *unused_locked(void const *owner) {
    struct dh_notice **bucket = &notices[((uintptr_t)owner >> 4) % BUCKETS];
    for (struct dh_notice *n = *bucket; n; n = n->next)
        if (!n->used && n->owner == owner) return n;
    struct dh_notice *n = dh_alloc(sizeof *n);
    n->owner = owner;
    n->next = *bucket;
    *bucket = n;
    return n;
}

/* ---- the call ---- */

/* Of a timer that repeats several threads may come at once: each has its own. */
static struct dh_thread *child_take(struct dh_notice *n) {
    for (;;) {
        struct dh_thread *child = __atomic_exchange_n(&n->child, 0, __ATOMIC_ACQ_REL);
        if (child || !n->repeats || __atomic_load_n(&n->over, __ATOMIC_ACQUIRE)) return child;
        dh_syscall(SYS_sched_yield, 0l, 0l, 0l, 0l, 0l, 0l);
    }
}

/* The next one was asked for where this one was. */
static void child_next(struct dh_notice *n, struct dh_thread const *self, struct dh_here here) {
    struct dh_thread *next = dh_thread_create(here);
    next->creator = self->creator;
    next->created = self->created;
    __atomic_store_n(&n->child, next, __ATOMIC_RELEASE);
}

static void call(union sigval handed) {
    struct dh_notice *n = handed.sival_ptr;
    struct dh_notice now = *n;
    struct dh_thread *child = child_take(n);
    if (child) {
        dh_thread_begin_in_libc(child, now.stack_given);
        if (n->repeats) child_next(n, child, DH_HERE);
    }
    dh_acquire(n);
    if (now.queue >= 0) dh_mq_acquire(now.queue);
    enter();
    if (!n->repeats) n->used = false;
    leave();
    now.function(now.value);
}

/* ---- asking for it ---- */

struct dh_notice *dh_notice_new(struct sigevent *event, void const *owner, enum dh_notice_use use,
                                struct dh_here here) {
    dh_notice_restore(event); /* libc has it from an earlier time, perhaps */
    if (event->sigev_notify != SIGEV_THREAD) return 0;
    struct dh_thread *child = dh_thread_create(here);
    if (!child) return 0;
    enter();
    struct dh_notice *n = unused_locked(owner);
    n->function = event->sigev_notify_function;
    n->value = event->sigev_value;
    n->stack_given = dh_thread_stack_given(event->sigev_notify_attributes);
    n->child = child;
    n->used = true;
    n->repeats = use == DH_REPEATS;
    n->over = false;
    n->queue = -1;
    leave();
    event->sigev_notify_function = call;
    event->sigev_value.sival_ptr = n;
    return n;
}

/* A call of a timer that is gone may still come. */
void dh_notice_over(struct dh_notice *notice) {
    if (!notice) return;
    __atomic_store_n(&notice->over, true, __ATOMIC_RELEASE);
    struct dh_thread *child = __atomic_exchange_n(&notice->child, 0, __ATOMIC_ACQ_REL);
    if (child) dh_thread_create_failed(child);
    enter();
    if (!notice->repeats) notice->used = false;
    leave();
}

void dh_notice_restore(struct sigevent *event) {
    if (event->sigev_notify != SIGEV_THREAD || event->sigev_notify_function != call) return;
    struct dh_notice const *n = event->sigev_value.sival_ptr;
    event->sigev_notify_function = n->function;
    event->sigev_value = n->value;
}

void dh_notice_release(struct dh_notice *notice) {
    if (notice) dh_release_join(notice);
}

void dh_notice_queue(struct dh_notice *notice, int queue) {
    if (notice) notice->queue = queue;
}
