/* Open loops: those whose accesses are checked behind them, for as many rounds as there were. The
 * compiler keeps an account of each (struct dh_loop, rt/abi.h) while it runs, so that what it has
 * accessed can be checked from outside where the check behind it may never come: at the end of the
 * process (rt/ending.h), and before a signal handler runs, which may not come back.
 *
 *   Exact: an access is in the account right after it was made. Of those that share a check with one
 *   a few rounds behind them, what the round at hand has added is not.
 *
 * To check twice does no harm: the loop makes its own check all the same if it gets there.
 */
#ifndef DEADHEAT_RT_LOOPS_H
#define DEADHEAT_RT_LOOPS_H

#include "core/entries.h"
#include "rt/access.h"
#include "rt/state.h"

/* Some code of the process has such loops. */
extern bool dh_loops_used;

/* Checks what the loops have accessed that the running thread is in. Outside critical sections. */
void dh_loops_check(struct dh_thread *self);

/* A check of a run (rt/runs.c), as compiled code makes it. */
void dh_run_check(enum dh_kind kind, uintptr_t first, size_t size, ptrdiff_t stride, size_t count,
                  struct dh_here here);

#endif
