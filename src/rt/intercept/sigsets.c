/* Sets of signals, and masks. */
#include "rt/intercept/table.h"
#include "rt/unchecked.h"

#include <signal.h>

/* The kernel's are smaller than libc's. */
enum { KERNEL_SET = 8 };
#define READS_SET(s) READS_BYTES(s, KERNEL_SET)
#define WRITES_SET(s) WRITES_BYTES(s, KERNEL_SET)

ROW(int, sigemptyset, (sigset_t * set), (set), WRITES(set), )
ROW(int, sigfillset, (sigset_t * set), (set), WRITES(set), )
ROW(int, sigaddset, (sigset_t * set, int signal), (set, signal), WRITES_SET(set), )
ROW(int, sigdelset, (sigset_t * set, int signal), (set, signal), WRITES_SET(set), )
ROW(int, sigandset, (sigset_t * to, sigset_t const *a, sigset_t const *b), (to, a, b),
    READS_SET(a) READS_SET(b) WRITES_SET(to), )
ROW(int, sigorset, (sigset_t * to, sigset_t const *a, sigset_t const *b), (to, a, b),
    READS_SET(a) READS_SET(b) WRITES_SET(to), )
ROW(int, sigisemptyset, (sigset_t const *set), (set), READS_SET(set), )
ROW(int, sigismember, (sigset_t const *set, int signal), (set, signal), READS_SET(set), )

/* In a run that needs SIGSEGV it is never blocked (rt/unchecked.h). */
static sigset_t const *without_faults(int how, sigset_t const *set, sigset_t *room) {
    if (!dh_filling || !set || how == SIG_UNBLOCK) return set;
    *room = *set;
    sigdelset(room, SIGSEGV);
    return room;
}

#define MASK(name)                                                            \
    ROW(int, name, (int how, sigset_t const *new, sigset_t *old),             \
        (how, without_faults(how, new, &(sigset_t){0}), old), READS_SET(new), \
        if (result == 0) WRITES_SET(old))
MASK(sigprocmask)
MASK(pthread_sigmask)
ROW(int, sigpending, (sigset_t * to), (to), , if (result == 0) WRITES_SET(to))
ROW(int, sigsuspend, (sigset_t const *set), (set), READS_SET(set), )
ROW(int, sigaltstack, (stack_t const *new, stack_t *old), (new, old), READS(new),
    if (result == 0) WRITES(old))
