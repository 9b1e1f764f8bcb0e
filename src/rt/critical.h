/* Critical sections: the stretches in which a thread changes what all threads share, the shadow's
 * records and the clocks. Two things are promised about them:
 *
 * - No signal handler of the program runs inside one. A signal that arrives there is put off to its
 * end, a few hundred instructions later, and handled then as if it had just arrived
 * (rt/intercept/signal.c). So a handler's access never waits for a lock of the thread that it
 * interrupted.
 * - The world can be stopped: dh_world_stop waits until no other thread is inside one and keeps all
 * out. A thread asleep in the kernel, or busy in the program's own code, does not hold that up.
 * fork and the collection of epoch ids need it.
 *
 * They nest, are short, and never block on anything but the runtime's own locks.
 *
 * Signals are also put off, by dh_signals_hold, while a thread is inside libc's allocator
 * (rt/intercept/memory.c). This is for fork: its handler stops the world (rt/intercept/fork.c), and
 * then libc waits for all locks of the allocator. If the program's handler could run over one that
 * is held, its first access would wait for the world, the lock for the handler, and fork for the
 * lock. As it is, who holds such a lock is in the allocator itself, which calls nothing of ours,
 * and comes out of it whether or not the world is stopped. So it need not hold up a stop, and does
 * not.
 */
#ifndef DEADHEAT_RT_CRITICAL_H
#define DEADHEAT_RT_CRITICAL_H

#include "rt/abi.h"
#include "rt/base.h"

struct dh_thread;

struct dh_critical {
    uint32_t depth; /* written by its thread, read by the one that stops the world */
    uint32_t known; /* others find all this by the list of threads (rt/threads.c) */
    union {
        struct {
            uint32_t counted;         /* if not: sections of dh_strangers_inside that are its own */
            uint32_t signals_waiting; /* some arrived inside, */
        };
        uint64_t at_the_end; /* of a section there is something to do */
    };
    uint32_t held;  /* or in so many of dh_signals_hold */
    uint32_t owner; /* the thread as an owner of shadow (rt/own.h): its number plus one */
};

extern _Thread_local struct dh_critical __dh_critical __attribute__((tls_model(DH_TLS_MODEL)));
extern DH_HIDDEN uint32_t
    dh_world_stopping; /* read plainly, in one instruction: somebody stops the world or
                                      has stopped it */
/* Sections that strangers are in: threads before they are on the list of threads, or after. */
extern uint32_t dh_strangers_inside;

/* The slow parts of enter and leave. They keep all registers, so that the quick parts need none. */
__attribute__((preserve_most)) void dh_critical_wait(void);
__attribute__((preserve_most)) void dh_critical_leave_slow(void);
void dh_critical_signals(void); /* handles what arrived inside */

/* One instruction: only the thread itself writes it. */
static inline void dh_critical_deeper(uint32_t by) {
    __atomic_store_n(&__dh_critical.depth,
                     __atomic_load_n(&__dh_critical.depth, __ATOMIC_RELAXED) + by,
                     __ATOMIC_RELEASE);
}

static inline void dh_critical_enter(void) {
    /* Only the depth of the outermost level is looked at from outside. The store must be visible
     * before the flag is read; the stopper makes it so with membarrier(2), which costs us nothing
     * here. */
    dh_critical_deeper(1);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (DH_UNLIKELY(dh_world_stopping != 0) || DH_UNLIKELY(__dh_critical.known == 0))
        dh_critical_wait();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* The same for who does nothing in there unless its thread has an epoch open: then it is known. */
static inline void dh_critical_enter_known(void) {
    dh_critical_deeper(1);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (DH_UNLIKELY(dh_world_stopping != 0)) dh_critical_wait();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* The same for who goes another way where this would wait: false, and it is inside all the same,
 * only to leave, and to do nothing before that. */
static inline bool dh_critical_enter_try(void) {
    dh_critical_deeper(1);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bool may = DH_LIKELY(dh_world_stopping == 0);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return may;
}

/* False: the slow part is the caller's to call, at once. */
static inline bool dh_critical_leave_try(void) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    dh_critical_deeper(UINT32_MAX);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return DH_LIKELY(__dh_critical.at_the_end == 0);
}
static inline void dh_critical_leave(void) {
    if (DH_UNLIKELY(!dh_critical_leave_try())) dh_critical_leave_slow();
}

/* Around calls of libc's allocator. */
static inline void dh_signals_hold(void) {
    __dh_critical.held++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void dh_signals_let(void) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __dh_critical.held--;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (DH_UNLIKELY(__dh_critical.signals_waiting != 0)) dh_critical_leave_slow();
}

/* Every thread of the process executes a full memory barrier, now. */
void dh_barrier_everywhere(void);

/* For the few places that must not be interrupted although they are in no critical section. */
uint64_t dh_signals_block(void); /* returns the mask to restore */
void dh_signals_restore(uint64_t mask);

/* Stops all threads but the running one from changing shared state; one stopper at a time. */
void dh_world_stop(void);
void dh_world_go(void);
/* In the child of a fork made while the world was stopped: only the running thread is left. */
void dh_world_go_in_child(void);

#endif
