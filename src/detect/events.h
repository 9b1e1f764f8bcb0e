/* What an event is to a detector: an access of a kind, an acquire, a release. Pure functions of the
 * event, said once for all that judge.
 */
#ifndef DEADHEAT_DETECT_EVENTS_H
#define DEADHEAT_DETECT_EVENTS_H

#include "trace/event.h"

#include <stdbool.h>

static inline unsigned dh_event_order(struct dh_trace_event const *e) {
    return e->order & ~DH_TRACE_CXX20;
}

static inline bool dh_order_acquires(unsigned order) {
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL
           || order == __ATOMIC_SEQ_CST;
}
static inline bool dh_order_releases(unsigned order) {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

/* LOAD, STORE, RMW and COMPARE are neighbours in the list of operations. */
static inline bool dh_event_atomic(struct dh_trace_event const *e) {
    return e->op >= DH_OP_LOAD && e->op <= DH_OP_COMPARE;
}
static inline bool dh_event_loads(struct dh_trace_event const *e) {
    return dh_event_atomic(e) && e->op != DH_OP_STORE;
}
static inline bool dh_event_stores(struct dh_trace_event const *e) {
    return e->op == DH_OP_STORE || e->op == DH_OP_RMW;
}
/* The beginning and the end of a block: writes, and nothing of its release sequences is left. */
static inline bool dh_event_block(struct dh_trace_event const *e) {
    return e->op == DH_OP_ALLOC || e->op == DH_OP_FREE;
}

/* The kind of an access; DH_KINDS for events that are none. */
static inline enum dh_kind dh_event_kind(struct dh_trace_event const *e) {
    switch (e->op) {
    case DH_OP_READ: return DH_READ;
    case DH_OP_WRITE:
    case DH_OP_ALLOC:
    case DH_OP_FREE: return DH_WRITE;
    case DH_OP_LOAD:
    case DH_OP_COMPARE: return DH_ATOMIC_READ;
    case DH_OP_STORE:
    case DH_OP_RMW: return DH_ATOMIC_WRITE;
    default: return DH_KINDS;
    }
}

/* Whether something that others did may be ordered before what comes after this event. */
static inline bool dh_event_acquires(struct dh_trace_event const *e) {
    switch (e->op) {
    case DH_OP_ACQUIRE:
    case DH_OP_RDACQUIRE:
    case DH_OP_WAIT:
    case DH_OP_DEPART:
    case DH_OP_JOIN: return true;
    case DH_OP_LOAD:
    case DH_OP_RMW:
    case DH_OP_COMPARE:
    case DH_OP_FENCE: return dh_order_acquires(dh_event_order(e));
    default: return false;
    }
}

/* Whether what came before this event may be ordered before something that others do. */
static inline bool dh_event_releases(struct dh_trace_event const *e) {
    switch (e->op) {
    case DH_OP_RELEASE:
    case DH_OP_RDRELEASE:
    case DH_OP_SIGNAL:
    case DH_OP_ARRIVE:
    case DH_OP_FORK:
    case DH_OP_EXIT: return true;
    case DH_OP_STORE:
    case DH_OP_RMW:
    case DH_OP_FENCE: return dh_order_releases(dh_event_order(e));
    default: return false;
    }
}

static inline uint64_t dh_event_last_byte(struct dh_trace_event const *e) {
    return e->address + (e->size - 1);
}

#endif
