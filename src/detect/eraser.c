/* Eraser: each location is to be protected by a lock that is held at every access. Here for
 * contrast: it is not precise. It knows nothing of what orders without locks, and so reports races
 * that are none; and it forgives the first thread all that it did before a second one came, and so
 * misses some.
 *
 *   virgin             not accessed yet
 *   exclusive          by one thread only so far, with or without locks
 *   shared             read by several threads: the lockset shrinks, an empty one is no matter
 *   shared, modified   also written since: an empty lockset is reported
 *
 * A lock held for reading counts for reads only. Atomic operations hold a lock of their own, the
 * same for all; alloc and free are writes, and what is allocated is virgin.
 */
#include "detect/events.h"
#include "detect/found.h"
#include "detect/parts.h"
#include "detect/map.h"

enum phase { VIRGIN, EXCLUSIVE, SHARED, SHARED_MODIFIED };

/* Never changed once made. */
struct lockset {
    uint32_t count;
    uint64_t locks[];
};

struct state {
    struct dh_part part;
    enum phase phase;
    uint32_t thread; /* of the last access, as what follows */
    uint8_t kind;
    bool reported;
    uint64_t event;
    struct lockset const *locks; /* once it is shared */
};

struct held {
    uint64_t lock;
    bool reader;
};
struct thread {
    struct held *held;
    uint32_t count, room;
};

struct eraser {
    struct dh_arena *memory;
    struct dh_parts parts;
    struct dh_map threads;
    struct dh_outlet out;
};

struct access {
    struct eraser *eraser;
    struct thread *holder;
    uint64_t index;
    uint32_t thread;
    enum dh_kind kind;
};

#define ATOMIC_LOCK UINT64_MAX

static void *create(struct dh_arena *memory, dh_found *found, void *to) {
    struct eraser *e = dh_arena_alloc(memory, sizeof *e);
    e->memory = memory;
    dh_parts_init(&e->parts, memory, sizeof(struct state), NULL, NULL);
    e->out.found = found;
    e->out.to = to;
    return e;
}

static struct thread *thread_of(struct eraser *e, uint32_t number) {
    uint64_t *at = dh_map_at(&e->threads, e->memory, number);
    if (*at == 0) *at = (uintptr_t)dh_arena_alloc(e->memory, sizeof(struct thread));
    return (struct thread *)(uintptr_t)*at;
}

static bool is_write(enum dh_kind kind) { return kind == DH_WRITE || kind == DH_ATOMIC_WRITE; }

static bool holds(struct access const *a, uint64_t lock) {
    if (lock == ATOMIC_LOCK) return a->kind == DH_ATOMIC_READ || a->kind == DH_ATOMIC_WRITE;
    for (uint32_t i = 0; i < a->holder->count; i++)
        if (a->holder->held[i].lock == lock && !(a->holder->held[i].reader && is_write(a->kind)))
            return true;
    return false;
}

static struct lockset *lockset_new(struct access const *a, uint32_t room) {
    return dh_arena_alloc(a->eraser->memory, sizeof(struct lockset) + room * sizeof(uint64_t));
}

static struct lockset const *all_held(struct access const *a) {
    struct lockset *set = lockset_new(a, a->holder->count + 1);
    for (uint32_t i = 0; i < a->holder->count; i++)
        if (holds(a, a->holder->held[i].lock)) set->locks[set->count++] = a->holder->held[i].lock;
    if (holds(a, ATOMIC_LOCK)) set->locks[set->count++] = ATOMIC_LOCK;
    return set;
}

/* C(v) := C(v) intersected with what is held. */
static struct lockset const *refine(struct access const *a, struct lockset const *old) {
    uint32_t both = 0;
    for (uint32_t i = 0; i < old->count; i++)
        both += holds(a, old->locks[i]);
    if (both == old->count) return old;
    struct lockset *set = lockset_new(a, both);
    for (uint32_t i = 0; i < old->count; i++)
        if (holds(a, old->locks[i])) set->locks[set->count++] = old->locks[i];
    return set;
}

static void report(struct access const *a, struct state const *v, uint64_t address, uint64_t span) {
    struct dh_finding f = {
        .event = a->index,
        .address = address,
        .other_thread = v->thread,
        .other_kind = v->kind,
        .first = v->event,
        .last = v->event,
    };
    dh_outlet_cell(&a->eraser->out, f, span, v->part.bytes);
}

static void visit(void *to, struct dh_part *part, uint64_t address, uint64_t span) {
    struct access const *a = to;
    struct state *v = (struct state *)part;
    bool write = is_write(a->kind);
    switch (v->phase) {
    case VIRGIN: v->phase = EXCLUSIVE; break;
    case EXCLUSIVE:
        if (a->thread == v->thread) break;
        v->phase = write ? SHARED_MODIFIED : SHARED;
        v->locks = all_held(a);
        break;
    case SHARED:
    case SHARED_MODIFIED:
        if (write) v->phase = SHARED_MODIFIED;
        v->locks = refine(a, v->locks);
        break;
    }
    if (v->phase == SHARED_MODIFIED && v->locks->count == 0 && !v->reported) {
        report(a, v, address, span);
        v->reported = true;
    }
    v->thread = a->thread;
    v->kind = (uint8_t)a->kind;
    v->event = a->index;
}

static void lock(struct eraser *e, struct dh_trace_event const *event) {
    struct thread *t = thread_of(e, event->thread);
    t->held = dh_arena_grow(e->memory, t->held, &t->room, (uint64_t)t->count + 1, sizeof *t->held);
    t->held[t->count++] = (struct held){event->address, event->op == DH_OP_RDACQUIRE};
}

static void unlock(struct eraser *e, struct dh_trace_event const *event) {
    struct thread *t = thread_of(e, event->thread);
    for (uint32_t i = 0; i < t->count; i++)
        if (t->held[i].lock == event->address) {
            t->held[i] = t->held[--t->count];
            return;
        }
}

static void step(void *state, uint64_t index, struct dh_trace_event const *event) {
    struct eraser *e = state;
    struct access a = {
        .eraser = e,
        .holder = thread_of(e, event->thread),
        .index = index,
        .thread = event->thread,
        .kind = dh_event_kind(event),
    };
    if (event->op == DH_OP_ACQUIRE || event->op == DH_OP_RDACQUIRE) lock(e, event);
    if (event->op == DH_OP_RELEASE || event->op == DH_OP_RDRELEASE) unlock(e, event);
    if (a.kind == DH_KINDS) return;
    uint64_t last = dh_event_last_byte(event);
    if (event->op == DH_OP_ALLOC) dh_parts_forget(&e->parts, event->address, last);
    dh_parts_visit(&e->parts, event->address, last, visit, &a);
    dh_outlet_flush(&e->out);
}

struct dh_detector const dh_eraser = {
    .name = "eraser",
    .about = "locksets, for contrast: not precise, with false and with missed races",
    .precise = false,
    .every_event = false,
    .create = create,
    .step = step,
};
