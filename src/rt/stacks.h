/* Call stacks, each kept once and named by a number. */
#ifndef DEADHEAT_RT_STACKS_H
#define DEADHEAT_RT_STACKS_H

#include "rt/access.h"

typedef uint32_t dh_stack_id; /* 0: none */

#define DH_STACK_MAX 64 /* frames kept of one stack, innermost first */
#define DH_BOTTOM 4096  /* a return address below this is that of no call: the stack ends there */

/* The running thread's stack at `here`. */
dh_stack_id dh_stack_capture(struct dh_here here);
/* The same without the place itself, its callers alone; and such a stack with a place in front. */
dh_stack_id dh_stack_callers(struct dh_here here);
dh_stack_id dh_stack_before(uintptr_t pc, dh_stack_id callers);

/* The frame of the function that calls down to here whose variable is at this address; 0: not
 * known. */
uintptr_t dh_stack_frame_of(uintptr_t variable);

/* The addresses of a stack: pcs[0] is in the innermost function; all are return addresses. The
 * array stays valid for ever. */
uintptr_t const *dh_stack_pcs(dh_stack_id id, uint32_t *count);

/* The next new stack will have this number, or a higher one. */
dh_stack_id dh_stack_next(void);
/* Stacks of different generations never share a number (rt/libraries.h). Changes with the world
 * stopped. */
extern uint32_t dh_stack_generation;

/* Where the main thread's stack is, and may grow to. */
void dh_stack_of_main(uintptr_t *low, uintptr_t *high);

#endif
