/* Contexts that nobody tells the detector about: to it they are the thread that runs them. */
#ifndef DEADHEAT_TEST_CONTEXT_H
#define DEADHEAT_TEST_CONTEXT_H

#include "test.h"
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { CONTEXT_STACK = 64 << 10 };

struct contexts {
    ucontext_t caller, generator;
    int next;
    void *stack;
};

static inline void generate(unsigned low, unsigned high);

static inline void contexts_open(struct contexts *c, int mapped) {
    c->stack = mapped ? mmap(0, CONTEXT_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                      : malloc(CONTEXT_STACK);
    CHECK(c->stack && getcontext(&c->generator) == 0);
    c->generator.uc_stack.ss_sp = c->stack;
    c->generator.uc_stack.ss_size = CONTEXT_STACK;
    c->generator.uc_link = &c->caller;
    uintptr_t p = (uintptr_t)c;
    makecontext(&c->generator, (void (*)(void))generate, 2, (unsigned)p, (unsigned)(p >> 32));
}

static inline void contexts_close(struct contexts *c, int mapped) {
    if (mapped)
        munmap(c->stack, CONTEXT_STACK);
    else
        free(c->stack);
}

static inline struct contexts *contexts_of(unsigned low, unsigned high) {
    return (struct contexts *)((uintptr_t)high << 32 | low);
}

/* The generator's next value. */
static inline int contexts_next(struct contexts *c) {
    CHECK(swapcontext(&c->caller, &c->generator) == 0);
    return c->next;
}

#endif
