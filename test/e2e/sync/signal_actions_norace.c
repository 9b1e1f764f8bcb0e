/* What sigaction and its older sisters promise. */
// FLAGS: -D_GNU_SOURCE -Wno-deprecated-declarations
#include "test.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Other names of the same. */
int __sigaction(int signal, struct sigaction const *action, struct sigaction *old);
void (*__sysv_signal(int signal, void (*f)(int)))(int);
void (*bsd_signal(int signal, void (*f)(int)))(int);

static int volatile depth, deepest, ran;
static sigjmp_buf out;

static void nest(int signal) {
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    if (++depth > deepest) deepest = depth;
    if (ran++ < 2) raise(signal);
    depth--;
}

static void check_mask(int signal) {
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    CHECK(sigismember(&mask, signal) && sigismember(&mask, SIGUSR2) && !sigismember(&mask, SIGTERM));
    ran++;
}

static void jump(int signal) { siglongjmp(out, signal); }

static void run(int flags) {
    struct sigaction action = {.sa_handler = nest, .sa_flags = flags};
    depth = deepest = ran = 0;
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    raise(SIGUSR1);
}

static void *work(void *unused) {
    sigset_t mask;
    run(0);
    CHECK(ran == 3 && deepest == 1);
    run(SA_NODEFER);
    CHECK(ran == 3 && deepest == 3);

    struct sigaction action = {.sa_handler = check_mask}, old;
    sigaddset(&action.sa_mask, SIGUSR2);
    ran = 0;
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    raise(SIGUSR1);
    sigprocmask(SIG_BLOCK, NULL, &mask);
    CHECK(ran == 1 && !sigismember(&mask, SIGUSR1) && !sigismember(&mask, SIGUSR2));
    CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == check_mask
          && sigismember(&old.sa_mask, SIGUSR2) && !sigismember(&old.sa_mask, SIGTERM));

    ran = 2;
    CHECK(sysv_signal(SIGUSR1, nest) == check_mask);
    raise(SIGUSR1);
    CHECK(ran == 3 && signal(SIGUSR1, SIG_IGN) == SIG_DFL); /* it was reset */
    raise(SIGUSR1);
    ran = 2;
    CHECK(__sysv_signal(SIGUSR1, nest) == SIG_IGN);
    raise(SIGUSR1);
    CHECK(ran == 3 && bsd_signal(SIGUSR1, SIG_IGN) == SIG_DFL);
    CHECK(__sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_IGN);
    CHECK(signal(SIGUSR1, nest) == SIG_IGN && signal(SIGUSR1, nest) == nest);
    CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_flags & SA_RESTART);
    CHECK(siginterrupt(SIGUSR1, 1) == 0 && signal(SIGUSR1, SIG_DFL) == nest);
    CHECK(signal(SIGUSR1, nest) == SIG_DFL);
    CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && !(old.sa_flags & SA_RESTART));
    CHECK(siginterrupt(SIGUSR1, 0) == 0);
    CHECK(sigset(SIGUSR1, SIG_HOLD) == nest && sigset(SIGUSR1, nest) == SIG_HOLD);
    CHECK(signal(SIGKILL, nest) == SIG_ERR && signal(1000, nest) == SIG_ERR);

    action.sa_handler = jump;
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    if (sigsetjmp(out, 1) == 0) *(int volatile *)8 = 1;
    if (sigsetjmp(out, 1) == 0) *(int volatile *)8 = 1;
    return unused;
}

/* Once only: the second kills. */
static void *reset(void *unused) {
    struct sigaction action = {.sa_handler = nest, .sa_flags = (int)SA_RESETHAND};
    ran = 2;
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    raise(SIGUSR1);
    CHECK(ran == 3);
    raise(SIGUSR1);
    return unused;
}

int main(void) {
    work(NULL);
    join(spawn(work, NULL));
    pid_t child = fork();
    if (child == 0) {
        reset(NULL);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
    return 0;
}
