/* A race in the child of a process with threads. */
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

int x;

static void *idle(void *unused) {
    pause();
    return unused;
}

static void *first(void *unused) {
    x = 1;
    step();
    return unused;
}

static void *second(void *unused) {
    step();
    x = 2;
    return unused;
}

int main(void) {
    spawn(idle, NULL);
    pid_t pid = fork();
    if (pid == 0) {
        run_two(first, second);
        exit(0);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}
