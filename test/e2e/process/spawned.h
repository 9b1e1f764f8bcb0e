/* The ways to start other programs. */
#ifndef DEADHEAT_TEST_SPAWNED_H
#define DEADHEAT_TEST_SPAWNED_H

#include "test.h"
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static inline void wait_for(pid_t pid) {
    int status;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

static inline void by_vfork(void) {
    pid_t pid = vfork();
    if (pid == 0) {
        execl("/bin/true", "true", (char *)0);
        _exit(1);
    }
    wait_for(pid);
}

static inline void by_posix_spawn(void) {
    char *argv[] = {"true", 0};
    pid_t pid;
    posix_spawn_file_actions_t actions;
    CHECK(posix_spawn_file_actions_init(&actions) == 0);
    CHECK(posix_spawn_file_actions_addclose(&actions, 0) == 0);
    CHECK(posix_spawn(&pid, "/bin/true", &actions, 0, argv, environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    wait_for(pid);
}

static inline void by_fork(void) {
    pid_t pid = fork();
    if (pid == 0) {
        execlp("true", "true", (char *)0);
        _exit(1);
    }
    wait_for(pid);
}

static inline void by_libc(void) {
    char line[16] = "";
    CHECK(system("exit 0") == 0);
    FILE *pipe = popen("echo spoken", "r");
    CHECK(pipe && fgets(line, sizeof line, pipe) && strcmp(line, "spoken\n") == 0);
    CHECK(pclose(pipe) == 0);
}

#endif
