/* One event of an execution, as the trace files, the detectors, the model interpreter and the
 * recorder all see it. A trace is a sequence of these in an order that a real execution had.
 *
 * What synchronises with what is said once, here; docs/traces.md has the grammar of the text form.
 *
 *   acquire/release      an exclusive lock: taken only when free, released only by its holder
 *   rdacquire/rdrelease  the shared side of such a lock: by several threads at once, with no writer
 *   signal/wait          anything else that orders: wait is ordered after every signal so far
 *                        (semaphores, condition variables, once, annotations)
 *   arrive/depart        one round of a barrier: every depart is after every arrive of the round; a
 *                        round has an object of its own, and nobody arrives after the first depart
 *   fork/join/exit       thread `object`; it acts after its fork, exits once, acts no more, and may
 *                        then be joined, by several threads
 *   load/store/rmw/      C11 atomics with their order, in modification order: a load reads the last
 *   compare/fence        store to its bytes in the trace. A compare is an exchange that failed: a
 *                        load of that order
 *   alloc/free           a block's history begins and ends: both are writes of all its bytes, and
 *                        alloc forgets what was there before
 *   check                the detector looked at these bytes as if for an access of that kind
 *   race                 the running detector reported these bytes at this point
 */
#ifndef DEADHEAT_TRACE_EVENT_H
#define DEADHEAT_TRACE_EVENT_H

#include "core/entries.h"

#include <stdint.h>

/* X(NAME, text, operands): operands are a set of letters: a address and size, o object, t thread,
 * m memory order, k kind of access. */
#define DH_OPS(X)                \
    X(READ, read, "a")           \
    X(WRITE, write, "a")         \
    X(LOAD, load, "am")          \
    X(STORE, store, "am")        \
    X(RMW, rmw, "am")            \
    X(COMPARE, compare, "am")    \
    X(FENCE, fence, "m")         \
    X(ACQUIRE, acquire, "o")     \
    X(RELEASE, release, "o")     \
    X(RDACQUIRE, rdacquire, "o") \
    X(RDRELEASE, rdrelease, "o") \
    X(SIGNAL, signal, "o")       \
    X(WAIT, wait, "o")           \
    X(ARRIVE, arrive, "o")       \
    X(DEPART, depart, "o")       \
    X(FORK, fork, "t")           \
    X(JOIN, join, "t")           \
    X(EXIT, exit, "")            \
    X(ALLOC, alloc, "a")         \
    X(FREE, free, "a")           \
    X(CHECK, check, "ka")        \
    X(RACE, race, "a")

#define DH_OP_ENUMERATOR(name, text, operands) DH_OP_##name,
enum dh_op { DH_OPS(DH_OP_ENUMERATOR) DH_OP_COUNT };

/* Memory orders are numbers of the C ABI: __ATOMIC_RELAXED .. __ATOMIC_SEQ_CST. With this bit a
 * later store by the same thread ends a release sequence (C++20); in C it continues it. */
#define DH_TRACE_CXX20 0x10u

struct dh_trace_event {
    uint8_t op;       /* enum dh_op */
    uint8_t order;    /* of atomics and fences, perhaps with DH_TRACE_CXX20 */
    uint8_t kind;     /* of a check: enum dh_kind */
    uint32_t thread;  /* who acts; 0 is the first, a fork numbers another, about in order */
    uint32_t site;    /* where in the program, a number that the trace may explain; 0: unknown */
    uint64_t address; /* of accesses and blocks; the object; the other thread; else 0 */
    uint64_t size;    /* bytes, for operands "a"; never 0 there */
};

#endif
