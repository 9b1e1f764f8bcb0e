/* A program that runs unchecked (enabled=0) where there is no room for shadow: ulimit -v, strict
 * overcommit. Compiled code reads shadow all the same, and must find 0 there, and so does the first
 * access of each thread in the table of blocks. So the pages that are read are mapped when they
 * first are, by a handler for the fault; they are all the kernel's one page of zeros, and take room
 * but no memory.
 *
 * That needs SIGSEGV: what the program wants of it is done by us, and it is never blocked.
 */
#ifndef DEADHEAT_RT_UNCHECKED_H
#define DEADHEAT_RT_UNCHECKED_H

#include <signal.h>
#include <stdbool.h>

extern bool dh_filling; /* this is such a run */

/* In place of dh_shadow_init. */
void dh_unchecked_init(void);

/* Of such a run: sigaction for SIGSEGV. */
int dh_unchecked_sigaction(struct sigaction const *action, struct sigaction *old);

#endif
