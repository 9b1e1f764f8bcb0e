/* Runs a program once: once PROGRAM ARGUMENT...
 * After what the program printed comes a line with wall-clock seconds, peak resident memory in kilobytes,
 * and the exit status (negative: a signal).
 *
 * A process of its own, because peak memory is inherited: the kernel counts what the parent of an exec had
 * resident, and a Python interpreter has more than some kernels. */
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { TIME_LIMIT = 300 }; /* seconds */
static pid_t child;

static void too_long(int signal) {
    (void)signal;
    kill(child, SIGKILL);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    int status;
    struct rusage usage;
    if (argc < 2) return 2;
    double begin = now();
    if (posix_spawn(&child, argv[1], NULL, NULL, argv + 1, environ) != 0) {
        perror(argv[1]);
        return 2;
    }
    signal(SIGALRM, too_long);
    alarm(TIME_LIMIT);
    if (wait4(child, &status, 0, &usage) != child) return 2;
    int result = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    printf("%.6f %ld %d\n", now() - begin, usage.ru_maxrss, result);
    return 0;
}
