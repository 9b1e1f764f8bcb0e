/* The main thread with a small limit on its stack, nearly all of which is used. The program executes itself, because a
 * limit counts from the beginning. */
#ifndef DEADHEAT_TEST_LIMIT_H
#define DEADHEAT_TEST_LIMIT_H

#include "test.h"
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LIMIT = 512 << 10, LEFT = 32 << 10 };

extern void *__libc_stack_end;

/* Calls `bottom` with that much left of the stack. Nothing here can be turned into a loop. */
static __attribute__((noinline)) int deep(void (*bottom)(void)) {
    int volatile own = 1;
    uintptr_t used = (uintptr_t)__libc_stack_end - (uintptr_t)&own;
    if (used > LIMIT - LEFT)
        bottom();
    else
        own += deep(bottom);
    return own;
}

static inline void limit_stack(int argc, char **argv) {
    if (argc > 1) return;
    struct rlimit limit = {LIMIT, LIMIT};
    char const *given = getenv("DEADHEAT_OPTIONS");
    char options[4096];
    snprintf(options, sizeof options, "DEADHEAT_OPTIONS=%s", given ? given : "");
    char *small[] = {options, 0}; /* the environment is on the stack, too */
    CHECK(setrlimit(RLIMIT_STACK, &limit) == 0);
    execle("/proc/self/exe", argv[0], "limited", (char *)0, small);
    abort();
}

#endif
