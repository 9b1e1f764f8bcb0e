/* The end of the process, as far as checks are concerned that were put off (rt/footprint.h), or
 * that come behind loops (rt/loops.h).
 *
 * A thread has its own checks pending, and only it can make them. When the process is about to end,
 * orderly or by a signal, the one that ends it makes its own, and then interrupts all others that
 * may have some: each makes them in a handler, and stays in it. So nobody sees that it was
 * interrupted.
 *
 * The signal is the one that libc keeps for setuid and its like: no mask that a program sets
 * through libc has it. Its handler is replaced only here, where nobody is to run on.
 */
#ifndef DEADHEAT_RT_ENDING_H
#define DEADHEAT_RT_ENDING_H

/* The process ends now: after this the running thread does nothing but end it, without waiting for
 * any other. Outside critical sections. */
void dh_ending(void);

/* The process may end now, by an exec, which may fail: only the running thread's checks are made.
 * What others have pending is lost if it does not. Outside critical sections. */
void dh_ending_alone(void);

#endif
