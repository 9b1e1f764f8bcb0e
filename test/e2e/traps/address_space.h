/* Surroundings in which a detector that wants much of the address space may fail to start. The program executes
 * itself in each of them. */
#ifndef DEADHEAT_TEST_ADDRESS_SPACE_H
#define DEADHEAT_TEST_ADDRESS_SPACE_H

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOAD_AT(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define LOAD(field) LOAD_AT(offsetof(struct seccomp_data, field))
#define LOAD_UPPER(field) LOAD_AT(offsetof(struct seccomp_data, field) + 4) /* little endian */
#define IF_CALL(number, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, skip)
#define RESULT(value) BPF_STMT(BPF_RET | BPF_K, value)
#define FAIL_WITH(error) (SECCOMP_RET_ERRNO | (error))

static inline void filter(struct sock_filter *code, unsigned short length) {
    struct sock_fprog program = {length, code};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static inline void as_it_is(void) {}
static inline void not_randomised(void) { CHECK(personality(ADDR_NO_RANDOMIZE) != -1); }
static inline void upwards(void) {
    struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    CHECK(setrlimit(RLIMIT_STACK, &unlimited) == 0);
}
static inline void no_personality(void) {
    struct sock_filter code[] = {LOAD(nr), IF_CALL(SYS_personality, 1), RESULT(SECCOMP_RET_KILL_PROCESS),
                                 RESULT(SECCOMP_RET_ALLOW)};
    filter(code, sizeof code / sizeof *code);
}
static inline void no_membarrier(void) {
    struct sock_filter code[] = {LOAD(nr), IF_CALL(SYS_membarrier, 1), RESULT(FAIL_WITH(EPERM)),
                                 RESULT(SECCOMP_RET_ALLOW)};
    filter(code, sizeof code / sizeof *code);
}
/* As with strict overcommit: no mapping of a terabyte or more. */
static inline void nothing_large(void) {
    struct sock_filter code[] = {LOAD(nr),
                                 IF_CALL(SYS_mmap, 3),
                                 LOAD_UPPER(args[1]),
                                 BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 1 << 8, 0, 1),
                                 RESULT(FAIL_WITH(ENOMEM)),
                                 RESULT(SECCOMP_RET_ALLOW)};
    filter(code, sizeof code / sizeof *code);
}

struct surroundings {
    char const *name;
    void (*enter)(void);
};
static struct surroundings const all[] = {
    {"as it is", as_it_is},
    {"not randomised", not_randomised},
    {"mappings go upwards", upwards},
    {"a sandbox that forbids personality(2)", no_personality},
    {"a sandbox without membarrier(2)", no_membarrier},
};
enum { ALL = sizeof all / sizeof *all };

/* The exit status of this program, executed with an argument in those surroundings. */
static inline int status_in(struct surroundings const *s, int err) {
    pid_t pid = fork();
    if (pid == 0) {
        if (err >= 0) dup2(err, 2);
        s->enter();
        execl("/proc/self/exe", "program", "run", NULL);
        _exit(127);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static inline int wrong_in_all(int expected) {
    int wrong = 0;
    for (int i = 0; i < ALL; i++) {
        int status = status_in(&all[i], -1);
        if (status == expected) continue;
        fprintf(stderr, "%s: status %d, not %d\n", all[i].name, status, expected);
        wrong++;
    }
    return wrong;
}

#endif
