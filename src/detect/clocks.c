#include "detect/clocks.h"

#include "detect/events.h"
#include "util/diag.h"

#include <string.h>

/* ---- vector clocks ---- */

static void vc_room(struct dh_arena *memory, struct dh_vc *v, uint32_t size) {
    v->tick = dh_arena_grow(memory, v->tick, &v->size, size, sizeof *v->tick);
}

void dh_vc_set(struct dh_arena *memory, struct dh_vc *v, uint32_t slot, dh_tick tick) {
    vc_room(memory, v, slot + 1);
    v->tick[slot] = tick;
}

/* Room at the end of a clock that is not used is not handed on. */
static uint32_t length(struct dh_vc const *v) {
    uint32_t size = v->size;
    while (size > 0 && v->tick[size - 1] == 0)
        size--;
    return size;
}

void dh_vc_join(struct dh_arena *memory, struct dh_vc *into, struct dh_vc const *from) {
    uint32_t size = length(from);
    vc_room(memory, into, size);
    dh_ticks_join(into->tick, from->tick, size);
}

void dh_vc_copy(struct dh_arena *memory, struct dh_vc *into, struct dh_vc const *from) {
    uint32_t size = length(from);
    vc_room(memory, into, size);
    if (size) memcpy(into->tick, from->tick, size * sizeof *into->tick);
    if (into->size > size) memset(into->tick + size, 0, (into->size - size) * sizeof *into->tick);
}

void dh_vc_clear(struct dh_arena *memory, struct dh_vc *v) {
    dh_arena_return(memory, v->tick, v->size * sizeof *v->tick);
    *v = (struct dh_vc){0};
}

/* ---- threads ---- */

static void tick_began(struct dh_clocks *c, struct dh_clock_thread *t, dh_tick tick,
                       uint64_t index) {
    t->began =
        dh_arena_grow(c->memory, t->began, &t->began_room, (uint64_t)tick + 1, sizeof *t->began);
    t->began[tick] = index;
}

struct dh_clock_thread *dh_clocks_thread_new(struct dh_clocks *c, uint32_t thread) {
    c->threads = dh_arena_grow(c->memory, c->threads, &c->thread_room, (uint64_t)thread + 1,
                               sizeof *c->threads);
    struct dh_clock_thread *t = dh_arena_alloc(c->memory, sizeof *t);
    c->threads[thread] = t;
    dh_vc_set(c->memory, &t->clock, thread, 1);
    tick_began(c, t, 1, 0);
    return t;
}

/* inc_t(C_t): what comes after event `index` is not part of what was released. */
static void increment(struct dh_clocks *c, uint32_t thread, uint64_t index) {
    struct dh_clock_thread *t = dh_clocks_thread(c, thread);
    dh_tick now = t->clock.tick[thread];
    if (now == UINT32_MAX) dh_fail("thread %u releases too often to be counted", thread);
    t->clock.tick[thread] = now + 1;
    tick_began(c, t, now + 1, index + 1);
}

void dh_clocks_events(struct dh_clocks const *c, struct dh_epoch epoch, uint64_t now,
                      uint64_t *first, uint64_t *last) {
    struct dh_clock_thread const *t = c->threads[epoch.slot];
    *first = t->began[epoch.tick];
    *last = epoch.tick < t->clock.tick[epoch.slot] ? t->began[epoch.tick + 1] - 1 : now;
}

/* ---- objects ---- */

/* L_m, for those who hold it alone and for those who share it. */
struct lock {
    struct dh_vc writers, readers;
};

static void *object(struct dh_clocks *c, struct dh_map *table, uint64_t key, size_t size) {
    uint64_t *at = dh_map_at(table, c->memory, key);
    if (*at == 0) *at = (uintptr_t)dh_arena_alloc(c->memory, size);
    return (void *)(uintptr_t)*at;
}
static struct lock *lock_at(struct dh_clocks *c, uint64_t key) {
    return object(c, &c->locks, key, sizeof(struct lock));
}
static struct dh_vc *vc_at(struct dh_clocks *c, struct dh_map *table, uint64_t key) {
    return object(c, table, key, sizeof(struct dh_vc));
}

/* ---- release sequences ---- */

/* What a load of a cell's bytes synchronises with. For each byte and thread there is at most one
 * head, which has the clocks of all heads of that thread whose sequence is still going on. */
struct head {
    uint32_t thread;
    uint8_t bytes;
    struct dh_vc clock;
};
struct heads {
    uint32_t count, room;
    struct head *list;
};

static void heads_add(struct dh_clocks *c, struct heads *heads, struct head head) {
    heads->list = dh_arena_grow(c->memory, heads->list, &heads->room, (uint64_t)heads->count + 1,
                                sizeof *heads->list);
    heads->list[heads->count++] = head;
}

static void heads_drop(void *owner, uint64_t value) {
    struct dh_clocks *c = owner;
    struct heads *heads = (struct heads *)(uintptr_t)value;
    for (uint32_t i = 0; i < heads->count; i++)
        dh_vc_clear(c->memory, &heads->list[i].clock);
    dh_arena_return(c->memory, heads->list, heads->room * sizeof *heads->list);
    dh_arena_return(c->memory, heads, sizeof *heads);
}

/* A store ends the sequences of its bytes: all, or those of other threads. */
static void heads_end(struct dh_clocks *c, struct heads *heads, unsigned bytes, bool but,
                      uint32_t thread) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heads->count; i++) {
        struct head h = heads->list[i];
        if (!but || h.thread != thread) h.bytes &= (uint8_t)~bytes;
        if (h.bytes == 0)
            dh_vc_clear(c->memory, &h.clock);
        else
            heads->list[kept++] = h;
    }
    heads->count = kept;
}

/* A thread's later release says more than its earlier ones, but an old fence may say less. */
static void heads_publish(struct dh_clocks *c, struct heads *heads, unsigned bytes, uint32_t thread,
                          struct dh_vc const *clock) {
    uint32_t count = heads->count;
    for (uint32_t i = 0; i < count && bytes != 0; i++) {
        struct head *h = &heads->list[i];
        unsigned both = h->bytes & bytes;
        if (h->thread != thread || both == 0) continue;
        bytes &= ~both;
        if (both != h->bytes) {
            struct head rest = {thread, (uint8_t)(h->bytes & ~both), {0}};
            dh_vc_copy(c->memory, &rest.clock, &h->clock);
            h->bytes = (uint8_t)both;
            heads_add(c, heads, rest);
            h = &heads->list[i];
        }
        dh_vc_join(c->memory, &h->clock, clock);
    }
    if (bytes == 0) return;
    struct head new = {thread, (uint8_t)bytes, {0}};
    dh_vc_copy(c->memory, &new.clock, clock);
    heads_add(c, heads, new);
}

/* Atomics are at most 16 bytes long: at most three cells. */
static unsigned cell_bytes(struct dh_trace_event const *e, uint64_t cell) {
    uint64_t last = dh_event_last_byte(e);
    unsigned mask = 0xff;
    if (cell < e->address) mask = mask << (e->address - cell) & 0xff;
    if (last < cell + 7) mask &= 0xffu >> (cell + 7 - last);
    return mask;
}
static void load(struct dh_clocks *c, struct dh_trace_event const *e) {
    struct dh_clock_thread *t = dh_clocks_thread(c, e->thread);
    struct dh_vc *into = dh_order_acquires(dh_event_order(e)) ? &t->clock : &t->seen;
    uint64_t end = dh_event_last_byte(e) / 8;
    for (uint64_t cell = e->address / 8; cell <= end; cell++) {
        struct heads *heads = (struct heads *)(uintptr_t)dh_space_look(&c->sequences, cell * 8);
        if (!heads) continue;
        for (uint32_t i = 0; i < heads->count; i++)
            if (heads->list[i].bytes & cell_bytes(e, cell * 8))
                dh_vc_join(c->memory, into, &heads->list[i].clock);
    }
}

static void store(struct dh_clocks *c, struct dh_trace_event const *e) {
    struct dh_clock_thread *t = dh_clocks_thread(c, e->thread);
    struct dh_vc const *clock = dh_order_releases(dh_event_order(e)) ? &t->clock
                                : t->fenced.size                     ? &t->fenced
                                                                     : NULL;
    uint64_t end = dh_event_last_byte(e) / 8;
    for (uint64_t cell = e->address / 8; cell <= end; cell++) {
        unsigned bytes = cell_bytes(e, cell * 8);
        uint64_t *at = dh_space_cell(&c->sequences, cell * 8);
        if (*at == 0) *at = (uintptr_t)dh_arena_alloc(c->memory, sizeof(struct heads));
        struct heads *heads = (struct heads *)(uintptr_t)*at;
        if (e->op == DH_OP_STORE)
            heads_end(c, heads, bytes, !(e->order & DH_TRACE_CXX20), e->thread);
        if (clock) heads_publish(c, heads, bytes, e->thread, clock);
    }
}

static uint64_t sequence_end(void *to, uint64_t value, uint64_t address, uint64_t span,
                             unsigned mask) {
    if (value) heads_end(to, (struct heads *)(uintptr_t)value, mask, false, 0);
    return value;
}

/* ---- the rules ---- */

void dh_clocks_init(struct dh_clocks *c, struct dh_arena *memory, enum dh_join_rule rule) {
    c->memory = memory;
    c->rule = rule;
    c->sequences.memory = memory;
    c->sequences.owner = c;
    c->sequences.drop = heads_drop;
}

static void join(struct dh_clocks *c, uint32_t thread, struct dh_vc const *clock) {
    dh_vc_join(c->memory, &dh_clocks_thread(c, thread)->clock, clock);
}

void dh_clocks_acquire(struct dh_clocks *c, struct dh_trace_event const *e) {
    struct dh_clock_thread *t = dh_clocks_thread(c, e->thread);
    switch (e->op) {
    case DH_OP_ACQUIRE:
        join(c, e->thread, &lock_at(c, e->address)->writers);
        join(c, e->thread, &lock_at(c, e->address)->readers);
        break;
    case DH_OP_RDACQUIRE: join(c, e->thread, &lock_at(c, e->address)->writers); break;
    case DH_OP_WAIT: join(c, e->thread, vc_at(c, &c->signals, e->address)); break;
    case DH_OP_DEPART: join(c, e->thread, vc_at(c, &c->barriers, e->address)); break;
    case DH_OP_JOIN: join(c, e->thread, &dh_clocks_thread(c, (uint32_t)e->address)->clock); break;
    case DH_OP_LOAD:
    case DH_OP_RMW:
    case DH_OP_COMPARE: load(c, e); break;
    case DH_OP_FENCE:
        if (dh_event_acquires(e)) dh_vc_join(c->memory, &t->clock, &t->seen);
        break;
    default: break;
    }
}

void dh_clocks_release(struct dh_clocks *c, struct dh_trace_event const *e, uint64_t index) {
    struct dh_clock_thread *t = dh_clocks_thread(c, e->thread);
    switch (e->op) {
    case DH_OP_RELEASE: /* its holder acquired what was there */
        dh_vc_copy(c->memory, &lock_at(c, e->address)->writers, &t->clock);
        break;
    case DH_OP_RDRELEASE: dh_vc_join(c->memory, &lock_at(c, e->address)->readers, &t->clock); break;
    case DH_OP_SIGNAL: dh_vc_join(c->memory, vc_at(c, &c->signals, e->address), &t->clock); break;
    case DH_OP_ARRIVE: dh_vc_join(c->memory, vc_at(c, &c->barriers, e->address), &t->clock); break;
    case DH_OP_FORK: join(c, (uint32_t)e->address, &t->clock); break;
    case DH_OP_JOIN:
        if (c->rule == DH_JOIN_TICKS) increment(c, (uint32_t)e->address, index);
        return;
    case DH_OP_EXIT: t->exited = true; return;
    case DH_OP_STORE:
    case DH_OP_RMW: store(c, e); break;
    case DH_OP_FENCE:
        if (dh_event_releases(e)) dh_vc_copy(c->memory, &t->fenced, &t->clock);
        break;
    case DH_OP_ALLOC:
    case DH_OP_FREE: /* no release sequence is left of the block's bytes */
        dh_space_revise(&c->sequences, e->address, dh_event_last_byte(e), sequence_end, c);
        return;
    default: return;
    }
    if (dh_event_releases(e)) increment(c, e->thread, index);
}
