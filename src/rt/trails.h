/* Trails: text that is read on and on, by accesses that overlap. A compressor reads eight bytes at
 * each of its bytes, and then again wherever the same may have been before. Each of these reads is
 * of a cell that the epoch has in part: it would change the cell once more, and be noted once more.
 *
 * A thread has one trail: bytes that it has read in its running epoch, from `begin` on, each access
 * overlapping those before it or touching them.
 *
 *     begin            committed           end
 *       |  on record, known  |  pending      |
 *
 * A read of what is known has nothing to add, as READSAMEEPOCH has it: whoever wrote there since
 * has found a race with the first one, for no write can be ordered behind that without a release of
 * ours. Memory that has lost its history is the exception. So what is known is over when the epoch
 * is, and when what a table of gathers says is (rt/gathers.h, which has the argument): then
 * __dh_tls.trail.limit is 0. The next commit finds another epoch, or another number of
 * dh_forgotten, and what is known begins with what it commits.
 *
 * A read at the end makes the trail longer, and changes no cell: its check is put off. What is
 * pending is judged as one range before the thread does anything that orders it with others, by
 * dh_footprint_commit and under its invariant (rt/footprint.h); and after DH_TRAIL_ACCESSES
 * accesses to it, for whoever waits for another thread in a loop must be seen.
 *
 * Which of the accesses are pending is said by *links*: as many of them as each byte needs to be in
 * one. They are a chain, each reaching further than the one before; one that is no longer needed,
 * for those beside it touch, makes room for the next. The state of the range, which is the same
 * whoever read it, is judged at once; but the links are noted in the history one by one; and where
 * the range cannot be made by the quick way, for there is a race, say, each of them is judged by
 * itself.
 *
 * Pending reads of memory that is renewed, by a thread that need not be ordered with ours, would
 * come too late: they were of what was there before. Whoever renews memory takes them away first,
 * with the world stopped (dh_trails_renew); the trail is over then, and what is read of it after
 * that is judged as ever.
 *
 * Nothing else ends a trail but the next one: reads in a row, past the test, that are not on it. In
 * ignored regions there is none, nor while a tape is recorded, nor when the process is about to
 * end.
 *
 * What is known, and whether a read is of what is pending, is asked outside critical sections, by
 * the beginning first and then by the end. A handler may come in between: one that moves either
 * beginning leaves no trail behind, so that the end matches nothing (rt/intercept/signal.c).
 */
#ifndef DEADHEAT_RT_TRAILS_H
#define DEADHEAT_RT_TRAILS_H

#include "rt/critical.h"
#include "rt/state.h"

enum {
    DH_TRAIL_ACCESSES = 2048,
    DH_TRAIL_LINKS = 256,
    DH_TRAIL_BYTES = DH_TRAIL_LINKS * 8, /* are pending at most */
    DH_TRAIL_BACK = 16,    /* reads that touch, or go back by no more than this, are in a row: */
    DH_TRAIL_ROW = 4,      /* so many, upwards, begin a trail, */
    DH_TRAIL_OTHER_ROW = 8 /* where there is one already */
};

/* An access. */
struct dh_trail_link {
    uintptr_t from, to;
    uintptr_t pc;
    dh_stack_id callers;
};

/* Changed by its thread inside critical sections, and with the world stopped. */
struct dh_trail {
    uintptr_t frame, caller; /* the call that the last link was made in, if there is one */
    dh_stack_id callers;
    uint32_t count;                           /* of links; 1: nothing is pending */
    struct dh_epoch epoch;                    /* of what is known, */
    uint64_t forgotten;                       /* and dh_forgotten, before that was judged */
    bool renewed;                             /* some of what is pending: */
    uint64_t taken_away[DH_TRAIL_BYTES / 64]; /* these bytes, from `committed` on */
    /* The first one is what is committed, as far as the chain is concerned. */
    struct dh_trail_link links[1 + DH_TRAIL_LINKS];
};

/* Outside critical sections, as footprints are. */
void dh_trail_commit(struct dh_thread *self);
/* The thread has ended. */
void dh_trail_free(struct dh_thread *self);

/* These bytes are about to lose their history. Outside critical sections. */
void dh_trails_renew_slow(uintptr_t from, uintptr_t to);
extern uint32_t dh_trails_pending; /* so many have something pending */
static inline void dh_trails_renew(uintptr_t from, uintptr_t to) {
    if (__atomic_load_n(&dh_trails_pending, __ATOMIC_SEQ_CST) != 0) dh_trails_renew_slow(from, to);
}
/* In the child of a fork: others' do not count. */
void dh_trails_after_fork(void);

/* There is no trail any more, but for what is pending. Inside a critical section of the thread, in
 * its handler, or with the world stopped. */
static inline void dh_trail_end(struct dh_tls *tls) {
    tls->trail.limit = tls->trail.reach = tls->trail.end = 0;
}

/* The read, of up to eight bytes, is known. */
static inline __attribute__((always_inline)) bool dh_trail_knows(uintptr_t a) {
    uintptr_t begin = __atomic_load_n(&__dh_tls.trail.begin, __ATOMIC_ACQUIRE);
    return a - begin < __atomic_load_n(&__dh_tls.trail.limit, __ATOMIC_RELAXED);
}
/* It is of what is pending, and may be again for a while. */
static inline __attribute__((always_inline)) bool dh_trail_awaits(uintptr_t a) {
    uintptr_t committed = __atomic_load_n(&__dh_tls.trail.committed, __ATOMIC_ACQUIRE);
    return a - committed < __atomic_load_n(&__dh_tls.trail.reach, __ATOMIC_RELAXED)
           && DH_LIKELY(--__dh_tls.trail.left >= 0);
}
/* What both ask of so many bytes. */
static inline uintptr_t dh_trail_reach(uintptr_t bytes) {
    return bytes < DH_CELL_BYTES ? 0 : bytes - (DH_CELL_BYTES - 1);
}
/* It is on the trail, or goes on at its end; only a guess. */
static inline __attribute__((always_inline)) bool dh_trail_has(uintptr_t a) {
    return a <= __dh_tls.trail.end && a >= __dh_tls.trail.begin;
}

/* For take, inside: what a link needs that is made in another call than the last, or is the first
 * one. The frame is what the thread is `asked` about. False: there can be none. Keeps all
 * registers. */
__attribute__((preserve_most)) bool dh_trail_call(void);

static inline __attribute__((always_inline)) bool dh_trail_is_call(struct dh_trail const *t,
                                                                   uintptr_t frame) {
    if (DH_LIKELY(t->count != 1) && DH_LIKELY(t->frame == frame)
        && DH_LIKELY(t->caller == ((uintptr_t const *)frame)[1]))
        return true;
    __dh_tls.self->asked = frame;
    return dh_trail_call();
}

/* Takes the read, if it is on the trail. What makes it longer there is an end to, for links are
 * few. */
static inline __attribute__((always_inline)) bool dh_trail_take(uintptr_t a, uint32_t size,
                                                                struct dh_here here) {
    dh_critical_enter_known();
    if (DH_UNLIKELY(a > __dh_tls.trail.end)) goto undone;
    /* What is before the pending part is on record as long as anything is known. */
    if (a < __dh_tls.trail.committed
        && (a < __dh_tls.trail.begin || DH_UNLIKELY(__dh_tls.trail.limit == 0)))
        goto undone;
    if (DH_LIKELY(a + size > __dh_tls.trail.end)) {
        struct dh_trail *t = __dh_tls.self->trail;
        if (!dh_trail_is_call(t, here.frame)) goto undone;
        struct dh_trail_link *l = &t->links[t->count - 1];
        if (t->count == 1 || l[-1].to < a) { /* else the last one is no longer needed */
            if (DH_UNLIKELY(t->count == 1 + DH_TRAIL_LINKS)) goto undone;
            t->count++;
            l++;
        }
        *l = (struct dh_trail_link){a, a + size, here.pc, t->callers};
        __dh_tls.trail.end = a + size;
        __dh_tls.trail.reach = dh_trail_reach(a + size - __dh_tls.trail.committed);
    } else if (DH_UNLIKELY(--__dh_tls.trail.left < 0)) {
        goto undone;
    }
    dh_critical_leave();
    return true;
undone:
    dh_critical_leave();
    return false;
}

/* The same for a read that was not taken at first: what is pending is committed; and if what was
 * known is over, the trail goes on from its end, or from this read if that goes on there. */
bool dh_trail_take_slow(uintptr_t a, uint32_t size, struct dh_here here);

/* Reads that were not on record, past the test: is it time for a trail, or for another one? */
static inline __attribute__((always_inline)) bool dh_trail_is_due(uintptr_t a, uint32_t size) {
    uintptr_t apart = a - __dh_tls.trail.missed;
    __dh_tls.trail.missed = a;
    if (apart + DH_TRAIL_BACK > DH_TRAIL_BACK + size) {
        __dh_tls.trail.first = a;
        __dh_tls.trail.row = 0;
        return false;
    }
    uint32_t row = ++__dh_tls.trail.row;
    return DH_UNLIKELY(row >= DH_TRAIL_ROW) && a > __dh_tls.trail.first
           && (__dh_tls.trail.end == 0 || row >= DH_TRAIL_OTHER_ROW);
}
/* It begins with this read. False: it does not. */
bool dh_trail_begin(uintptr_t a, uint32_t size, struct dh_here here);

#endif
