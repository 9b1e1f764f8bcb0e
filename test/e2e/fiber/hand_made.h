/* Coroutines that a program makes by itself: another stack, and a few instructions that change over to it. */
#ifndef DEADHEAT_TEST_HAND_MADE_H
#define DEADHEAT_TEST_HAND_MADE_H

#include "test.h"
#include <stdint.h>

/* Saves what a call keeps on the running stack, and where that is in *from; goes on where `to` was saved. */
void change_over(void **from, void *to);
__asm__(".text\n"
        "change_over:\n"
        "    push %rbp\n    push %rbx\n    push %r12\n    push %r13\n    push %r14\n    push %r15\n"
        "    mov %rsp, (%rdi)\n"
        "    mov %rsi, %rsp\n"
        "    pop %r15\n    pop %r14\n    pop %r13\n    pop %r12\n    pop %rbx\n    pop %rbp\n"
        "    ret\n");

struct coroutine {
    void *inside, *outside; /* where they are saved */
    int turns;
};

/* Ready to enter `routine`, which must never return. rbp is left as garbage that looks like an address. */
static inline void coroutine_open(struct coroutine *c, void *stack, size_t size, void (*routine)(void)) {
    uintptr_t *top = (uintptr_t *)((uintptr_t)stack + size);
    *--top = 0;
    *--top = (uintptr_t)routine; /* entered as if by a call */
    *--top = (uintptr_t)stack + size + 0x10000000;
    for (int i = 0; i < 5; i++)
        *--top = 0;
    c->inside = top;
}

static inline void coroutine_enter(struct coroutine *c) { change_over(&c->outside, c->inside); }
static inline void coroutine_leave(struct coroutine *c) { change_over(&c->inside, c->outside); }

#endif
