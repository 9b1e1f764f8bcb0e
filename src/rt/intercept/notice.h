/* Calls that libc makes into the program from threads of its own: when a timer has gone off, when
 * something is done that was asked for, when a message has arrived (SIGEV_THREAD).
 *
 * Whoever asks for one makes the thread known that will make it, as pthread_create does: it knows
 * what the asker knew. libc is given our function in place of the program's, and a notice in place
 * of the argument. Where there will be many calls, each thread that makes one makes the next one
 * known before it does anything else: so they know no more of each other than the asker did.
 */
#ifndef DEADHEAT_RT_INTERCEPT_NOTICE_H
#define DEADHEAT_RT_INTERCEPT_NOTICE_H

#include "rt/access.h"

#include <signal.h>

struct dh_notice;

enum dh_notice_use { DH_ONCE, DH_REPEATS };

/* Changes the event, if it asks for a thread; null: it does not, or checking is off. `owner` is
 * null, or the control block whose part the event is: libc reads it there when the time has come.
 */
struct dh_notice *dh_notice_new(struct sigevent *event, void const *owner, enum dh_notice_use use,
                                struct dh_here here);
/* The call will not be made; there may be no notice. */
void dh_notice_over(struct dh_notice *notice);
/* The event is as the program had it, if it was changed. */
void dh_notice_restore(struct sigevent *event);
/* Who is called comes after this moment, too. */
void dh_notice_release(struct dh_notice *notice);
/* Who is called comes after what was sent to the message queue. */
void dh_notice_queue(struct dh_notice *notice, int queue);

#endif
