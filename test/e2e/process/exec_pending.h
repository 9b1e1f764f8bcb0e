/* A thread sweeps over an array and becomes another program, without synchronising in between. Each way to
 * become one is tried in a child. */
#ifndef DEADHEAT_TEST_EXEC_PENDING_H
#define DEADHEAT_TEST_EXEC_PENDING_H

#include "ends.h"

#include <fcntl.h>

enum { SIZE = 1024 };
int swept[SIZE];

static char *arguments[] = {(char *)"sh", (char *)"-c", (char *)"exit 7", NULL};
extern char **environ;

static void by_execv(void) { execv("/bin/sh", arguments); }
static void by_execve(void) { execve("/bin/sh", arguments, environ); }
static void by_execvp(void) { execvp("sh", arguments); }
static void by_execvpe(void) { execvpe("sh", arguments, environ); }
static void by_fexecve(void) { fexecve(open("/bin/sh", O_RDONLY | O_CLOEXEC), arguments, environ); }
static void by_execveat(void) { execveat(AT_FDCWD, "/bin/sh", arguments, environ, 0); }
static void by_execl(void) { execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL); }
static void by_execlp(void) { execlp("sh", "sh", "-c", "exit 7", (char *)NULL); }
static void by_execle(void) {
    static char *environment[] = {(char *)"STATUS=7", NULL};
    execle("/bin/sh", "sh", "-c", "exit $STATUS", (char *)NULL, environment);
}
/* One that fails is no end. */
static void by_second_attempt(void) {
    execl("/no/such/program", "program", (char *)NULL);
    execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
}

static void (*const ways[])(void) = {by_execv,    by_execve, by_execvp, by_execvpe, by_fexecve,
                                     by_execveat, by_execl,  by_execlp, by_execle,  by_second_attempt};

/* The last element: checks of the first are not put off. */
static void *touch(void *unused) {
    swept[SIZE - 1]++;
    step();
    for (;;)
        pause();
    return unused;
}

static void *touch_and_end(void *unused) {
    swept[SIZE - 1]++;
    return unused;
}

static void sweep_and_become(void (*become)(void), int ordered) {
    if (ordered) {
        join(spawn(touch_and_end, NULL));
    } else {
        steps(2);
        spawn(touch, NULL);
        step();
    }
    for (int i = 0; i < SIZE; i++)
        swept[i]++;
    become();
}

static inline void try_execs(int ordered) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        try_end(&(struct end){ways[i], 7, 7, 0}, sweep_and_become, ordered);
}

#endif
