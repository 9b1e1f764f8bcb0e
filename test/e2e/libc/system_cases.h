/* The system, its processes, sets of signals, locales. */
#include "spans.h"

#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <mqueue.h>
#include <libintl.h>
#include <langinfo.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>

static char large[256];
static locale_t locale(void) { return newlocale(LC_ALL_MASK, "C", (locale_t)0); }
static void child(void) {
    if (fork() == 0) _exit(0);
}
static int terminal(void) {
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    CHECK(fd != -1);
    return fd;
}
static int pipe_end(void) {
    int fds[2];
    CHECK(pipe(fds) == 0);
    return fds[0];
}
static sem_t semaphore;
/* A signal is waiting for whoever lets it in. */
static void ignore(int signal) { (void)signal; }
static void pend(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, ignore);
    CHECK(sigprocmask(SIG_BLOCK, &set, NULL) == 0 && kill(getpid(), SIGUSR1) == 0);
}
/* A command of one word, in m.p, whose text is m.b. */
static void command(void) {
    SET(b, "/no/such");
    m.p[0] = m.b;
    m.p[1] = NULL;
}
#define COMMAND_R R(b, 0, 9), R(p, 0, 16)
static void subopts(void) {
    SET(a, "ro=1,rw");
    m.p[0] = m.a;
}
static char *const names[] = {"ro", "rw", NULL};
static struct tm const a_time = {.tm_year = 100, .tm_mday = 1};
#define BOTH SET(a, "hello"); SET(b, "help")
#define SIZE_OF(type) sizeof(type)

#define CASES(X)                                                                                       \
    X(getrlimit, , KEEP(getrlimit(RLIMIT_CORE, (void *)m.a)), W(a, 0, 16))                             \
    X(setrlimit, , KEEP(setrlimit(RLIMIT_CORE, (void *)m.a)), R(a, 0, 16))                             \
    X(getrlimit64, , KEEP(getrlimit64(RLIMIT_CORE, (void *)m.a)), W(a, 0, 16))                         \
    X(setrlimit64, , KEEP(setrlimit64(RLIMIT_CORE, (void *)m.a)), R(a, 0, 16))                         \
    X(prlimit, , KEEP(prlimit(0, RLIMIT_CORE, (void *)m.a, (void *)m.b)), R(a, 0, 16), W(b, 0, 16))    \
    X(prlimit64, , KEEP(prlimit64(0, RLIMIT_CORE, (void *)m.a, (void *)m.b)), R(a, 0, 16), W(b, 0, 16)) \
    X(getrusage, , KEEP(getrusage(RUSAGE_SELF, (void *)m.a)), W(a, 0, SIZE_OF(struct rusage)))         \
    X(sysinfo, , KEEP(sysinfo((void *)m.a)), W(a, 0, SIZE_OF(struct sysinfo)))                         \
    X(getloadavg, , KEEP(getloadavg((void *)m.a, 3)), W(a, 0, 24))                                     \
    X(confstr, , KEEP(confstr(_CS_PATH, m.a, n(4))), W(a, 0, 4))                                       \
    X(getdomainname, , KEEP(getdomainname(large, n(65))), NOTHING)                                     \
    X(sched_getaffinity, , KEEP(sched_getaffinity(0, 128, (void *)m.a)), W(a, 0, 128))                 \
    X(sched_setaffinity, , KEEP(sched_setaffinity(0, 128, (void *)m.a)), R(a, 0, 128))                 \
    X(sched_getparam, , KEEP(sched_getparam(0, (void *)m.a)), W(a, 0, 4))                              \
    X(sched_setparam, , KEEP(sched_setparam(0, (void *)m.a)), R(a, 0, 4))                              \
    X(sched_setscheduler, , KEEP(sched_setscheduler(0, SCHED_OTHER, (void *)m.a)), R(a, 0, 4))         \
    X(sched_rr_get_interval, , KEEP(sched_rr_get_interval(0, (void *)m.a)), W(a, 0, 16))               \
    X(wait, child(), KEEP(wait((int *)m.a)), W(a, 0, 4))                                               \
    X(waitpid, child(), KEEP(waitpid(-1, (int *)m.a, 0)), W(a, 0, 4))                                  \
    X(wait3, child(), KEEP(wait3((int *)m.b, 0, (void *)m.a)), W(a, 0, SIZE_OF(struct rusage)), W(b, 0, 4)) \
    X(wait4, child(), KEEP(wait4(-1, (int *)m.b, 0, (void *)m.a)), W(a, 0, SIZE_OF(struct rusage)), W(b, 0, 4)) \
    X(waitid, child(), KEEP(waitid(P_ALL, 0, (void *)m.a, WEXITED)), W(a, 0, SIZE_OF(siginfo_t)))      \
    X(system, SET(a, "true"), KEEP(system(m.a)), R(a, 0, 5))                                           \
    X(posix_spawn, command(); SET(a, "/no/such"), KEEP(posix_spawn((void *)m.n, m.a, NULL, NULL, m.p, NULL)), \
      R(a, 0, 9), COMMAND_R)                                                                           \
    X(posix_spawnp, command(); SET(a, "true"), KEEP(posix_spawnp((void *)m.n, m.a, NULL, NULL, m.p, m.p)), \
      R(a, 0, 5), COMMAND_R, W(n, 0, 4))                                                               \
    X(execve, command(); SET(a, "/no/such"), KEEP(execve(m.a, m.p, m.p)), R(a, 0, 9), COMMAND_R)       \
    X(execv, command(); SET(a, "/no/such"), KEEP(execv(m.a, m.p)), R(a, 0, 9), COMMAND_R)              \
    X(execvp, command(); SET(a, "/no/such"), KEEP(execvp(m.a, m.p)), R(a, 0, 9), COMMAND_R)            \
    X(tcgetattr, , KEEP(tcgetattr(terminal(), (void *)m.a)), W(a, 0, SIZE_OF(struct termios)))         \
    X(tcsetattr, tcgetattr(terminal(), (void *)m.a), KEEP(tcsetattr(terminal(), TCSANOW, (void *)m.a)), \
      R(a, 0, SIZE_OF(struct termios)))                                                                \
    X(cfmakeraw, , cfmakeraw((void *)m.a), W(a, 0, SIZE_OF(struct termios)))                           \
    X(ttyname, , KEEP(ttyname(terminal())), NOTHING)                                                   \
    X(ttyname_r, , KEEP(ttyname_r(terminal(), large, n(64))), NOTHING)                                 \
    X(ptsname, , KEEP(ptsname(terminal())), NOTHING)                                                   \
    X(ptsname_r, , KEEP(ptsname_r(terminal(), large, n(64))), NOTHING)                                 \
    X(getxattr, SET(a, "/no/such"); SET(b, "user.x"), KEEP(getxattr(m.a, m.b, m.c, n(9))), R(a, 0, 9), R(b, 0, 7)) \
    X(setxattr, SET(a, "/no/such"); SET(b, "user.x"), KEEP(setxattr(m.a, m.b, m.c, n(9), 0)), R(a, 0, 9), \
      R(b, 0, 7), R(c, 0, 9))                                                                          \
    X(listxattr, SET(a, "/no/such"), KEEP(listxattr(m.a, m.c, n(9))), R(a, 0, 9))                      \
    X(removexattr, SET(a, "/no/such"); SET(b, "user.x"), KEEP(removexattr(m.a, m.b)), R(a, 0, 9), R(b, 0, 7)) \
    X(lgetxattr, SET(a, "/no/such"); SET(b, "user.x"), KEEP(lgetxattr(m.a, m.b, m.c, n(9))), R(a, 0, 9), R(b, 0, 7)) \
    X(lsetxattr, SET(a, "/no/such"); SET(b, "user.x"), KEEP(lsetxattr(m.a, m.b, m.c, n(9), 0)), R(a, 0, 9), \
      R(b, 0, 7), R(c, 0, 9))                                                                          \
    X(llistxattr, SET(a, "/no/such"), KEEP(llistxattr(m.a, m.c, n(9))), R(a, 0, 9))                    \
    X(lremovexattr, SET(a, "/no/such"); SET(b, "user.x"), KEEP(lremovexattr(m.a, m.b)), R(a, 0, 9), R(b, 0, 7)) \
    X(fgetxattr, SET(b, "user.x"), KEEP(fgetxattr(-1, m.b, m.c, n(9))), R(b, 0, 7))                    \
    X(fsetxattr, SET(b, "user.x"), KEEP(fsetxattr(-1, m.b, m.c, n(9), 0)), R(b, 0, 7), R(c, 0, 9))     \
    X(flistxattr, , KEEP(flistxattr(-1, m.c, n(9))), NOTHING)                                          \
    X(fremovexattr, SET(b, "user.x"), KEEP(fremovexattr(-1, m.b)), R(b, 0, 7))                         \
    X(sigemptyset, , KEEP(sigemptyset((void *)m.a)), W(a, 0, 128))                                     \
    X(sigfillset, , KEEP(sigfillset((void *)m.a)), W(a, 0, 128))                                       \
    X(sigaddset, , KEEP(sigaddset((void *)m.a, SIGHUP)), W(a, 0, 8))                                   \
    X(sigdelset, , KEEP(sigdelset((void *)m.a, SIGHUP)), W(a, 0, 8))                                   \
    X(ioctl_nread, , KEEP(ioctl(pipe_end(), FIONREAD, m.a)), W(a, 0, 4))                               \
    X(ioctl_nonblocking, , KEEP(ioctl(pipe_end(), FIONBIO, m.a)), R(a, 0, 4))                          \
    X(ioctl_window, , KEEP(ioctl(terminal(), TIOCGWINSZ, m.a)), W(a, 0, 8))                            \
    X(ioctl_set_window, , KEEP(ioctl(terminal(), TIOCSWINSZ, m.a)), R(a, 0, 8))                        \
    X(ioctl_fails, , KEEP(ioctl(-1, FIONREAD, m.a)), NOTHING)                                          \
    X(ioctl_close_on_exec, , KEEP(ioctl(pipe_end(), FIOCLEX)), NOTHING)                                \
    X(pthread_getname_np, CHECK(pthread_setname_np(pthread_self(), "name") == 0),                      \
      pthread_setname_np(pthread_self(), "name"); KEEP(pthread_getname_np(pthread_self(), m.a, n(16))), W(a, 0, 5)) \
    X(pthread_getaffinity_np, , KEEP(pthread_getaffinity_np(pthread_self(), 128, (void *)m.a)), W(a, 0, 128)) \
    X(pthread_setaffinity_np, , KEEP(pthread_setaffinity_np(pthread_self(), 128, (void *)m.a)), R(a, 0, 128)) \
    X(pthread_getschedparam, , KEEP(pthread_getschedparam(pthread_self(), (void *)m.b, (void *)m.a)), W(a, 0, 4), \
      W(b, 0, 4))                                                                                      \
    X(pthread_setschedparam, , KEEP(pthread_setschedparam(pthread_self(), SCHED_OTHER, (void *)m.a)), R(a, 0, 4)) \
    X(pthread_getcpuclockid, , KEEP(pthread_getcpuclockid(pthread_self(), (void *)m.a)), W(a, 0, 4))   \
    X(clock_getcpuclockid, , KEEP(clock_getcpuclockid(0, (void *)m.a)), W(a, 0, 4))                    \
    X(timerfd_gettime, , KEEP(timerfd_gettime(timerfd_create(CLOCK_MONOTONIC, 0), (void *)m.a)), W(a, 0, 32)) \
    X(sem_getvalue, CHECK(sem_init(&semaphore, 0, 1) == 0), KEEP(sem_getvalue(&semaphore, (void *)m.a)), W(a, 0, 4)) \
    X(sem_open, SET(a, "/no/such"), KEEP(sem_open(m.a, O_RDWR)), R(a, 0, 9))                           \
    X(sem_unlink, SET(a, "/no/such"), KEEP(sem_unlink(m.a)), R(a, 0, 9))                               \
    X(mq_open, SET(a, "/no/such"), KEEP(mq_open(m.a, O_RDWR)), R(a, 0, 9))                             \
    X(mq_open_new, SET(a, "/no/such"), KEEP(mq_open(m.a, O_RDWR | O_CREAT, 0600, m.n)), R(a, 0, 9),    \
      R(n, 0, SIZE_OF(struct mq_attr)))                                                                \
    X(mq_unlink, SET(a, "/no/such"), KEEP(mq_unlink(m.a)), R(a, 0, 9))                                 \
    X(sigandset, , KEEP(sigandset((void *)m.a, (void *)m.b, (void *)m.c)), W(a, 0, 8), R(b, 0, 8), R(c, 0, 8)) \
    X(sigorset, , KEEP(sigorset((void *)m.a, (void *)m.b, (void *)m.c)), W(a, 0, 8), R(b, 0, 8), R(c, 0, 8)) \
    X(sigisemptyset, , KEEP(sigisemptyset((void *)m.a)), R(a, 0, 8))                                   \
    X(sigismember, , KEEP(sigismember((void *)m.a, SIGHUP)), R(a, 0, 8))                               \
    X(sigprocmask, , KEEP(sigprocmask(SIG_SETMASK, (void *)m.a, (void *)m.b)), R(a, 0, 8), W(b, 0, 8)) \
    X(pthread_sigmask, , KEEP(pthread_sigmask(SIG_SETMASK, (void *)m.a, (void *)m.b)), R(a, 0, 8), W(b, 0, 8)) \
    X(sigpending, , KEEP(sigpending((void *)m.a)), W(a, 0, 8))                                         \
    X(sigsuspend, pend(), KEEP(sigsuspend((void *)m.a)), R(a, 0, 8))                                    \
    X(sigaltstack, *(stack_t *)m.a = (stack_t){.ss_flags = SS_DISABLE},                                \
      KEEP(sigaltstack((void *)m.a, (void *)m.b)), R(a, 0, 24), W(b, 0, 24))                           \
    X(getsubopt, subopts(), KEEP(getsubopt(&m.p[0], names, &m.p[1])), R(a, 0, 5), W(a, 4, 1), W(p, 0, 16)) \
    X(setlocale, SET(a, "C"), KEEP(setlocale(LC_ALL, m.a)), R(a, 0, 2))                                \
    X(newlocale, SET(a, "C"), KEEP(newlocale(LC_ALL_MASK, m.a, (locale_t)0)), R(a, 0, 2))              \
    X(duplocale, , freelocale(duplocale(locale())), NOTHING)                                           \
    X(uselocale, , KEEP(uselocale(locale())), NOTHING)                                                 \
    X(nl_langinfo_l, , KEEP(nl_langinfo_l(CODESET, locale())), NOTHING)                                \
    X(strcoll, BOTH, KEEP(strcoll(m.a, m.b)), R(a, 0, 6), R(b, 0, 5))                                  \
    X(strcoll_l, BOTH, KEEP(strcoll_l(m.a, m.b, locale())), R(a, 0, 6), R(b, 0, 5))                    \
    X(strverscmp, BOTH, KEEP(strverscmp(m.a, m.b)), R(a, 0, 6), R(b, 0, 5))                            \
    X(strxfrm, SET(b, "help"), KEEP(strxfrm(m.a, m.b, n(9))), W(a, 0, 5), R(b, 0, 5))                  \
    X(strxfrm_l, SET(b, "help"), KEEP(strxfrm_l(m.a, m.b, n(9), locale())), W(a, 0, 5), R(b, 0, 5))    \
    X(strftime_l, SET(b, "%Y"), KEEP(strftime_l(m.a, n(9), m.b, &a_time, locale())), W(a, 0, 5), R(b, 0, 3)) \
    X(gettext, SET(a, "hello"), KEEP((gettext)(m.a)), R(a, 0, 6))                                        \
    X(dgettext, BOTH, KEEP((dgettext)(m.a, m.b)), R(a, 0, 6), R(b, 0, 5))                                \
    X(dcgettext, BOTH, KEEP(dcgettext(m.a, m.b, LC_MESSAGES)), R(a, 0, 6), R(b, 0, 5))                 \
    X(ngettext, BOTH, KEEP((ngettext)(m.a, m.b, n(2))), R(a, 0, 6), R(b, 0, 5))                          \
    X(dngettext, BOTH; SET(c, "x"), KEEP((dngettext)(m.c, m.a, m.b, n(2))), R(a, 0, 6), R(b, 0, 5), R(c, 0, 2)) \
    X(dcngettext, BOTH; SET(c, "x"), KEEP(dcngettext(m.c, m.a, m.b, n(2), LC_MESSAGES)), R(a, 0, 6),   \
      R(b, 0, 5), R(c, 0, 2))                                                                          \
    X(textdomain, SET(a, "hello"), KEEP(textdomain(m.a)), R(a, 0, 6))                                  \
    X(bindtextdomain, BOTH, KEEP(bindtextdomain(m.a, m.b)), R(a, 0, 6), R(b, 0, 5))                    \
    X(bind_textdomain_codeset, BOTH, KEEP(bind_textdomain_codeset(m.a, m.b)), R(a, 0, 6), R(b, 0, 5))

RUN_CASES()
