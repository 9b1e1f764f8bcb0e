/* Fibers on top of swapcontext, told to the detector as ThreadSanitizer wants it. */
#ifndef DEADHEAT_TEST_FIBERS_H
#define DEADHEAT_TEST_FIBERS_H

#include "test.h"
#include <sanitizer/tsan_interface.h>
#include <ucontext.h>

struct fiber {
    ucontext_t context;
    void *known; /* to the detector */
    char stack[64 << 10] __attribute__((aligned(16)));
};

/* What the thread itself runs in. */
static inline void fiber_adopt(struct fiber *self) { self->known = __tsan_get_current_fiber(); }

static inline void fiber_make(struct fiber *f, void (*routine)(void)) {
    CHECK(getcontext(&f->context) == 0);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = sizeof f->stack;
    f->context.uc_link = 0;
    makecontext(&f->context, routine, 0);
    f->known = __tsan_create_fiber(0);
}

static inline void fiber_switch(struct fiber *from, struct fiber *to, unsigned flags) {
    __tsan_switch_to_fiber(to->known, flags);
    CHECK(swapcontext(&from->context, &to->context) == 0);
}

#endif
