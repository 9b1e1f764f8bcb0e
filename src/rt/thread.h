/* Threads as the runtime knows them. */
#ifndef DEADHEAT_RT_THREAD_H
#define DEADHEAT_RT_THREAD_H

#include "rt/access.h"

struct dh_thread;

/* Creation in three steps, around the real one:
 *   child = dh_thread_create(here)          in the creator: the child will know what the creator
 * knows now dh_thread_created(child, handle)        in the creator, when the real call has returned
 * the handle dh_thread_started(child)                in the child, before any of the program's code
 * or dh_thread_create_failed(child). */
struct dh_thread *dh_thread_create(struct dh_here here);
void dh_thread_created(struct dh_thread *child, uintptr_t handle, bool detached);
void dh_thread_create_failed(struct dh_thread *child);
void dh_thread_started(struct dh_thread *self);

/* The running thread ends: the program's code and all its destructors are over. False if no other
 * is known to be alive; of the first thread's end nobody hears. */
bool dh_thread_finished(void);

/* The thread with this pthread_t was joined (any number of threads may join in a row for the
 * clock's sake: pthread_tryjoin after a failed timed join, C11 wrappers). Look up before the real
 * join, because afterwards the handle may be another thread's: */
struct dh_thread *dh_thread_find(uintptr_t handle);
void dh_thread_joined(struct dh_thread *joined);   /* after a successful real join */
void dh_thread_detached(struct dh_thread *thread); /* after a successful detach */
void dh_thread_set_name(struct dh_thread *thread, char const *name);

/* Nothing that the running thread does until the matching end is recorded or reported. Nests. */
void dh_ignore_begin(void);
void dh_ignore_end(void);
/* What it does until the matching end orders nothing. Nests. Locks are still known to be held. */
void dh_ignore_sync_begin(void);
void dh_ignore_sync_end(void);
/* A signal handler is no part of the region that it interrupts: nothing is ignored in it. */
struct dh_ignored {
    uint32_t accesses, sync;
};
struct dh_ignored dh_ignore_suspend(void);
void dh_ignore_resume(struct dh_ignored was);

/* True while the process has never had a second thread, and when the runtime is switched off:
 * callers may skip all bookkeeping that only serves order. */
bool dh_alone(void);

#endif
