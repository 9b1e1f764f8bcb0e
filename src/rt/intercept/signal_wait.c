/* Signals that are waited for, not handled: who sent one comes before who took it. (A handler is
 * part of the thread that it interrupts, and knows what that thread knows: signal.c.) */
#include "rt/intercept/fd.h"
#include "rt/intercept/intercept.h"

#include <signal.h>
#include <sys/types.h>

/* ---- sending ---- */

INTERCEPT(int, kill, (pid_t process, int signal)) {
    dh_signal_sent(signal);
    return REAL(kill)(process, signal);
}

INTERCEPT(int, killpg, (pid_t group, int signal)) {
    dh_signal_sent(signal);
    return REAL(killpg)(group, signal);
}

INTERCEPT(int, tgkill, (pid_t process, pid_t thread, int signal)) {
    dh_signal_sent(signal);
    return REAL(tgkill)(process, thread, signal);
}

INTERCEPT(int, raise, (int signal)) {
    dh_signal_sent(signal);
    return REAL(raise)(signal);
}

INTERCEPT(int, sigqueue, (pid_t process, int signal, union sigval const value)) {
    dh_signal_sent(signal);
    return REAL(sigqueue)(process, signal, value);
}

INTERCEPT(int, pthread_kill, (pthread_t thread, int signal)) {
    dh_signal_sent(signal);
    return REAL(pthread_kill)(thread, signal);
}

INTERCEPT(int, pthread_sigqueue, (pthread_t thread, int signal, union sigval const value)) {
    dh_signal_sent(signal);
    return REAL(pthread_sigqueue)(thread, signal, value);
}

/* ---- waiting ---- */

INTERCEPT(int, sigwait, (sigset_t const *set, int *signal)) {
    if (dh_checking()) dh_range_read(set, sizeof *set, DH_HERE);
    int failed = REAL(sigwait)(set, signal);
    if (failed) return failed;
    dh_signal_received(*signal);
    if (dh_checking()) dh_range_write(signal, sizeof *signal, DH_HERE);
    return 0;
}

static int taken(int signal, siginfo_t *info, struct dh_here here) {
    if (signal <= 0) return signal;
    dh_signal_received(signal);
    if (info && dh_checking()) dh_range_write(info, sizeof *info, here);
    return signal;
}

INTERCEPT(int, sigwaitinfo, (sigset_t const *set, siginfo_t *info)) {
    return taken(REAL(sigwaitinfo)(set, info), info, DH_HERE);
}

INTERCEPT(int, sigtimedwait,
          (sigset_t const *set, siginfo_t *info, struct timespec const *timeout)) {
    return taken(REAL(sigtimedwait)(set, info, timeout), info, DH_HERE);
}
