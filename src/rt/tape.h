/* The tape: a run as it is recorded for `deadheat replay` (DEADHEAT_OPTIONS=record=FILE). The
 * events are those of trace/event.h, the bytes those of trace/format.h.
 *
 * Each thread encodes its own events into a block of its own, without a lock; full blocks go to the
 * file. Events that order threads, and those that end a history, take a number, inside the section
 * that makes them one step with what they do to the detector's state:
 *
 *   Invariant: two events that the detector orders, or whose order it depends on, have numbers in
 * that order.
 *
 * A plain access has no number. The accesses of a thread between two of its numbered events stand
 * where the first of them was made; if memory was allocated anywhere since, the next one counts as
 * a first one again, so that an access to memory that is recycled stands on the right side of the
 * allocation. (Only an access that happens in the very moment in which another thread allocates its
 * bytes may end up on the other side: that one is on its way to memory that it does not own.)
 *
 * What is on the tape is what went past the inlined test. A repetition that the test lets pass is
 * in the same epoch as an access to the same bytes, of a kind that races with all that it would
 * race with: no release by the thread lies between, so nobody is ordered after the one and not the
 * other; whoever is ordered before the first is ordered before the second. It adds nothing to any
 * verdict.
 *
 * Nothing is recorded while the process has only ever had one thread. All functions are called
 * inside a critical section, where dh_recording is true.
 */
#ifndef DEADHEAT_RT_TAPE_H
#define DEADHEAT_RT_TAPE_H

#include "rt/abi.h"
#include "rt/access.h"
#include "rt/base.h"
#include "trace/event.h"

struct dh_held;
struct dh_sync;
struct dh_thread;

/* Changes before there is a second thread, and with the world stopped. */
extern DH_HIDDEN bool dh_recording;

/* ---- accesses ---- flags are enum dh_access_flags; pc is a return address, or 0. */

/* What the detector was asked about: an access, unless the code is audited, which tells its
 * accesses and its checks apart (rt/audit.h). */
void dh_tape_access(struct dh_thread *self, enum dh_kind kind, uint32_t flags, uintptr_t address,
                    size_t size, uintptr_t pc);
/* The same for the quick way (rt/quick.h), keeping all registers. */
DH_SLOW void dh_tape_quick(struct dh_thread *self, enum dh_kind kind, uintptr_t address,
                           size_t size, uintptr_t pc);
void dh_tape_plain(struct dh_thread *self, enum dh_kind kind, uintptr_t address, size_t size,
                   uintptr_t pc);
void dh_tape_check(struct dh_thread *self, enum dh_kind kind, uintptr_t address, size_t size,
                   uintptr_t pc);
void dh_tape_atomic(struct dh_thread *self, enum dh_op op, uintptr_t address, size_t size,
                    uint32_t order, uintptr_t pc);
void dh_tape_fence(struct dh_thread *self, uint32_t order);
/* The detector found these bytes racy. */
void dh_tape_race(struct dh_thread *self, uintptr_t address, size_t bytes);
/* The memory is nobody's yet: as if the running thread allocated it. */
void dh_tape_fresh(struct dh_thread *self, uintptr_t address, size_t size);

/* ---- threads ---- */
void dh_tape_fork(struct dh_thread *self, struct dh_thread *child);
/* The thread is made. Its maker often sleeps from here on: what it has recorded is written, so that
 * after a crash the others' events can be put in order without it. */
void dh_tape_forked_thread(struct dh_thread *self);
void dh_tape_exit(struct dh_thread *self);
void dh_tape_join(struct dh_thread *self, struct dh_thread *joined);
/* With the world stopped: the running thread comes from nowhere, and knows all that others did. */
void dh_tape_adopt(struct dh_thread *self);

/* ---- objects (tape_sync.c) ---- Under the lock of the object's record, whose dh_sync is given. */
void dh_tape_signal(struct dh_thread *self, struct dh_sync *sync, void const *p);
void dh_tape_wait(struct dh_thread *self, struct dh_sync *sync, void const *p);
void dh_tape_locked(struct dh_thread *self, struct dh_sync *sync, void const *p,
                    struct dh_held *held, uint32_t levels, uintptr_t pc);
/* held is null where another thread locked it. */
void dh_tape_unlocking(struct dh_thread *self, struct dh_sync *sync, void const *p,
                       struct dh_held *held, uint32_t levels);
/* The object at p, or all in the cell (null), end here. */
void dh_tape_gone(struct dh_sync *sync, void const *p);

/* One round of a barrier, as the tape knows it. The lock is held for a moment by whoever arrives or
 * departs. */
struct dh_taped_round {
    struct dh_mutex lock;
    uint32_t era;
    bool departed;
    uint64_t object, late; /* late: for those who arrive when somebody has departed already */
};
void dh_tape_arrive(struct dh_thread *self, struct dh_taped_round *round);
void dh_tape_depart(struct dh_thread *self, struct dh_taped_round *round);

/* ---- for the other files of the tape ---- */
/* Counts the processes that this one is a fork of: what was taped in another era is not on our
 * tape. */
extern uint32_t dh_tape_era;
uint64_t dh_tape_new_object(void);
void dh_tape_object(struct dh_thread *self, enum dh_op op, uint64_t object, uintptr_t pc);

/* ---- beginning and end ---- Not inside critical sections. */
void dh_tape_init(void);   /* when the options are known */
void dh_tape_begin(void);  /* the process is about to get its second thread */
void dh_tape_forked(void); /* in the child of a fork: it has a tape of its own, FILE.PID */
/* The running process is the one that is recorded: not so in a child of vfork, which has its
 * parent's memory. */
bool dh_tape_ours(void);
/* The end of the run: nothing is recorded from here on. */
void dh_tape_stop(void);
/* Then, by whoever has the turn to report (for the sake of symbols): writes what is left. */
void dh_tape_finish(void);

#endif
