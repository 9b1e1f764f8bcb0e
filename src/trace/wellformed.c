#include "trace/wellformed.h"

#include "trace/format.h"
#include "trace/names.h"
#include "util/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of a lock: its holder, or a number of readers. */
#define HELD (UINT64_C(1) << 63)
enum { OPEN = 1, DEPARTED = 2 }; /* the value of a round */

typedef char const *verdict;

__attribute__((format(printf, 2, 3))) static verdict refuse(struct dh_wellformed *w,
                                                            char const *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(w->message, sizeof w->message, format, args);
    va_end(args);
    return w->message;
}

/* ---- Threads ---- */

static enum dh_thread_state state_of(struct dh_wellformed const *w, uint64_t thread) {
    return thread < w->room ? w->thread[thread] : DH_THREAD_NEW;
}

static void set_state(struct dh_wellformed *w, uint32_t thread, enum dh_thread_state state) {
    if (thread >= w->room) {
        uint32_t room = 2 * (thread + 32);
        w->thread = realloc(w->thread, room);
        if (!w->thread) dh_fail("out of memory");
        memset(w->thread + w->room, DH_THREAD_NEW, room - w->room);
        w->room = room;
    }
    w->thread[thread] = (uint8_t)state;
}

static verdict fork_thread(struct dh_wellformed *w, uint64_t thread) {
    if (state_of(w, thread) != DH_THREAD_NEW)
        return refuse(w, "fork of thread %" PRIu64 ", which exists", thread);
    if (thread >= (uint64_t)w->threads + DH_THREAD_SLACK)
        return refuse(w, "fork of thread %" PRIu64 ", but there are only %" PRIu32 " threads",
                      thread, w->threads);
    if (w->threads == UINT32_MAX / 4) return refuse(w, "too many threads");
    set_state(w, (uint32_t)thread, DH_THREAD_RUNS);
    w->threads++;
    return NULL;
}

static verdict join_thread(struct dh_wellformed *w, uint64_t thread) {
    switch (state_of(w, thread)) {
    case DH_THREAD_NEW: return refuse(w, "join of thread %" PRIu64 ", which never started", thread);
    case DH_THREAD_RUNS:
        return refuse(w, "join of thread %" PRIu64 ", which has not exited", thread);
    case DH_THREAD_EXITED: break;
    }
    return NULL;
}

/* ---- Locks ---- */

static verdict acquire(struct dh_wellformed *w, uint64_t lock, uint32_t thread) {
    uint64_t *state = dh_table_at(&w->locks, lock, 0);
    if (*state & HELD)
        return refuse(w, "acquire of lock 0x%" PRIx64 ", which thread %" PRIu32 " holds", lock,
                      (uint32_t)*state);
    if (*state != 0)
        return refuse(w, "acquire of lock 0x%" PRIx64 ", which %" PRIu64 " threads read", lock,
                      *state);
    *state = HELD | thread;
    return NULL;
}

static verdict release(struct dh_wellformed *w, uint64_t lock, uint32_t thread) {
    uint64_t *state = dh_table_find(&w->locks, lock, 0);
    if (!state || *state != (HELD | thread))
        return refuse(w, "release of lock 0x%" PRIx64 ", which the thread does not hold", lock);
    dh_table_remove(&w->locks, lock, 0);
    return NULL;
}

static verdict rdacquire(struct dh_wellformed *w, uint64_t lock, uint32_t thread) {
    if (dh_table_find(&w->readers, lock, thread))
        return refuse(w, "rdacquire of lock 0x%" PRIx64 ", which the thread already reads", lock);
    uint64_t *state = dh_table_at(&w->locks, lock, 0);
    if (*state & HELD)
        return refuse(w, "rdacquire of lock 0x%" PRIx64 ", which thread %" PRIu32 " holds", lock,
                      (uint32_t)*state);
    ++*state;
    *dh_table_at(&w->readers, lock, thread) = 1;
    return NULL;
}

static verdict rdrelease(struct dh_wellformed *w, uint64_t lock, uint32_t thread) {
    if (!dh_table_find(&w->readers, lock, thread))
        return refuse(w, "rdrelease of lock 0x%" PRIx64 ", which the thread does not read", lock);
    dh_table_remove(&w->readers, lock, thread);
    uint64_t *state = dh_table_find(&w->locks, lock, 0);
    if (*state == 1)
        dh_table_remove(&w->locks, lock, 0);
    else
        --*state;
    return NULL;
}

/* ---- Barriers ---- */

static verdict arrive(struct dh_wellformed *w, uint64_t round, uint32_t thread) {
    uint64_t *state = dh_table_at(&w->rounds, round, 0);
    if (*state == DEPARTED)
        return refuse(w, "arrive at 0x%" PRIx64 ", from which a thread has departed", round);
    *state = OPEN;
    uint64_t *waits = dh_table_at(&w->waiters, round, thread);
    if (*waits) return refuse(w, "arrive at 0x%" PRIx64 ", where the thread already is", round);
    *waits = 1;
    return NULL;
}

static verdict depart(struct dh_wellformed *w, uint64_t round, uint32_t thread) {
    if (!dh_table_find(&w->waiters, round, thread))
        return refuse(w, "depart from 0x%" PRIx64 ", where the thread is not", round);
    dh_table_remove(&w->waiters, round, thread);
    *dh_table_at(&w->rounds, round, 0) = DEPARTED;
    return NULL;
}

/* ---- Memory ---- */

static verdict check_bytes(struct dh_wellformed *w, struct dh_trace_event const *e) {
    if (e->size == 0) return refuse(w, "%s of 0 bytes", dh_op_names[e->op]);
    if (e->address > UINT64_MAX - e->size)
        return refuse(w, "%s of 0x%" PRIx64 " bytes at 0x%" PRIx64 ", beyond the last address",
                      dh_op_names[e->op], e->size, e->address);
    bool block = e->op == DH_OP_ALLOC || e->op == DH_OP_FREE;
    if (!block && e->size > DH_ACCESS_MAX)
        return refuse(w, "%s of 0x%" PRIx64 " bytes, more than 4 GB", dh_op_names[e->op], e->size);
    return NULL;
}

/* ---- Atomics ---- */

static bool order_fits(unsigned op, unsigned order) {
    bool acquires = order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE;
    bool releases = order == __ATOMIC_RELEASE;
    bool both = order == __ATOMIC_ACQ_REL;
    switch (op) {
    case DH_OP_LOAD:
    case DH_OP_COMPARE: return !releases && !both;
    case DH_OP_STORE: return !acquires && !both;
    default: return true;
    }
}

static verdict check_order(struct dh_wellformed *w, struct dh_trace_event const *e) {
    unsigned order = e->order & ~DH_TRACE_CXX20;
    if (order > __ATOMIC_SEQ_CST)
        return refuse(w, "%s with order %u, which there is not", dh_op_names[e->op], e->order);
    if (!order_fits(e->op, order))
        return refuse(w, "%s cannot have the order %s", dh_op_names[e->op], dh_order_names[order]);
    if (e->op == DH_OP_FENCE) return NULL;
    if (e->size > 16 || (e->size & (e->size - 1)) != 0)
        return refuse(w, "%s of %" PRIu64 " bytes: atomics have 1, 2, 4, 8 or 16",
                      dh_op_names[e->op], e->size);
    if (e->address & (e->size - 1))
        return refuse(w, "%s of %" PRIu64 " bytes at 0x%" PRIx64 ", which is not aligned",
                      dh_op_names[e->op], e->size, e->address);
    return NULL;
}

/* ---- All ---- */

static verdict check_operands(struct dh_wellformed *w, struct dh_trace_event const *e) {
    if (e->op >= DH_OP_COUNT) return refuse(w, "operation %u, which there is not", e->op);
    bool ordered = dh_op_has(e->op, 'm'), sized = dh_op_has(e->op, 'a');
    bool kind = dh_op_has(e->op, 'k');
    bool addressed = sized || dh_op_has(e->op, 'o') || dh_op_has(e->op, 't');
    if ((!ordered && e->order) || (!sized && e->size) || (!kind && e->kind)
        || (!addressed && e->address))
        return refuse(w, "%s has an operand that it cannot have", dh_op_names[e->op]);
    if (kind && e->kind >= DH_KINDS)
        return refuse(w, "check of kind %u, which there is not", e->kind);
    verdict bad = NULL;
    if (sized) bad = check_bytes(w, e);
    if (!bad && ordered) bad = check_order(w, e);
    return bad;
}

char const *dh_wellformed_step(struct dh_wellformed *w, struct dh_trace_event const *e) {
    if (dh_wellformed_plain(w, e)) return NULL;
    switch (state_of(w, e->thread)) {
    case DH_THREAD_NEW: return refuse(w, "thread %" PRIu32 " never started", e->thread);
    case DH_THREAD_EXITED: return refuse(w, "thread %" PRIu32 " has exited", e->thread);
    case DH_THREAD_RUNS: break;
    }
    verdict bad = check_operands(w, e);
    if (bad) return bad;
    switch ((enum dh_op)e->op) {
    case DH_OP_ACQUIRE: return acquire(w, e->address, e->thread);
    case DH_OP_RELEASE: return release(w, e->address, e->thread);
    case DH_OP_RDACQUIRE: return rdacquire(w, e->address, e->thread);
    case DH_OP_RDRELEASE: return rdrelease(w, e->address, e->thread);
    case DH_OP_ARRIVE: return arrive(w, e->address, e->thread);
    case DH_OP_DEPART: return depart(w, e->address, e->thread);
    case DH_OP_FORK: return fork_thread(w, e->address);
    case DH_OP_JOIN: return join_thread(w, e->address);
    case DH_OP_EXIT: set_state(w, e->thread, DH_THREAD_EXITED); return NULL;
    default: return NULL;
    }
}

void dh_wellformed_begin(struct dh_wellformed *w) {
    *w = (struct dh_wellformed){.threads = 1};
    set_state(w, 0, DH_THREAD_RUNS);
}

void dh_wellformed_end(struct dh_wellformed *w) {
    free(w->thread);
    dh_table_free(&w->locks);
    dh_table_free(&w->readers);
    dh_table_free(&w->rounds);
    dh_table_free(&w->waiters);
}
