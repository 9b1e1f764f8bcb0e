/* Calls that the user does not want to be looked at: what libc's functions access on behalf of a
 * library named by called_from_lib: (rt/suppress.h), of all that were not built with deadheat with
 * ignore_noninstrumented_modules=1, or of anybody with ignore_interceptors_accesses=1. What they
 * order still counts, and memory still comes and goes.
 */
#ifndef DEADHEAT_RT_CALLED_FROM_H
#define DEADHEAT_RT_CALLED_FROM_H

#include "rt/access.h"
#include "rt/base.h"

struct dh_suppression;

extern DH_HIDDEN bool dh_calls_ignored; /* some are; settled before the program begins */

/* With the suppressions, which it counts in. */
void dh_called_from_init(struct dh_suppression *list);

bool dh_call_ignored_slow(uintptr_t pc);
/* Is a call from here not to be looked at? Outside critical sections. */
static inline bool dh_call_ignored(struct dh_here here) {
    return DH_UNLIKELY(dh_calls_ignored) && dh_call_ignored_slow(here.pc);
}

#endif
