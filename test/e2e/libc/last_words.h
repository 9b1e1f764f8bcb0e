/* Calls that say something and end the process: each in a process of its own. */
#ifndef DEADHEAT_TEST_LAST_WORDS_H
#define DEADHEAT_TEST_LAST_WORDS_H

#include "test.h"

#include <err.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS = 7 };

static char volatile text[8];

#define BY_LIST(name)                                                                                   \
    static void by_##name(char const *format, ...) {                                                    \
        va_list list;                                                                                   \
        va_start(list, format);                                                                         \
        name(STATUS, format, list);                                                                     \
    }
BY_LIST(verr)
BY_LIST(verrx)

static void say_err(void) { err(STATUS, "%s", text); }
static void say_errx(void) { errx(STATUS, "%s", text); }
static void say_verr(void) { by_verr("%s", text); }
static void say_verrx(void) { by_verrx("%s", text); }
static void (*const last_words[])(void) = {say_err, say_errx, say_verr, say_verrx};
enum { WAYS = sizeof last_words / sizeof *last_words };

static void *writes(void *unused) {
    text[0] = 'x';
    step();
    return unused;
}

/* The status of a process that says what another thread has written, in order or not. */
static inline int status_of(void (*say)(void), int in_order) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        steps(2);
        pthread_t thread = spawn(writes, NULL);
        step();
        if (in_order) join(thread);
        dup2(null, 2);
        say();
    }
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}

#endif
