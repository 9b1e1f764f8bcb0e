#include "mutants.h"

#include "detect/events.h"

/* Each is a good detector that is shown another trace than there is. X(name, base, what is wrong,
 * statement): the statement may change the event *e, or return to hide it. */
#define LOSE(op_) \
    if (e->op == op_) return;
#define ACQUIRE_ONLY                                                   \
    if (e->op == DH_OP_FENCE && dh_event_order(e) == __ATOMIC_SEQ_CST) \
        e->order = (uint8_t)(__ATOMIC_ACQUIRE | (e->order & DH_TRACE_CXX20));
#define MUTANTS(X)                                                                           \
    X(join, fasttrack, "no edge from a thread's end to its join", LOSE(DH_OP_JOIN))          \
    X(fork, djit, "no edge from a fork to the thread's start",                               \
      if (e->op == DH_OP_FORK && e->address > 1) return;)                                    \
    X(readers, fasttrack, "no edge from a reader's unlock to a writer's lock",               \
      LOSE(DH_OP_RDRELEASE))                                                                 \
    X(sharing, vectorclock, "readers of a lock are ordered among themselves",                \
      if (e->op == DH_OP_RDACQUIRE) e->op = DH_OP_ACQUIRE;)                                  \
    X(signals, multijoin, "no edge from a signal to a wait", LOSE(DH_OP_SIGNAL))             \
    X(barrier, fasttrack, "a barrier's round orders nothing", LOSE(DH_OP_DEPART))            \
    X(sequence, fasttrack, "a relaxed store does not end a release sequence",                \
      if (e->op == DH_OP_STORE && dh_event_order(e) == __ATOMIC_RELAXED) e->op = DH_OP_RMW;) \
    X(language, vectorclock, "release sequences of C++20 taken for those of C",              \
      e->order &= (uint8_t)~DH_TRACE_CXX20;)                                                 \
    X(fence, fasttrack, "an acquire fence orders nothing",                                   \
      if (e->op == DH_OP_FENCE && dh_event_order(e) == __ATOMIC_ACQUIRE) return;)            \
    X(half, djit, "a sequentially consistent fence only acquires", ACQUIRE_ONLY)             \
    X(failed, fasttrack, "a failed compare-exchange taken for a store",                      \
      if (e->op == DH_OP_COMPARE) e->op = DH_OP_RMW;)                                        \
    X(stale, vectorclock, "an allocation goes unnoticed", LOSE(DH_OP_ALLOC))                 \
    X(freed, fasttrack, "free is no write", LOSE(DH_OP_FREE))                                \
    X(narrow, fasttrack, "the last byte of a wide access is not looked at",                  \
      if (e->op <= DH_OP_WRITE && e->size > 4) e->size--;)                                   \
    X(blind, djit, "a read is forgotten if its size is 2",                                   \
      if (e->op == DH_OP_READ && e->size == 2) return;)

#define STEP(name, base, what, statement)                                                      \
    static void step_##name(void *state, uint64_t index, struct dh_trace_event const *event) { \
        struct dh_trace_event copy = *event, *e = &copy;                                       \
        statement dh_##base.step(state, index, e);                                             \
    }                                                                                          \
    static void *create_##name(struct dh_arena *memory, dh_found *found, void *to) {           \
        return dh_##base.create(memory, found, to);                                            \
    }
MUTANTS(STEP)

#define ENTRY(name_, base, what, statement) \
    {                                       \
        .name = #name_,                     \
        .about = what,                      \
        .precise = true,                    \
        .create = create_##name_,           \
        .step = step_##name_,               \
    },
struct dh_detector const mutants[] = {MUTANTS(ENTRY)};
unsigned const mutant_count = sizeof mutants / sizeof *mutants;
