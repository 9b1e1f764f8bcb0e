/* Data races by definition: the happens-before relation is built event by event from its edges, as
 * docs/happens-before.md lists them, and every access is compared with all earlier ones.
 *
 * before[i] is the set of events that happen before event i, a bit an event: the union of what
 * happens before each of its direct predecessors, and these. There are no clocks, no epochs,
 * nothing is summarised, and nothing is shared with the detectors that do so. The price is a square
 * of the length, in time and memory.
 *
 * What is after what within one event: an atomic operation is after what it acquires and before
 * what it releases, so both are edges of the event itself.
 */
#include "detect/detector.h"
#include "detect/events.h"
#include "util/diag.h"

/* An access as far as its bytes were not allocated again since. */
struct piece {
    uint32_t event;
    uint64_t first, last;
};

/* What a relaxed load has seen: an acquire fence of its thread is after `source`. */
struct glimpse {
    uint32_t thread, source;
};

struct definition {
    struct dh_arena *memory;
    dh_found *found;
    void *to;
    struct dh_trace_event *events;
    uint64_t *index;
    uint64_t **before;
    uint32_t count, events_room, index_room, before_room;
    struct piece *pieces;
    uint32_t piece_count, piece_room;
    struct glimpse *glimpses;
    uint32_t glimpse_count, glimpse_room;
};

/* Half a gigabyte of sets. */
enum { MOST_EVENTS = 65536, NONE = UINT32_MAX };

static bool happens_before(struct definition const *d, uint32_t a, uint32_t b) {
    return d->before[b][a / 64] >> (a % 64) & 1;
}

/* An edge from a to b, and with it all that comes before a. */
static void edge(struct definition *d, uint32_t a, uint32_t b) {
    if (a == NONE || happens_before(d, a, b)) return;
    for (uint32_t w = 0; w < (a + 63) / 64; w++)
        d->before[b][w] |= d->before[a][w];
    d->before[b][a / 64] |= 1ull << (a % 64);
}

/* The thread's last event before `to`, or else the fork that made it. */
static uint32_t last_of(struct definition const *d, uint32_t thread, uint32_t to) {
    for (uint32_t i = to; i-- > 0;)
        if (d->events[i].thread == thread
            || (d->events[i].op == DH_OP_FORK && d->events[i].address == thread))
            return i;
    return NONE;
}

/* Edges from all earlier events with this operation on the object. */
static void edges_from(struct definition *d, uint32_t to, enum dh_op op) {
    for (uint32_t i = to; i-- > 0;)
        if (d->events[i].op == op && d->events[i].address == d->events[to].address) edge(d, i, to);
}

static bool touches(struct dh_trace_event const *e, uint64_t byte) {
    return byte - e->address < e->size;
}

static uint32_t release_fence_before(struct definition const *d, uint32_t store) {
    for (uint32_t i = store; i-- > 0;)
        if (d->events[i].op == DH_OP_FENCE && d->events[i].thread == d->events[store].thread
            && dh_order_releases(dh_event_order(&d->events[i])))
            return i;
    return NONE;
}

/* What the load synchronises with, or would if it acquired: `load` reads the last store to the
 * byte. C11 5.1.2.4: a release sequence is its head and then, without a gap in modification order,
 * stores of the head's thread (not so in C++20) and read-modify-writes by anybody. A store is a
 * head if it releases, or comes after a release fence of its thread: then the fence is what is
 * synchronised with. */
static void for_sources(struct definition *d, uint32_t load, uint64_t byte,
                        void (*source)(struct definition *, uint32_t load, uint32_t from)) {
    bool any = true; /* a head may be of any thread; else of `only` */
    uint32_t only = 0;
    for (uint32_t i = load; i-- > 0;) {
        struct dh_trace_event const *e = &d->events[i];
        if (dh_event_block(e) && touches(e, byte)) return;
        if (!dh_event_stores(e) || !touches(e, byte)) continue;
        if (any || e->thread == only) {
            if (dh_order_releases(dh_event_order(e)))
                source(d, load, i);
            else
                source(d, load, release_fence_before(d, i));
        }
        if (e->op == DH_OP_RMW) continue;
        if (e->order & DH_TRACE_CXX20 || (!any && e->thread != only)) return;
        any = false;
        only = e->thread;
    }
}

static void source_of_acquire(struct definition *d, uint32_t load, uint32_t from) {
    edge(d, from, load);
}

static void source_of_relaxed(struct definition *d, uint32_t load, uint32_t from) {
    if (from == NONE) return;
    d->glimpses = dh_arena_grow(d->memory, d->glimpses, &d->glimpse_room,
                                (uint64_t)d->glimpse_count + 1, sizeof *d->glimpses);
    d->glimpses[d->glimpse_count++] = (struct glimpse){d->events[load].thread, from};
}

static void load_edges(struct definition *d, uint32_t i) {
    struct dh_trace_event const *e = &d->events[i];
    for (uint64_t b = 0; b < e->size; b++)
        for_sources(d, i, e->address + b,
                    dh_order_acquires(dh_event_order(e)) ? source_of_acquire : source_of_relaxed);
}

static void edges(struct definition *d, uint32_t i) {
    struct dh_trace_event const *e = &d->events[i];
    edge(d, last_of(d, e->thread, i), i);
    switch (e->op) {
    case DH_OP_ACQUIRE:
        edges_from(d, i, DH_OP_RELEASE);
        edges_from(d, i, DH_OP_RDRELEASE);
        break;
    case DH_OP_RDACQUIRE: edges_from(d, i, DH_OP_RELEASE); break;
    case DH_OP_WAIT: edges_from(d, i, DH_OP_SIGNAL); break;
    case DH_OP_DEPART: edges_from(d, i, DH_OP_ARRIVE); break;
    case DH_OP_JOIN: edge(d, last_of(d, (uint32_t)e->address, i), i); break;
    case DH_OP_LOAD:
    case DH_OP_RMW:
    case DH_OP_COMPARE: load_edges(d, i); break;
    case DH_OP_FENCE:
        if (!dh_order_acquires(dh_event_order(e))) break;
        for (uint32_t g = 0; g < d->glimpse_count; g++)
            if (d->glimpses[g].thread == e->thread) edge(d, d->glimpses[g].source, i);
        break;
    default: break;
    }
}

static void piece_add(struct definition *d, struct piece p) {
    d->pieces = dh_arena_grow(d->memory, d->pieces, &d->piece_room, (uint64_t)d->piece_count + 1,
                              sizeof *d->pieces);
    d->pieces[d->piece_count++] = p;
}

/* The bytes are new: no earlier access was to them. */
static void forget(struct definition *d, uint64_t first, uint64_t last) {
    uint32_t count = d->piece_count, kept = 0;
    struct piece *tails = NULL;
    uint32_t tail_count = 0, tail_room = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct piece p = d->pieces[i];
        if (p.last < first || p.first > last) {
            d->pieces[kept++] = p;
            continue;
        }
        if (p.last > last) {
            tails = dh_arena_grow(d->memory, tails, &tail_room, (uint64_t)tail_count + 1,
                                  sizeof *tails);
            tails[tail_count++] = (struct piece){p.event, last + 1, p.last};
        }
        if (p.first < first) d->pieces[kept++] = (struct piece){p.event, p.first, first - 1};
    }
    d->piece_count = kept;
    for (uint32_t i = 0; i < tail_count; i++)
        piece_add(d, tails[i]);
    dh_arena_return(d->memory, tails, tail_room * sizeof *tails);
}

static void access(struct definition *d, uint32_t i) {
    struct dh_trace_event const *e = &d->events[i];
    uint64_t first = e->address, last = dh_event_last_byte(e);
    unsigned conflicts = dh_conflicts(dh_event_kind(e));
    if (e->op == DH_OP_ALLOC) forget(d, first, last);
    for (uint32_t p = 0; p < d->piece_count; p++) {
        struct piece const *old = &d->pieces[p];
        struct dh_trace_event const *other = &d->events[old->event];
        enum dh_kind kind = dh_event_kind(other);
        if (old->last < first || old->first > last || !(conflicts >> kind & 1)
            || happens_before(d, old->event, i))
            continue;
        uint64_t from = old->first > first ? old->first : first,
                 to = old->last < last ? old->last : last;
        struct dh_finding f = {
            .event = d->index[i],
            .address = from,
            .size = to - from + 1,
            .other_thread = other->thread,
            .other_kind = (uint8_t)kind,
            .first = d->index[old->event],
            .last = d->index[old->event],
        };
        d->found(d->to, &f);
    }
    piece_add(d, (struct piece){i, first, last});
}

static void *create(struct dh_arena *memory, dh_found *found, void *to) {
    struct definition *d = dh_arena_alloc(memory, sizeof *d);
    d->memory = memory;
    d->found = found;
    d->to = to;
    return d;
}

static void step(void *state, uint64_t index, struct dh_trace_event const *event) {
    struct definition *d = state;
    uint32_t i = d->count;
    if (event->op == DH_OP_CHECK || event->op == DH_OP_RACE) return;
    if (i == MOST_EVENTS)
        dh_fail("the definition compares all pairs of events: more than %d are too many for it",
                MOST_EVENTS);
    uint64_t wanted = (uint64_t)i + 1;
    d->events = dh_arena_grow(d->memory, d->events, &d->events_room, wanted, sizeof *d->events);
    d->index = dh_arena_grow(d->memory, d->index, &d->index_room, wanted, sizeof *d->index);
    d->before = dh_arena_grow(d->memory, d->before, &d->before_room, wanted, sizeof *d->before);
    d->events[i] = *event;
    d->index[i] = index;
    d->before[i] = dh_arena_alloc(d->memory, (i / 64 + 1) * sizeof **d->before);
    d->count++;
    edges(d, i);
    if (dh_event_kind(event) != DH_KINDS) access(d, i);
}

struct dh_detector const dh_definition = {
    .name = "definition",
    .about = "happens-before built from its edges, all pairs of accesses compared",
    .precise = true,
    .every_event = true,
    .create = create,
    .step = step,
};
