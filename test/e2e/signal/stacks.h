/* A handler on a stack of its own. */
#ifndef DEADHEAT_TEST_STACKS_H
#define DEADHEAT_TEST_STACKS_H

#include "test.h"
#include <setjmp.h>
#include <signal.h>

static inline void handle_on_own_stack(int signal, void (*handler)(int)) {
    size_t size = 64 << 10;
    stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
    CHECK(stack.ss_sp && sigaltstack(&stack, 0) == 0);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    CHECK(sigaction(signal, &action, 0) == 0);
}

static inline void own_stack_off(void) {
    stack_t stack = {.ss_flags = SS_DISABLE}, old;
    CHECK(sigaltstack(&stack, &old) == 0);
    free(old.ss_sp);
}

#endif
