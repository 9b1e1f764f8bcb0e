/* Fibers: threads of execution that the program switches between by itself, on threads of the
 * system's (the five __tsan_..._fiber calls). To the detector a fiber is a thread like any other,
 * with a clock, locks and a history of its own; only who runs it changes.
 *
 *   Invariant: each thread of the system's runs exactly one dh_thread, __dh_tls.self, whose tls and
 * critical say where; those of a fiber that nobody runs are null.
 */
#ifndef DEADHEAT_RT_FIBERS_H
#define DEADHEAT_RT_FIBERS_H

/* The running thread of the system's ends: it goes back to being what it was created as. */
void dh_fiber_go_home(void);

#endif
