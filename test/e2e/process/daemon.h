/* A process that becomes a daemon, and a parent that waits for it all the same. */
#ifndef DEADHEAT_TEST_DAEMON_H
#define DEADHEAT_TEST_DAEMON_H

#include "test.h"
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The status that `work` ends with, as a daemon. */
static inline int as_daemon(void (*work)(void)) {
    CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(daemon(1, 1) == 0);
        work();
        exit(0);
    }
    int status, worst = 0; /* of the process that called daemon, and of the daemon */
    while (wait(&status) > 0)
        if (status != 0) worst = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return worst;
}

#endif
