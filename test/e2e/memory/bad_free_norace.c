/* A bad free aborts, as it always did. */
// LEVELS: -O0
// FLAGS: -Wno-free-nonheap-object
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static char global[64];

static void twice(void) {
    char *volatile p = malloc(50);
    free(p);
    free(p);
}

static void inside(void) {
    char *volatile p = malloc(500);
    free(p + 16);
}

static void not_heap(void) {
    char *volatile p = global + 16;
    free(p);
}

static void dies(void (*bad)(void)) {
    pid_t pid = fork();
    if (pid == 0) {
        dup2(open("/dev/null", O_WRONLY), 2);
        bad();
        _exit(0);
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void) {
    dies(twice);
    dies(inside);
    dies(not_heap);
    return 0;
}
