#include "detect/audit.h"

#include "detect/events.h"
#include "detect/space.h"

/* An access that waits for a check, or a check that waits for an access: since the thread's last
 * acquire, or it would not wait any more. */
struct waiting {
    uint32_t next; /* of the same cells: its number + 1 */
    uint8_t bytes; /* that still wait, of the cell; with more than one cell all or none */
    uint8_t kind;
    bool check;
    uint64_t address, span;
    uint64_t index, releases; /* of the thread, before it */
    struct dh_trace_event event;
};

/* What a thread did to the bytes of one cell (or many, alike) since its last release, by kind. */
struct span {
    uint64_t releases; /* how many there were; if there are more now, the masks are of the past */
    uint8_t checked[DH_KINDS], accessed[DH_KINDS];
    uint32_t waiting; /* first of a list: its number + 1 */
};

struct thread {
    struct dh_audit *audit;
    uint64_t releases;
    struct dh_space spans;
    struct waiting *waiting;
    uint32_t count, room;
};

struct dh_audit {
    struct dh_arena *memory;
    dh_flaw_found *found;
    void *to;
    struct thread **threads;
    uint32_t thread_room;
};

/* One event on its way through the cells. */
struct act {
    struct thread *thread;
    uint64_t index;
    struct dh_trace_event const *event;
    enum dh_kind kind;
    bool access, check;
};

struct dh_audit *dh_audit_create(struct dh_arena *memory, dh_flaw_found *found, void *to) {
    struct dh_audit *audit = dh_arena_alloc(memory, sizeof *audit);
    audit->memory = memory;
    audit->found = found;
    audit->to = to;
    return audit;
}

/* ---- those who wait ---- */

static struct waiting *waiting_at(struct thread *t, uint32_t number) {
    return number ? &t->waiting[number - 1] : NULL;
}

static void wait_add(struct thread *t, struct span *s, struct waiting w) {
    t->waiting = dh_arena_grow(t->audit->memory, t->waiting, &t->room, (uint64_t)t->count + 1,
                               sizeof *t->waiting);
    w.next = s->waiting;
    t->waiting[t->count] = w;
    s->waiting = ++t->count;
}

/* A span of many cells becomes 64 of fewer, each with its own who wait. */
static uint64_t span_copy(void *owner, uint64_t value, uint64_t address, uint64_t size) {
    struct thread *t = owner;
    struct span *old = (struct span *)(uintptr_t)value;
    struct span *s = dh_arena_alloc(t->audit->memory, sizeof *s);
    *s = *old;
    s->waiting = 0;
    bool last = address / size % DH_SPACE_FAN == DH_SPACE_FAN - 1;
    for (uint32_t n = old->waiting, next; n != 0; n = next) {
        struct waiting w = *waiting_at(t, n);
        next = w.next;
        w.address = address;
        w.span = size;
        if (w.bytes != 0) wait_add(t, s, w);
        if (last) waiting_at(t, n)->bytes = 0;
    }
    return (uintptr_t)s;
}

static struct thread *thread_of(struct dh_audit *audit, uint32_t number) {
    audit->threads = dh_arena_grow(audit->memory, audit->threads, &audit->thread_room,
                                   (uint64_t)number + 1, sizeof *audit->threads);
    if (!audit->threads[number]) {
        struct thread *t = dh_arena_alloc(audit->memory, sizeof *t);
        t->audit = audit;
        t->spans.memory = audit->memory;
        t->spans.owner = t;
        t->spans.copy = span_copy;
        audit->threads[number] = t;
    }
    return audit->threads[number];
}

static void tell(struct dh_audit *audit, struct waiting const *w, unsigned bytes,
                 enum dh_flaw_class class) {
    struct dh_flaw flaw = {.class = class, .event = w->index, .access = w->event};
    if (w->span > 8) {
        flaw.address = w->address;
        flaw.size = w->span;
        audit->found(audit->to, &flaw);
        return;
    }
    while (bytes != 0) {
        unsigned low = (unsigned)__builtin_ctz(bytes);
        unsigned count = (unsigned)__builtin_ctz(~(bytes >> low));
        flaw.address = w->address + low;
        flaw.size = count;
        audit->found(audit->to, &flaw);
        bytes &= ~(((1u << count) - 1) << low);
    }
}

static enum dh_flaw_class flaw_of(struct waiting const *w) {
    return w->check ? DH_ILLEGITIMATE : DH_UNCOVERED;
}

/* An acquire: who waits now waits in vain. */
static void acquire(struct thread *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        struct waiting const *w = &t->waiting[i];
        if (w->bytes != 0) tell(t->audit, w, w->bytes, flaw_of(w));
        struct span *s = (struct span *)(uintptr_t)dh_space_look(&t->spans, w->address);
        if (s) s->waiting = 0;
    }
    t->count = 0;
}

/* ---- accesses and checks ---- */

/* Whatever races with A races with K. */
static bool covers(enum dh_kind check, enum dh_kind access) { return dh_subsumes(check, access); }

/* Whatever races with K races with A. */
static bool legitimate(enum dh_kind check, enum dh_kind access) {
    return dh_subsumes(access, check);
}

/* Ends the waiting of those whom this act helps. */
static void help(struct act const *a, struct span *s, unsigned mask) {
    for (uint32_t n = s->waiting; n != 0;) {
        struct waiting *w = waiting_at(a->thread, n);
        if (w->check ? a->access && legitimate(w->kind, a->kind)
                     : a->check && covers(a->kind, w->kind))
            w->bytes &= (uint8_t)~mask;
        n = w->next;
    }
    while (s->waiting != 0 && waiting_at(a->thread, s->waiting)->bytes == 0)
        s->waiting = waiting_at(a->thread, s->waiting)->next;
}

/* The bytes that nothing helps so far begin to wait, unless others of the kind do since the same
 * release. */
static void wait(struct act const *a, struct span *s, uint64_t address, uint64_t span,
                 unsigned mask) {
    for (enum dh_kind k = 0; k < DH_KINDS; k++) {
        if (a->check && legitimate(a->kind, k)) mask &= ~(unsigned)s->accessed[k];
        if (a->access && covers(k, a->kind)) mask &= ~(unsigned)s->checked[k];
    }
    for (uint32_t n = s->waiting; n != 0; n = waiting_at(a->thread, n)->next) {
        struct waiting const *w = waiting_at(a->thread, n);
        if (w->check == a->check && w->kind == a->kind && w->releases == a->thread->releases)
            mask &= ~(unsigned)w->bytes;
    }
    if (mask == 0) return;
    wait_add(a->thread, s,
             (struct waiting){
                 .bytes = (uint8_t)mask,
                 .kind = (uint8_t)a->kind,
                 .check = a->check,
                 .address = address,
                 .span = span,
                 .index = a->index,
                 .releases = a->thread->releases,
                 .event = *a->event,
             });
}

static uint64_t visit(void *to, uint64_t value, uint64_t address, uint64_t span, unsigned mask) {
    struct act const *a = to;
    struct span *s = (struct span *)(uintptr_t)value;
    if (!s) s = dh_arena_alloc(a->thread->audit->memory, sizeof *s);
    if (s->releases != a->thread->releases)
        *s = (struct span){.releases = a->thread->releases, .waiting = s->waiting};
    help(a, s, mask);
    if (a->access != a->check) wait(a, s, address, span, mask);
    if (a->access) s->accessed[a->kind] |= (uint8_t)mask;
    if (a->check) s->checked[a->kind] |= (uint8_t)mask;
    return (uintptr_t)s;
}

/* ---- memory that is new ---- */

static uint64_t forget_span(void *to, uint64_t value, uint64_t address, uint64_t span,
                            unsigned mask) {
    struct thread *t = to;
    struct span *s = (struct span *)(uintptr_t)value;
    for (unsigned k = 0; k < DH_KINDS; k++) {
        s->checked[k] &= (uint8_t)~mask;
        s->accessed[k] &= (uint8_t)~mask;
    }
    for (uint32_t n = s->waiting; n != 0; n = waiting_at(t, n)->next) {
        struct waiting *w = waiting_at(t, n);
        if (w->bytes & mask) tell(t->audit, w, w->bytes & mask, flaw_of(w));
        w->bytes &= (uint8_t)~mask;
    }
    return value;
}

static void forget(struct dh_audit *audit, struct dh_trace_event const *e) {
    for (uint32_t i = 0; i < audit->thread_room; i++)
        if (audit->threads[i])
            dh_space_revise(&audit->threads[i]->spans, e->address, dh_event_last_byte(e),
                            forget_span, audit->threads[i]);
}

/* ---- events ---- */

void dh_audit_step(struct dh_audit *audit, uint64_t index, struct dh_trace_event const *e) {
    struct thread *t = thread_of(audit, e->thread);
    struct act a = {.thread = t, .index = index, .event = e, .kind = dh_event_kind(e)};
    bool plain = e->op == DH_OP_READ || e->op == DH_OP_WRITE;
    a.access = a.kind != DH_KINDS;
    a.check = a.access && !plain; /* these look at their bytes themselves */
    if (e->op == DH_OP_CHECK) {
        a.kind = (enum dh_kind)e->kind;
        a.check = true;
    }
    if (dh_event_acquires(e)) acquire(t);
    if (e->op == DH_OP_ALLOC) forget(audit, e);
    if (a.access || a.check)
        dh_space_update(&t->spans, e->address, dh_event_last_byte(e), visit, &a);
    if (dh_event_releases(e)) t->releases++;
}

void dh_audit_end(struct dh_audit *audit) {
    for (uint32_t i = 0; i < audit->thread_room; i++) {
        struct thread *t = audit->threads[i];
        for (uint32_t n = 0; t && n < t->count; n++) {
            struct waiting const *w = &t->waiting[n];
            enum dh_flaw_class class = w->check                     ? DH_PENDING_CHECK
                                       : w->releases == t->releases ? DH_PENDING_ACCESS
                                                                    : DH_UNCOVERED;
            if (w->bytes != 0) tell(audit, w, w->bytes, class);
        }
    }
}
