#include "rt/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

enum { LAUNCH_SIZE = 64 << 10, STACK_SIZE = 24 << 10, SIGNALS = 64, SIGSET_BYTES = 8 };

/* Shared with the two processes, which run in our memory until the exec. They have our thread's
 * registers for thread-local storage, so they must touch none: only this page and system calls. */
struct launch {
    char const *const *paths, *const *arguments, *const *environment;
    int socket;       /* the helper's end */
    bool stay;        /* the process in between waits for the helper */
    int error;        /* of the last exec that failed; 0 once one has not */
    uint32_t settled; /* futex: `error` is final */
};

/* ---- in the new processes ---- */

/* Runs `run` in a process that shares our memory, on the stack below `top`. Its id, or -errno. */
static long start_process(unsigned long flags, char *top, int (*run)(struct launch *),
                          struct launch *launch) {
    void **stack = (void **)top;
    *--stack = launch;
    *--stack = (void *)run;
    long result;
    register long child_id __asm__("r10") = 0;
    register long tls __asm__("r8") = 0;
    __asm__ volatile("syscall\n\t"
                     "testq %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xorl %%ebp, %%ebp\n\t"
                     "popq %%rax\n\t"
                     "popq %%rdi\n\t"
                     "callq *%%rax\n\t"
                     "movl %%eax, %%edi\n\t"
                     "movl %[exit], %%eax\n\t"
                     "syscall\n\t"
                     "hlt\n"
                     "1:"
                     : "=a"(result)
                     : "a"((long)SYS_clone), "D"(flags), "S"(stack), "d"(0l), "r"(child_id),
                       "r"(tls), [exit] "i"(SYS_exit_group)
                     : "rcx", "r11", "memory");
    return result;
}

static void close_from(unsigned first) {
    if (dh_syscall(SYS_close_range, (long)first, (long)~0u, 0l) == 0) return;
    struct rlimit limit = {0}; /* Linux before 5.9 */
    dh_syscall(SYS_prlimit64, 0l, (long)RLIMIT_NOFILE, 0l, &limit);
    unsigned long end = limit.rlim_cur < 65536 ? limit.rlim_cur : 65536;
    for (unsigned long fd = first; fd < end; fd++)
        dh_syscall(SYS_close, (long)fd);
}

static void default_signals(void) {
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        uint64_t mask;
    } action = {0};
    for (long signal = 1; signal <= SIGNALS; signal++)
        dh_syscall(SYS_rt_sigaction, signal, &action, 0l, (long)SIGSET_BYTES);
}

static int become_helper(struct launch *launch) {
    /* Handlers before the mask: a handler must not run here, on memory that is the program's. */
    default_signals();
    dh_syscall(SYS_setsid);
    long fd = dh_syscall(SYS_fcntl, (long)launch->socket, (long)F_DUPFD, 3l);
    if (fd < 0) {
        launch->error = (int)-fd;
        return 127;
    }
    dh_syscall(SYS_dup3, fd, 0l, 0l);
    dh_syscall(SYS_dup3, fd, 1l, 0l);
    dh_syscall(SYS_close, 2l);
    fd = dh_syscall(SYS_openat, (long)AT_FDCWD, "/dev/null", (long)O_RDWR, 0l);
    if (fd >= 0 && fd != 2) dh_syscall(SYS_dup3, fd, 2l, 0l);
    close_from(3);
    uint64_t none = 0;
    dh_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &none, 0l, (long)SIGSET_BYTES);
    launch->error = ENOENT;
    for (char const *const *path = launch->paths; *path; path++) {
        int before = launch->error;
        launch->error = 0; /* nobody looks before the exec or the end */
        long failed = dh_syscall(SYS_execve, *path, launch->arguments, launch->environment);
        launch->error = failed == -ENOENT ? before : (int)-failed;
    }
    return 127;
}

static int in_between(struct launch *launch) {
    char *stack = (char *)launch + LAUNCH_SIZE - STACK_SIZE;
    long helper = start_process(CLONE_VM | CLONE_VFORK, stack, become_helper, launch);
    if (helper < 0) launch->error = (int)-helper;
    if (launch->stay) {
        close_from(0); /* the program's pipes must not stay open because of us */
        __atomic_store_n(&launch->settled, 1, __ATOMIC_RELEASE);
        dh_syscall(SYS_futex, &launch->settled, (long)FUTEX_WAKE, 1l, 0l, 0l, 0l);
        if (helper > 0)
            while (dh_syscall(SYS_wait4, helper, 0l, (long)__WALL, 0l) == -EINTR) {}
    }
    return 0;
}

/* ---- in ours ---- */

static void reap(long process) {
    while (dh_syscall(SYS_wait4, process, 0l, (long)__WCLONE, 0l) == -EINTR) {}
}

/* Out of the way of programs that expect the lowest free number, and below what select can hold. */
static int raise_fd(int fd) {
    struct rlimit limit = {0};
    dh_syscall(SYS_prlimit64, 0l, (long)RLIMIT_NOFILE, 0l, &limit);
    long lowest = limit.rlim_cur > 1024 ? 1000
                  : limit.rlim_cur > 40 ? (long)limit.rlim_cur - 24
                                        : 3;
    long high = dh_syscall(SYS_fcntl, (long)fd, (long)F_DUPFD_CLOEXEC, lowest);
    if (high < 0) return fd;
    dh_syscall(SYS_close, (long)fd);
    return (int)high;
}

static bool adopts_orphans(void) {
    int subreaper = 0;
    dh_syscall(SYS_prctl, (long)PR_GET_CHILD_SUBREAPER, &subreaper, 0l, 0l, 0l);
    return subreaper || dh_syscall(SYS_getpid) == 1;
}

static void wait_settled(struct launch *launch, long process) {
    struct timespec a_while = {0, 50000000};
    while (!__atomic_load_n(&launch->settled, __ATOMIC_ACQUIRE)) {
        dh_syscall(SYS_futex, &launch->settled, (long)FUTEX_WAIT, 0l, &a_while, 0l, 0l);
        if (dh_syscall(SYS_wait4, process, 0l, (long)(WNOHANG | __WCLONE), 0l) == 0) continue;
        if (!__atomic_load_n(&launch->settled, __ATOMIC_ACQUIRE))
            launch->error = ECHILD; /* killed */
        launch->stay = false;
        return;
    }
}

static int launch_helper(struct dh_child *child, struct launch *launch) {
    launch->error = ECHILD; /* unless somebody knows better */
    launch->stay = adopts_orphans();
    char *stack = (char *)launch + LAUNCH_SIZE;
    /* The process in between keeps this mask: no handler of the program may run there. */
    uint64_t all = UINT64_MAX, mask = 0;
    dh_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, &mask, (long)SIGSET_BYTES);
    long process = start_process(CLONE_VM, stack, in_between, launch);
    dh_syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &mask, 0l, (long)SIGSET_BYTES);
    if (process < 0) return (int)-process;
    if (launch->stay)
        wait_settled(launch, process);
    else
        reap(process);
    child->keeper = launch->stay ? process : 0;
    return launch->error;
}

int dh_spawn(struct dh_child *child, char const *const *paths, char const *const *arguments,
             char const *const *environment) {
    int ends[2];
    long failed =
        dh_syscall(SYS_socketpair, (long)AF_UNIX, (long)(SOCK_STREAM | SOCK_CLOEXEC), 0l, ends);
    if (failed) return (int)-failed;
    *child = (struct dh_child){.socket = raise_fd(ends[0]), .launch = dh_pages(LAUNCH_SIZE)};
    int theirs = raise_fd(ends[1]);
    struct stat status;
    int error = child->launch ? 0 : ENOMEM;
    if (!error) error = (int)-dh_syscall(SYS_fstat, (long)child->socket, &status);
    if (!error) {
        child->device = status.st_dev;
        child->inode = status.st_ino;
        *child->launch = (struct launch){
            .paths = paths, .arguments = arguments, .environment = environment, .socket = theirs};
        error = launch_helper(child, child->launch);
    }
    dh_syscall(SYS_close, (long)theirs);
    if (error) {
        dh_spawn_end(child);
    } else if (!child->keeper) {
        dh_pages_free(child->launch, LAUNCH_SIZE);
        child->launch = 0;
    }
    return error;
}

bool dh_spawn_intact(struct dh_child const *child) {
    struct stat status;
    return dh_syscall(SYS_fstat, (long)child->socket, &status) == 0
           && status.st_dev == child->device && status.st_ino == child->inode;
}

void dh_spawn_forget(struct dh_child *child) {
    if (dh_spawn_intact(child)) dh_syscall(SYS_close, (long)child->socket);
    if (child->launch) dh_pages_free(child->launch, LAUNCH_SIZE);
    *child = (struct dh_child){.socket = -1};
}

void dh_spawn_end(struct dh_child *child) {
    if (child->keeper) {
        if (dh_spawn_intact(child)) dh_syscall(SYS_shutdown, (long)child->socket, (long)SHUT_RDWR);
        reap(child->keeper);
    }
    dh_spawn_forget(child);
}
