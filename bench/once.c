/* Runs a program once and says what it took: once RESULT SECONDS PROGRAM ARGUMENT...
 *
 * RESULT is a file, which gets one line: wall-clock seconds, processor seconds (user and system), peak
 * resident memory in kilobytes, and the exit status (negative: a signal). After SECONDS the program is
 * killed, with all that is in its process group. Its input and output are those of this process.
 *
 * A process of its own, because peak memory is inherited: the kernel counts what the parent of an exec
 * had resident, and a Python interpreter has more than some kernels. Of a program that waits for others,
 * as a client does that starts its server, the times are those of all and the peak is that of the
 * largest. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static volatile pid_t child;

static void too_long(int signal) {
    (void)signal;
    if (child > 0) kill(-child, SIGKILL);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec * 1e-6; }

int main(int argc, char **argv) {
    int status;
    pid_t pid;
    struct rusage usage;
    posix_spawnattr_t attributes;
    if (argc < 4 || atoi(argv[2]) < 1) return 2;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    double begin = now();
    if (posix_spawnp(&pid, argv[3], NULL, &attributes, argv + 3, environ) != 0) {
        perror(argv[3]);
        return 2;
    }
    child = pid;
    signal(SIGALRM, too_long);
    signal(SIGTERM, too_long);
    signal(SIGINT, too_long);
    alarm((unsigned)atoi(argv[2]));
    if (wait4(pid, &status, 0, &usage) != pid) return 2;
    double end = now();
    FILE *result = fopen(argv[1], "w");
    if (!result) {
        perror(argv[1]);
        return 2;
    }
    fprintf(result, "%.6f %.6f %ld %d\n", end - begin,
            seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss,
            WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    return fclose(result) == 0 ? 0 : 2;
}
