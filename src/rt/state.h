/* The runtime's state of a thread, for the files of src/rt that work on it.
 *
 *   slot, tick   the running epoch is (slot, tick)
 *   vc           what the thread knows of others; its own entry there is stale, `tick` is right
 *   released     a snapshot with this tick is out: before the thread records an access or learns
 * anything it must tick, or others would take what follows for ordered
 *   learnt_at    all snapshots of this slot with this tick or a later one have the same vc
 *
 * A thread's fields are written by the thread itself, inside critical sections; by its creator
 * before it starts; by whoever has stopped the world.
 *
 * A struct dh_thread is never freed, because cells and histories name the thread long after its
 * end. So it is small, a few hundred bytes. All that it points to is given back at the end, but for
 * the clock, which waits for a join, and the newest histories (rt/history.h).
 */
#ifndef DEADHEAT_RT_STATE_H
#define DEADHEAT_RT_STATE_H

#include "core/cell.h"
#include "rt/abi.h"
#include "rt/clocks.h"
#include "rt/critical.h"
#include "rt/report.h"
#include "rt/stacks.h"
#include "rt/sync.h"
#include "rt/thread.h"

struct dh_event;
struct dh_footprint;
struct dh_history;
struct dh_tape;
struct dh_trail;

struct dh_held {
    struct dh_raw_lock lock;
    uint32_t levels;
    uint32_t object_levels; /* how often it was taken on the tape, */
    uint64_t object;        /* as this object (rt/tape.h) */
};

/* How many ticks a slot has. Tests build with few, to see threads move on to other slots. */
#ifndef DH_TICK_BITS
#define DH_TICK_BITS 32
#endif
#define DH_TICK_LAST ((dh_tick)(((uint64_t)1 << DH_TICK_BITS) - 1))

enum dh_life { DH_CREATED, DH_RUNNING, DH_FINISHED };

#define DH_STACK_CACHE 256
struct dh_stack_cache {
    uint64_t hash;
    dh_stack_id id;
};

/* A call of a function, as a thread tells them apart (rt/contexts.h): the frame, and what it was
 * called from, at one moment. What each access looks at is in the first line of the cache. */
#define DH_CONTEXTS 32
#define DH_CONTEXT_LINKS 31 /* nine lines in all */
struct dh_context {
    _Alignas(64) uintptr_t frame;
    uintptr_t caller;       /* what the frame holds: the return address, */
    uintptr_t const *outer; /* and here the next one: */
    uintptr_t outer_caller;
    uint64_t event;      /* where the number of the context is in an event (rt/history.h) */
    uint64_t moment;     /* in which the history has it; 0: none */
    uint16_t links;      /* from frame to frame: so many are below, */
    uint16_t whole;      /* the same number if there are no more, else 0 */
    dh_stack_id callers; /* all of them (rt/stacks.h) */
    dh_stack_id stack;   /* of the last call from there that asked for it, at `pc` */
    struct dh_link {
        uintptr_t outer, caller; /* what the frame holds: the next frame, the return address */
    } link[DH_CONTEXT_LINKS];
    uintptr_t pc;
    uint64_t next_moment; /* begins while the call is the same: with the lock that it is taking */
};
/* No call. Its frame is no frame, but can be read; and there is nobody's caller. */
extern DH_HIDDEN struct dh_context const dh_nowhere;

/* The changes of cells that took sets, as the thread remembers them (rt/parts.h), from the first
 * one on; emptied by a collection. With half of these zstd makes a third more of its changes anew,
 * with twice as many a fifth fewer, which takes as much time in the cache. */
#define DH_CHANGES_BITS 13
struct dh_change {
    dh_cell old, new;
    uint64_t access; /* the word, good in its epoch, and the kind (dh_parts_access) */
};
struct dh_sharing {
    struct dh_change changes[1 << DH_CHANGES_BITS];
};

/* The last runs of a thread, by their place in the code (rt/runs.c). */
#define DH_MEMOS_BITS 6
struct dh_memo {
    uintptr_t pc;
    uintptr_t lowest, highest; /* addresses of accesses */
    size_t size, distance;     /* of each, and between them */
    struct dh_epoch epoch;
    uint64_t forgotten; /* dh_forgotten(), then */
};
/* How often it came, in an epoch, to a block that had it on record already (rt/blocks.c). */
#define DH_VISITS_BITS 6
struct dh_visits {
    uintptr_t block;
    dh_epoch_id epoch;
    uint32_t count;
};
/* What the last accesses to blocks made of the states that they found, by kind (rt/quick_blocks.c).
 * What was no race then is none now: within an epoch a thread only learns more. */
#define DH_STEPS 4u
struct dh_steps {
    dh_word mine;         /* all of them were this one's: good in its epoch, */
    uint32_t last;        /* the newest */
    uint64_t collections; /* until ids are collected */
    struct {
        dh_cell before, after;
    } known[DH_STEPS];
};
struct dh_memos {
    struct dh_steps steps[2];
    struct dh_memo memos[1 << DH_MEMOS_BITS];
    struct dh_visits visits[1 << DH_VISITS_BITS];
};

/* A stack by its innermost address and the rest of it, as the thread met it before. */
#define DH_CALLS_BITS 9
struct dh_call {
    uintptr_t pc;
    dh_stack_id callers, stack;
};

/* What only a thread that runs needs; it comes with the history, and goes on to another thread. */
struct dh_places {
    struct dh_context contexts[DH_CONTEXTS];
    struct dh_stack_cache stack_cache[DH_STACK_CACHE]; /* good for any thread, */
    struct dh_call calls[1 << DH_CALLS_BITS];          /* so are these */
    bool contexts_used;                                /* not all of them are empty */
};
/* Of threads without a history: nothing continues there, and nothing is written. */
extern DH_HIDDEN struct dh_places dh_no_places;

/* Numbers that are the thread's to use: base + i for the bits i. */
struct dh_batch {
    uint32_t base;
    uint64_t bits;
};

/* In code built with --audit (rt/audit.h): what the detector is asked is a check that is on the
 * tape already, or one that is not. */
enum dh_in_check { DH_CHECK_NONE, DH_CHECK_TOLD, DH_CHECK_TELLS };

struct dh_thread {
    /* What locks and the first accesses behind them look at is together. */
    _Alignas(64) dh_slot slot;
    dh_tick tick;
    dh_word ordered; /* without bytes: an epoch of another's that it knows; 0: none. Until ids are
                        collected */
    uint64_t own, others; /* what bounds are of its slot, and of another's, up to a tick that it
                             knows (dh_bound_up_to) */
    struct dh_vc *vc;
    dh_tick learnt_at; /* vc has not changed since this tick of the slot */
    bool released;
    bool adopted; /* not created through us */
    union {
        struct {
            uint32_t ignoring_sync; /* what orders accesses is not recorded */
            uint16_t pending;       /* runs in the footprint, and the trail */
            bool recorded;          /* it was begun when a tape was (rt/tape.h) */
        };
        uint64_t not_plain; /* locks take the long way (rt/locks.h) */
    };
    struct dh_held *held;
    uint32_t held_count, held_room;
    struct dh_places *places; /* the history's */
    uint64_t moment;          /* another one when the epoch changes, or the locks held, or what the
                                 program's code consists of; never 0 */
    struct dh_context const *here; /* of the last event in the history, for most have it in common
                                      with the next; or dh_nowhere */
    struct dh_event *event;        /* where that goes */
    struct dh_history *history;
    uint64_t asked;      /* what a function of rt/shortest.h is about that has no arguments */
    dh_word ordered_too; /* what `ordered` was before that */

    /* Fences of C11: what relaxed loads have seen and an acquire fence would make known; what the
     * last release fence published and a relaxed store would carry. */
    struct dh_vc *fence_acquire;
    struct dh_snapshot fence_release;
    bool fence_released;

    uint32_t ignoring; /* accesses are not recorded */

    /* Taken from the common stock (rt/epochs.h). */
    struct dh_batch ids, sets, splits;
    bool has_ids;         /* `ids` is its batch, though perhaps used up */
    uint32_t ids_look;    /* where to look for more of its slot, plus one; 0: it never had any */
    uint32_t splits_free; /* the first of those that were given back; 0: none */

    /* For reports. */
    uint32_t number, creator;
    uint64_t os_id;
    uintptr_t handle; /* pthread_t */
    char name[16];
    enum dh_life life;
    bool detached;
    bool fiber; /* it was switched to or from: it may be alive without being run */
    dh_stack_id created;
    uintptr_t stack_low, stack_high; /* the stack that it was given; it may be on another */

    struct dh_sharing *sharing;
    struct dh_memos *memos;
    struct dh_turns *turns;         /* null until there are any (rt/rolls.h) */
    uint64_t forgot;                /* how often it made memory lose its history */
    struct dh_gathers *gathers;     /* null until there is one (rt/gathers.h) */
    dh_tick gathers_missed_in;      /* in the epoch with this tick */
    uint32_t gathers_missed;        /* so many gathers took the slow exit without a table */
    uint32_t gathers_vain;          /* so many tables in a row did not pay */
    struct dh_footprint *footprint; /* null until there is one (rt/footprint.h) */
    struct dh_trail *trail;         /* likewise (rt/trails.h) */
    bool stays;                     /* in a handler, for the process ends (rt/ending.h) */
    struct dh_tape *tape;           /* null: nothing was recorded of it */
    enum dh_in_check in_check;

    uint64_t stats[24]; /* enum dh_stat */

    struct dh_tls *tls;           /* null when finished */
    struct dh_critical *critical; /* likewise */
    struct dh_thread *next;       /* all threads ever, newest first */
    struct dh_thread *next_live;
    struct dh_thread *next_handle;
};

static inline struct dh_view dh_thread_view(struct dh_thread const *t) {
    return (struct dh_view){
        .ticks = t->vc ? t->vc->ticks : 0,
        .size = t->vc ? t->vc->size : 0,
        .self = t->slot,
        .now = t->tick,
    };
}

static inline struct dh_epoch dh_thread_epoch(struct dh_thread const *t) {
    return (struct dh_epoch){t->slot, t->tick};
}

/* The same for who has just written the tick: a load of both at once would wait for that store. */
static inline struct dh_epoch dh_epoch_apart(struct dh_thread const *t) {
    dh_tick tick = t->tick;
    __asm__("" : "+r"(tick));
    return (struct dh_epoch){t->slot, tick};
}

/* Another number whenever memory may have lost what this thread did there, in its running epoch,
 * without a race: by its own doing, or because the memory was nobody's (dh_memory_fresh). */
extern uint64_t dh_freshened;
static inline uint64_t dh_forgotten(struct dh_thread const *self) {
    return self->forgot + __atomic_load_n(&dh_freshened, __ATOMIC_RELAXED);
}

/* The running thread has made memory lose its history. Inside a critical section. */
static inline void dh_forget(struct dh_thread *self) {
    self->forgot++;
    __dh_tls.gathering = 0;
    __dh_tls.trail.limit = 0;
}

/* True until the process gets its second thread, and for ever when checking is switched off. */
extern DH_HIDDEN bool dh_alone_now;

/* The same, asked by an access: a thread that is not known is a second one. */
bool dh_stranger_is_alone(void);
static inline bool dh_alone_still(void) {
    return dh_alone_now && (__dh_tls.self != 0 || dh_stranger_is_alone());
}

/* The running thread; adopts one that was not created through us. */
struct dh_thread *dh_thread_adopt(void);
static inline struct dh_thread *dh_self(void) {
    struct dh_thread *self = __dh_tls.self;
    return DH_LIKELY(self != 0) ? self : dh_thread_adopt();
}

void dh_thread_init_main(void);
/* The process is about to get its second thread. */
void dh_thread_no_longer_alone(void);

/* Inside a critical section: */
void dh_thread_move_to_fresh_slot(struct dh_thread *self);
static inline void dh_tls_forget_epoch(struct dh_tls *tls) {
    tls->epoch = tls->readset = DH_WORD_NOMATCH;
    tls->gathering = 0;
    tls->trail.limit = 0;
}
static inline void dh_thread_forget_epoch(void) { dh_tls_forget_epoch(&__dh_tls); }
/* In none of the calls that the history has seen. */
static inline void dh_moment_begins(struct dh_thread *self) {
    self->moment++;
    self->here = &dh_nowhere;
}
/* A new epoch, if the running one was released. */
static inline void dh_thread_tick(struct dh_thread *self) {
    if (!self->released) return;
    if (DH_UNLIKELY(self->tick == DH_TICK_LAST))
        dh_thread_move_to_fresh_slot(self);
    else
        self->tick++;
    dh_moment_begins(self);
    self->released = false;
    dh_thread_forget_epoch();
}
void dh_thread_learn(struct dh_thread *self, struct dh_snapshot const *what);
void dh_thread_learn_vc(struct dh_thread *self, struct dh_vc const *what);
struct dh_snapshot
dh_thread_publish(struct dh_thread *self); /* a release: the caller owns the result */
/* The same, for a caller that has its own way to say what the thread knows. */
static inline void dh_thread_released(struct dh_thread *self) {
    self->released = true;
    dh_thread_forget_epoch();
}
/* The word for the running epoch with all bytes, opening one if need be; 0 when ids have run out.
 */
dh_word dh_thread_open_epoch(struct dh_thread *self);

/* Fibers (rt/fibers.h): the processor's thread goes on as `to`, which nobody runs. */
void dh_thread_switch(struct dh_thread *to);
/* The fiber, which nobody runs, is no more. */
void dh_thread_fiber_end(struct dh_thread *fiber);

/* All threads that have not ended; to be walked with the world stopped. */
extern struct dh_thread *dh_live_threads;
/* The thread is inside a critical section now. */
bool dh_thread_inside(struct dh_thread const *thread);
/* Waits until no thread but the running one is inside a critical section. */
void dh_live_wait(void);
/* What threads have in their tables of gathers, and know of their trails, is over. Inside a critical
 * section. */
void dh_live_forget_gathers(void);
/* This is true of some thread that has not ended. Outside critical sections. */
bool dh_live_any(bool (*of)(struct dh_thread *thread, void const *context), void const *context);
/* All threads ever, newest first. */
struct dh_thread *dh_all_threads(void);
/* The thread that was in this slot at this tick. */
struct dh_thread *dh_thread_at(struct dh_epoch epoch);
/* After a fork, in the child: only the running thread lives on. */
void dh_threads_after_fork(struct dh_thread *self);

#endif
