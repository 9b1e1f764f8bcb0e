/* Ways to end a process while another thread has something that was not checked yet. Each is tried in a
 * child, whose end must be what it would have been. */
#ifndef DEADHEAT_TEST_ENDS_H
#define DEADHEAT_TEST_ENDS_H

#include "test.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int volatile *nowhere;

static void *exits(void *unused) {
    exit(0);
    return unused;
}

static void by_exit(void) { exit(3); }
static void by_other_thread(void) { join(spawn(exits, NULL)); }
static void by_quick_exit(void) { quick_exit(4); }
static void by_exit_now(void) { _exit(5); }
static void by_abort(void) { abort(); }
static void by_signal(void) { kill(getpid(), SIGTERM); }
static void by_signal_again(void) { /* as the default, after a handler was there */
    struct sigaction action = {.sa_handler = SIG_IGN}, old;
    CHECK(sigaction(SIGUSR1, &action, &old) == 0 && old.sa_handler == SIG_DFL);
    CHECK(sigaction(SIGUSR1, &old, &action) == 0 && action.sa_handler == SIG_IGN);
    CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
    raise(SIGUSR1);
}
static void by_fault(void) { *nowhere = 1; }

struct end {
    void (*end)(void);
    int status;          /* of a silent run, */
    int status_reported; /* and of one with a report */
    int signal;
};

static struct end const ends[] = {
    {by_exit, 3, 66, 0},
    {by_other_thread, 0, 66, 0},
    {by_quick_exit, 4, 4, 0},
    {by_exit_now, 5, 5, 0},
    {by_abort, 0, 0, SIGABRT},
    {by_signal, 0, 0, SIGTERM},
    {by_signal_again, 0, 0, SIGUSR1},
    {by_fault, 0, 0, SIGSEGV},
};

/* Whether the child reported a race; what it said goes on to standard error. */
static int said(int from) {
    static char text[1 << 20];
    size_t length = 0;
    ssize_t more;
    while ((more = read(from, text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)more;
    text[length] = 0;
    fputs(text, stderr);
    return strstr(text, "WARNING: Deadheat: data race") != NULL;
}

/* The child gets to the end after something that is a race, or not. */
static inline void try_end(struct end const *end, void child(void (*)(void), int), int ordered) {
    int pipes[2], status;
    CHECK(pipe(pipes) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(pipes[1], 2);
        close(pipes[0]);
        close(pipes[1]);
        child(end->end, ordered);
        _exit(1);
    }
    close(pipes[1]);
    int reported = said(pipes[0]);
    CHECK(reported == !ordered);
    close(pipes[0]);
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (end->signal)
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == end->signal);
    else
        CHECK(WIFEXITED(status)
              && WEXITSTATUS(status) == (reported ? end->status_reported : end->status));
}

static inline void try_ends(void child(void (*)(void), int), int ordered) {
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        try_end(&ends[i], child, ordered);
}

#endif
