/* Processes made by clone(2), which is fork under another name, while another thread is in the runtime all the time. */
#ifndef DEADHEAT_TEST_CLONE_H
#define DEADHEAT_TEST_CLONE_H

#include "test.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_long busy;
static atomic_int over;

static void *keep_busy(void *unused) {
    while (!atomic_load_explicit(&over, memory_order_relaxed)) {
        atomic_fetch_add(&busy, 1);
        free(calloc(1, 40));
    }
    return unused;
}

/* The status that `work` ends with, in a process of its own. */
static int in_clone(int (*work)(void *)) {
    enum { STACK = 1 << 18 };
    char *stack = malloc(STACK);
    pid_t child = clone(work, stack + STACK, SIGCHLD, &busy);
    CHECK(child > 0);
    int status;
    while (waitpid(child, &status, 0) < 0) {}
    CHECK(WIFEXITED(status));
    free(stack);
    return WEXITSTATUS(status);
}

#endif
