/* Timers that call the program or send a signal when they go off: who hears of it comes after who
 * set them. */
#include "rt/intercept/fd.h"
#include "rt/intercept/notice.h"
#include "rt/intercept/table.h"

#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* What is known of a timer that was made. */
struct timer {
    timer_t id;
    struct dh_notice *notice; /* null: none */
    int signal;               /* 0: none */
    struct timer *next;
};

static struct dh_mutex lock;
static struct timer *timers;

static void enter(void) {
    dh_critical_enter();
    dh_mutex_lock(&lock);
}

static void leave(void) {
    dh_mutex_unlock(&lock);
    dh_critical_leave();
}

static void timer_add(timer_t id, struct dh_notice *notice, int signal) {
    struct timer *t = dh_alloc(sizeof *t);
    enter();
    *t = (struct timer){id, notice, signal, timers};
    timers = t;
    leave();
}

static struct timer timer_find(timer_t id, bool remove) {
    struct timer found = {.id = id};
    enter();
    struct timer **link = &timers;
    while (*link && (*link)->id != id)
        link = &(*link)->next;
    struct timer *t = *link;
    if (t) found = *t;
    if (t && remove) {
        *link = t->next;
        dh_free(t, sizeof *t);
    }
    leave();
    return found;
}

/* Without an event it is SIGALRM. */
INTERCEPT(int, timer_create, (clockid_t clock, struct sigevent *event, timer_t *id)) {
    struct dh_here here = DH_HERE;
    struct sigevent wanted = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    if (event) wanted = *event;
    if (dh_checking()) {
        READS(event)
    }
    struct dh_notice *notice = dh_notice_new(&wanted, 0, DH_REPEATS, here);
    int failed = REAL(timer_create)(clock, event ? &wanted : 0, id);
    if (failed) {
        dh_notice_over(notice);
        return failed;
    }
    if (dh_checking()) {
        WRITES(id)
    }
    timer_add(*id, notice, wanted.sigev_notify == SIGEV_SIGNAL ? wanted.sigev_signo : 0);
    return 0;
}

INTERCEPT(int, timer_settime,
          (timer_t id, int flags, struct itimerspec const *new, struct itimerspec *old)) {
    struct dh_here here = DH_HERE;
    struct timer timer = timer_find(id, false);
    if (dh_checking()) {
        READS(new)
    }
    dh_notice_release(timer.notice);
    if (timer.signal) dh_signal_sent(timer.signal);
    int failed = REAL(timer_settime)(id, flags, new, old);
    if (!failed && dh_checking()) {
        WRITES(old)
    }
    return failed;
}

ROW(int, timer_gettime, (timer_t id, struct itimerspec *now), (id, now), ,
    if (result == 0) WRITES(now))

INTERCEPT(int, timer_delete, (timer_t id)) {
    struct timer timer = timer_find(id, true);
    dh_notice_over(timer.notice);
    return REAL(timer_delete)(id);
}

/* ---- the timers that every process has ---- */

static int signal_of(int which) {
    return which == ITIMER_REAL ? SIGALRM : which == ITIMER_VIRTUAL ? SIGVTALRM : SIGPROF;
}

ROW(int, getitimer, (int which, struct itimerval *now), (which, now), ,
    if (result == 0) WRITES(now))
ROW(int, setitimer, (int which, struct itimerval const *new, struct itimerval *old),
    (which, new, old), READS(new) dh_signal_sent(signal_of(which));
    , if (result == 0) WRITES(old))
ROW(unsigned, alarm, (unsigned seconds), (seconds), dh_signal_sent(SIGALRM);, )
