/* Two threads with one write each, and nothing else that happens: often, in a process of its own each time. */
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 200 };
int shared;

/* The status of the child in which both threads have executed `body`. */
static inline int status_of(void *(*body)(void *)) {
    pid_t pid = fork();
    if (pid == 0) {
        pthread_t a = spawn(body, NULL), b = spawn(body, NULL);
        join(a);
        join(b);
        exit(0);
    }
    int status;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}
