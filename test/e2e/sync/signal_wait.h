/* Signals that one thread sends and another waits for.   X(name, how it is sent, how it is taken)
 * All threads block them. */
#ifndef DEADHEAT_TEST_SIGNAL_WAIT_H
#define DEADHEAT_TEST_SIGNAL_WAIT_H

#include "access/cases.h"

#include <signal.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;
static pid_t taker; /* the thread that takes it, where only that one may */

static inline void take(void) {
    int got;
    CHECK(sigwait(&set, &got) == 0 && got == SIGUSR1);
}
static inline void take_info(void) {
    siginfo_t info;
    CHECK(sigwaitinfo(&set, &info) == SIGUSR1 && info.si_signo == SIGUSR1);
}
static inline void take_timed(void) {
    siginfo_t info;
    struct timespec timeout = {60, 0};
    CHECK(sigtimedwait(&set, &info, &timeout) == SIGUSR1);
}
static inline void set_timer(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec soon = {.it_value.tv_nsec = 1};
    timer_t timer;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &soon, NULL) == 0);
}

/* The one sends in the middle of what the other does. */
static void (*sends)(void), (*takes)(void);
static inline void *run_first(void *unused) {
    step();
    sends();
    step();
    return unused;
}
static inline void *run_second(void *unused) {
    __atomic_store_n(&taker, gettid(), __ATOMIC_RELAXED);
    step();
    step();
    takes();
    return unused;
}

#define SIGNALS(X)                                                                                      \
    X(kill, kill(getpid(), SIGUSR1), take())                                                            \
    X(killpg, killpg(0, SIGUSR1), take_info())                                                          \
    X(sigqueue, sigqueue(getpid(), SIGUSR1, (union sigval){0}), take_timed())                           \
    X(tgkill, tgkill(getpid(), __atomic_load_n(&taker, __ATOMIC_RELAXED), SIGUSR1), take())             \
    X(timer, set_timer(), take())

static inline void block(void) {
    CHECK(setpgid(0, 0) == 0 || getsid(0) == getpid());
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
}

#endif
