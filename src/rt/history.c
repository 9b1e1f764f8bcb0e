#include "rt/history.h"
#include "rt/locks.h"
#include "rt/options.h"
#include "rt/stats.h"
#include "rt/trails.h"

enum {
    EVENTS_LEAST = 1 << 12, /* 128 kB, and up to 192 kB of settings */
    /* Of the histories of threads that have ended, as far as they were ever filled: rings, and
     * copies. Each step of history_size doubles them. */
    RINGS_LEAST = 4 << 20,
    COPIES_LEAST = 512 << 10,
    /* And no more rings than this: where threads come and go all the time, what the last ones did
     * is what races with those that run. */
    RINGS_MOST = 64,
    /* A thread that ends with at most so many events, and locks, leaves a copy of them, and its
     * ring to the next thread: most pages of a new one would have to come from the kernel. For the
     * same reason a ring that is kept no longer is left to the next. */
    SHORT = 512,
    SPARES = 16,
};
_Static_assert(SHORT < DH_CHUNK && EVENTS_LEAST >= DH_CHUNK, "what is short has one chunk");

struct dh_places dh_no_places DH_TABLE;

struct kept {
    struct dh_history *newest, *oldest;
    uint64_t bytes, least;
    uint32_t count, most;
};

/* The lock guards them against being let go while a report reads them. */
static struct {
    struct dh_mutex lock;
    struct kept rings, copies;
    struct dh_history *spare; /* rings without a thread: nothing goes on there */
    uint32_t spares;
} ended = {.rings = {.least = RINGS_LEAST, .most = RINGS_MOST},
           .copies = {.least = COPIES_LEAST, .most = UINT32_MAX}};

/* As many as can be full, the one that is begun, and one more for the event that is made next. */
static size_t chunks_of(struct dh_history const *h) { return h->size / DH_CHUNK + 2; }
#define CHUNK_BYTES (DH_CHUNK * sizeof(struct dh_setting) + sizeof(uint64_t))

/* Of a thread that runs, or ran for long. A copy (cut_short) has no places. */
static size_t ring_bytes(struct dh_history const *h) {
    return h->size * (sizeof *h->events + sizeof *h->locks) + chunks_of(h) * CHUNK_BYTES
           + sizeof *h->places;
}

/* One mapping: places, events, locks, settings, what is known of their chunks. Null: no address
 * space. */
static struct dh_history *ring_new(void) {
    struct dh_history ring = {.size = (uint32_t)EVENTS_LEAST << dh_options.history_size};
    ring.places = dh_reserve(ring_bytes(&ring));
    if (!ring.places) return 0;
    ring.events = dh_events_of(ring.places);
    ring.locks = (struct dh_raw_lock *)(ring.events + ring.size);
    ring.settings = (struct dh_setting *)(ring.locks + ring.size);
    ring.full_at = (uint64_t *)(ring.settings + DH_CHUNK * chunks_of(&ring));
    struct dh_history *h = dh_alloc(sizeof *h);
    *h = ring;
    return h;
}

void dh_history_attach(struct dh_thread *self) {
    dh_critical_enter();
    dh_mutex_lock(&ended.lock);
    struct dh_history *h = ended.spare;
    if (h) {
        ended.spare = h->older;
        ended.spares--;
        h->older = 0;
    }
    dh_mutex_unlock(&ended.lock);
    if (!h) h = ring_new();
    if (h) {
        h->thread = self;
        h->next = h->next_lock = h->size;
        h->next_setting = 0;
        dh_fill(h->full_at, 0, h->chunks_used * sizeof *h->full_at);
        h->chunks_used = 0;
        self->places = h->places;
        self->history = h;
    }
    dh_critical_leave();
}

static void history_free(struct dh_history *h) {
    if (h->places) {
        dh_pages_free(h->places, ring_bytes(h));
    } else {
        dh_free(h->settings, h->next_setting * sizeof *h->settings);
        dh_free(h->events, (h->next - h->size) * sizeof *h->events);
        dh_free(h->locks, (h->next_lock - h->size) * sizeof *h->locks);
    }
    dh_free(h, sizeof *h);
}

static uint64_t bytes_filled(struct dh_history const *h) {
    uint64_t events = h->next - h->size, locks = h->next_lock - h->size;
    uint64_t settings = h->chunks_used > 1 ? DH_CHUNK * (uint64_t)h->chunks_used : h->next_setting;
    return settings * sizeof *h->settings
           + (events < h->size ? events : h->size) * sizeof *h->events
           + (locks < h->size ? locks : h->size) * sizeof *h->locks
           + (h->places ? sizeof *h->places : 0) + sizeof *h;
}

/* The same with what other threads had filled before. */
static uint64_t bytes_taken(struct dh_history const *h) {
    uint64_t filled = bytes_filled(h);
    return filled > h->filled ? filled : h->filled;
}

/* A copy of just the events that there are: of its rings only the beginning exists. Event or lock n
 * of the ring is n - size + the copy's size. Null if there are none. */
static struct dh_history *cut_short(struct dh_history const *h) {
    uint64_t events = h->next - h->size, locks = h->next_lock - h->size;
    if (events == 0) return 0;
    struct dh_history *cut = dh_alloc(sizeof *cut);
    cut->thread = h->thread;
    for (cut->size = 1; cut->size <= events || cut->size <= locks;)
        cut->size *= 2;
    cut->events = dh_alloc(events * sizeof *cut->events);
    if (locks) cut->locks = dh_alloc(locks * sizeof *cut->locks);
    cut->next = cut->size + events;
    cut->next_lock = cut->size + locks;
    for (uint64_t i = 0; i < events; i++)
        cut->events[i] = h->events[i];
    cut->settings = dh_alloc(h->next_setting * sizeof *cut->settings);
    cut->next_setting = h->next_setting;
    for (uint32_t i = 0; i < h->next_setting; i++) {
        cut->settings[i] = h->settings[i];
        if (cut->settings[i].lock_count > 1)
            cut->settings[i].locks_at += cut->size - (uint64_t)h->size;
    }
    for (uint64_t i = 0; i < locks; i++)
        cut->locks[i] = h->locks[i];
    return cut;
}

/* The next thread's settings have the same numbers: nothing may go on with what is left here. Sites
 * lead there, an empty one to the first event. Those of a thread that did little are not touched. */
static void forget_events(struct dh_history *h) {
    uint64_t const filled = (h->next - h->size) * sizeof *h->events;
    if (filled <= sizeof h->places->sites) {
        dh_fill(h->events, 0, filled);
    } else {
        dh_fill(h->places->sites, 0, sizeof h->places->sites);
        dh_fill(h->events, 0, sizeof *h->events);
    }
}

static void spare_locked(struct dh_history *h) {
    if (!h->places || ended.spares == SPARES) {
        history_free(h);
        return;
    }
    h->thread = 0;
    h->filled = bytes_taken(h);
    forget_events(h);
    if (h->places->contexts_used) dh_fill(h->places->contexts, 0, sizeof h->places->contexts);
    h->places->contexts_used = false;
    h->older = ended.spare;
    ended.spare = h;
    ended.spares++;
}

/* And lets go of the oldest, as far as there are too many. */
static void keep_locked(struct kept *kept, struct dh_history *h) {
    if (kept->newest)
        kept->newest->older = h;
    else
        kept->oldest = h;
    kept->newest = h;
    kept->bytes += bytes_taken(h);
    kept->count++;
    while (kept->bytes > kept->least << dh_options.history_size || kept->count > kept->most) {
        struct dh_history *gone = kept->oldest;
        kept->oldest = gone->older;
        if (!kept->oldest) kept->newest = 0;
        kept->bytes -= bytes_taken(gone);
        kept->count--;
        gone->thread->history = 0;
        spare_locked(gone);
    }
}

void dh_history_detach(struct dh_thread *self) {
    struct dh_history *h = self->history;
    if (!h) return;
    dh_mutex_lock(&ended.lock);
    self->stats[DH_STAT_events] += dh_history_uncounted(self);
    self->places = &dh_no_places;
    if (h->next - h->size <= SHORT && h->next_lock - h->size <= SHORT) {
        self->history = cut_short(h);
        spare_locked(h);
        if (self->history) keep_locked(&ended.copies, self->history);
    } else {
        keep_locked(&ended.rings, h);
    }
    dh_mutex_unlock(&ended.lock);
}

/* The thread has a ring to write to. That of one that has ended is only read. */
static inline bool is_kept(struct dh_thread const *self) { return self->places != &dh_no_places; }

uint64_t dh_history_uncounted(struct dh_thread const *t) {
    return is_kept(t) ? t->history->next - t->history->size : 0;
}

/* ---- settings ---- */

/* Several: out of the way of those that hold one. Writes them down, if they have changed since that
 * was last done. */
static __attribute__((noinline, preserve_most)) void
note_several_locks(struct dh_thread *self, struct dh_history *h, struct dh_setting *s) {
    if (self->locks_noted != self->locks_changed) {
        uint32_t count = self->held_count < DH_RAW_LOCKS_MAX ? self->held_count : DH_RAW_LOCKS_MAX;
        uint64_t const at = h->next_lock, mask = h->size - 1;
        for (uint32_t i = 0; i < count; i++)
            h->locks[(at + i) & mask] = self->held[i].lock;
        __atomic_store_n(&h->next_lock, at + count, __ATOMIC_RELEASE);
        self->locks_noted = self->locks_changed;
        self->locks_at = at;
        self->locks_count = count;
    }
    s->lock_count = self->locks_count;
    s->locks_at = self->locks_at;
}

/* The number of the next setting is that of the first in a chunk without events. The last chunk is
 * full, and no context stays with a setting of it. */
static __attribute__((noinline, preserve_most)) uint32_t chunk_begin(struct dh_thread *self) {
    struct dh_history *h = self->history;
    for (uint32_t i = 0; i < DH_CONTEXTS; i++)
        self->places->contexts[i].moment = 0;
    if (h->next_setting != 0) h->full_at[h->next_setting / DH_CHUNK - 1] = h->next;
    uint32_t chunk = 0;
    while (chunk < h->chunks_used && h->next - h->full_at[chunk] < h->size)
        chunk++;
    if (chunk == h->chunks_used) h->chunks_used++;
#ifdef DH_CHECKED
    if (chunk >= chunks_of(h)) dh_die("settings without events: a bug of Deadheat's");
#endif
    __atomic_thread_fence(__ATOMIC_RELEASE); /* who reads what is written there now sees `next` */
    return chunk * DH_CHUNK;
}

/* As it was written (dh_held_put): a load of several parts at once would wait for the stores. */
static inline void copy_lock(struct dh_raw_lock *to, struct dh_raw_lock const *from) {
    dh_stack_id stack = from->stack;
    __asm__("" : "+r"(stack));
    to->address = from->address;
    to->stack = stack;
    to->reader = from->reader;
}

/* The number of a setting for what is now. */
static inline __attribute__((always_inline)) uint32_t setting_make(struct dh_thread *self,
                                                                   dh_stack_id callers) {
    struct dh_history *h = self->history;
    uint32_t number = h->next_setting;
    if (DH_UNLIKELY(number % DH_CHUNK == 0)) number = chunk_begin(self);
    struct dh_setting *s = &h->settings[number];
    s->epoch = dh_epoch_apart(self);
    s->callers = callers;
    s->lock_count = self->held_count;
    if (self->held_count == 1)
        copy_lock(&s->lock, &self->held->lock);
    else if (DH_UNLIKELY(self->held_count != 0))
        note_several_locks(self, h, s);
    h->next_setting = number + 1;
    return number;
}

/* ---- contexts ---- */

static bool is_frame(struct dh_thread const *self, uintptr_t frame, uintptr_t inner) {
    uintptr_t top = self->stack_high; /* any number may be in the register: nothing may wrap */
    return frame > inner && frame >= self->stack_low && frame < top && top - frame >= 16
           && frame % 8 == 0;
}

/* Where there is no frame (a stack that we do not know), nothing will be in this context again. */
static __attribute__((noinline, preserve_most)) void
context_begin(struct dh_thread *self, struct dh_context *c, uintptr_t frame) {
    c->frame = frame;
    c->callers = dh_stack_callers((struct dh_here){.frame = frame});
    c->pc = c->next_moment = 0;
    c->links = 0;
    uintptr_t inner = (uintptr_t)__builtin_frame_address(0);
    while (c->links < DH_CONTEXT_LINKS && is_frame(self, frame, inner)) {
        inner = frame;
        c->link[c->links++] = *(struct dh_link const *)frame;
        frame = *(uintptr_t const *)frame;
    }
    c->whole = is_frame(self, frame, inner) ? 0 : c->links;
    if (c->links == 0) c->frame = DH_NO_FRAME;
    self->places->contexts_used = true;
}

/* The moment began when it was the same call, so this one is taken for it if its innermost callers
 * are the same: as ever within a moment. */
static inline bool context_went_on(struct dh_context const *c, struct dh_thread const *self,
                                   uintptr_t frame) {
    if (c->frame != frame || c->next_moment != dh_moment(self) || c->links == 0) return false;
    struct dh_link const *now = (struct dh_link const *)frame;
    if (now->outer != c->link[0].outer || now->caller != c->link[0].caller) return false;
    return c->links < 2 || ((struct dh_link const *)now->outer)->caller == c->link[1].caller;
}

__attribute__((noinline, preserve_most)) bool dh_context_goes_on_from(struct dh_context const *c,
                                                                      uint32_t links) {
    for (uint32_t i = links; i < c->whole; i++)
        if (!dh_link_holds(&c->link[i], c->link[i - 1].outer)) return false;
    return true;
}

/* False: the thread has no history. */
static inline __attribute__((always_inline)) bool
context_learn(struct dh_thread *self, struct dh_context *c, uintptr_t frame) {
    if (context_went_on(c, self, frame) || DH_LIKELY(dh_context_goes_on(c, frame))) return true;
    if (!is_kept(self)) return false;
    context_begin(self, c, frame);
    c->moment = 0;
    return true;
}

__attribute__((preserve_most)) bool dh_context_learn(uintptr_t frame) {
    struct dh_thread *self = __dh_tls.self;
    return context_learn(self, dh_context_of(self->places, frame), frame);
}

__attribute__((preserve_most)) bool dh_context_renew(uintptr_t frame) {
    struct dh_thread *self = __dh_tls.self;
    struct dh_context *c = dh_context_kept(self->places, frame);
    if (!context_learn(self, c, frame)) return false;
    c->setting = setting_make(self, c->callers);
    c->moment = c->links != 0 ? dh_moment(self) : 0; /* else nothing is to be read there */
    return true;
}

__attribute__((preserve_most)) bool dh_context_renew_outer(void) {
    uintptr_t const *mine = __builtin_frame_address(0), *callers = (uintptr_t const *)mine[0];
    return dh_context_renew(callers[0]);
}

static dh_stack_id stack_of_call(struct dh_thread *self, uintptr_t pc, dh_stack_id callers) {
    struct dh_call *call = &self->places->calls[pc * 0x9e3779b97f4a7c15u >> (64 - DH_CALLS_BITS)];
    if (DH_UNLIKELY(call->pc != pc || call->callers != callers))
        *call = (struct dh_call){pc, callers, dh_stack_before(pc, callers)};
    return call->stack;
}

/* Of a stack that has more frames than a context, or none that can be followed, nothing is
 * known. */
static __attribute__((noinline)) dh_stack_id stack_slow(struct dh_here here, bool lock) {
    struct dh_thread *self = __dh_tls.self;
    if (DH_UNLIKELY(!self || !is_kept(self))) return dh_stack_capture(here);
    dh_stack_id stack = 0;
    dh_critical_enter();
    struct dh_context *c = dh_context_of(self->places, here.frame);
    bool known = dh_context_goes_on(c, here.frame);
    if (DH_UNLIKELY(!known) && (c->frame != here.frame || c->whole == c->links)) {
        context_begin(self, c, here.frame);
        c->moment = 0;
        known = c->whole != 0;
    }
    if (DH_LIKELY(known)) {
        c->stack = stack = stack_of_call(self, here.pc, c->callers);
        c->pc = here.pc;
        if (lock) dh_context_expect_lock(c, self);
    }
    dh_critical_leave();
    return stack ? stack : dh_stack_capture(here);
}

dh_stack_id dh_history_stack(struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    if (DH_UNLIKELY(!self)) return 0;
    dh_critical_enter();
    dh_stack_id stack = dh_context_stack(dh_context_of(self->places, here.frame), here);
    dh_critical_leave();
    return DH_LIKELY(stack != 0) ? stack : stack_slow(here, false);
}

/* Adopts a thread that is not known yet: what it locks has a stack, too. */
dh_stack_id dh_lock_stack_slow(void const *frame) {
    if (!dh_options.enabled) return 0;
    dh_self();
    return stack_slow(dh_here_in(frame), true);
}

void dh_lock_failed(void const *frame) {
    struct dh_thread *self = __dh_tls.self;
    if (!self || !is_kept(self)) return;
    dh_critical_enter();
    dh_context_of(self->places, dh_here_in(frame).frame)->next_moment = 0;
    dh_critical_leave();
}

/* Without touching what was never used: threads that sleep should take no memory. */
void dh_history_interrupt(struct dh_thread *thread) {
    thread->moment++;
    for (uint32_t i = 0; i < DH_CONTEXTS; i++) {
        struct dh_context *c = &thread->places->contexts[i];
        if (c->frame == 0) continue;
        c->frame = DH_NO_FRAME;
        c->moment = c->next_moment = 0;
        c->links = c->whole = 0;
    }
}

/* ---- events ---- */

__attribute__((preserve_most)) bool dh_site_goes_on_outer(void) {
    struct dh_thread *self = __dh_tls.self;
    uintptr_t const *mine = __builtin_frame_address(0), *callers = (uintptr_t const *)mine[0];
    uint32_t flags = (uint32_t)(self->asked >> DH_PLACE_SHIFT);
    return dh_site_goes_on(self->places, dh_site_of(self->places, callers[1]),
                           dh_place_pc(self->asked), flags >> DH_ASKED_SIZE_SHIFT,
                           dh_place(callers[1], flags & ((1u << DH_ASKED_SIZE_SHIFT) - 1)));
}

static void event_make(struct dh_history *h, struct dh_event event) {
    h->events[h->next & (h->size - 1)] = event;
    __atomic_store_n(&h->next, h->next + 1, __ATOMIC_RELEASE);
}

void dh_history_add_past(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                         uint32_t count, uint32_t flags, uintptr_t pc, dh_stack_id callers) {
    if (!is_kept(self)) return;
    event_make(self->history, (struct dh_event){.address = address,
                                                .place = dh_place(pc, flags),
                                                .unit = unit,
                                                .stride = stride,
                                                .count = count,
                                                .setting = setting_make(self, callers)});
}

/* Those of one call share a setting. */
void dh_history_add_links(struct dh_thread *self, struct dh_trail_link const *links,
                          uint32_t count) {
    uint32_t setting = 0;
    dh_stack_id callers = 0;
    if (!is_kept(self)) return;
    for (uint32_t i = 0; i < count; i++) {
        struct dh_trail_link const *l = &links[i];
        if (i == 0 || l->callers != callers) setting = setting_make(self, callers = l->callers);
        event_make(self->history, (struct dh_event){.address = l->from,
                                                    .place = dh_place(l->pc, 0),
                                                    .unit = (uint32_t)(l->to - l->from),
                                                    .count = 1,
                                                    .setting = setting});
    }
}

void dh_history_add_run(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                        uint32_t count, uint32_t flags, struct dh_here here) {
    struct dh_context *c = dh_context_of(self->places, here.frame);
    if (!dh_context_is_here(c, self, here.frame) && !dh_context_renew(here.frame)) return;
    event_make(self->history, (struct dh_event){.address = address,
                                                .place = dh_place(here.pc, flags),
                                                .unit = unit,
                                                .stride = stride,
                                                .count = count,
                                                .setting = c->setting});
}

void dh_history_add(struct dh_thread *self, uintptr_t address, uint32_t size, uint32_t flags,
                    struct dh_here here) {
    dh_history_note(self, address, size, flags, here);
}

/* ---- looking for one ---- */

/* The locks of a setting, unless they have been overwritten meanwhile. */
static void fill_locks(struct dh_history const *h, struct dh_setting const *s,
                       struct dh_raw_side *side) {
    if (s->lock_count <= 1) {
        side->locks[0] = s->lock;
        side->lock_count = s->lock_count;
        side->locks_known = true;
        return;
    }
    for (uint32_t i = 0; i < s->lock_count; i++)
        side->locks[i] = h->locks[(s->locks_at + i) % h->size];
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    side->locks_known =
        __atomic_load_n(&h->next_lock, __ATOMIC_ACQUIRE) - s->locks_at < h->size;
    side->lock_count = side->locks_known ? s->lock_count : 0;
}

static bool same_kind(uint32_t flags, enum dh_kind kind) {
    bool write = kind == DH_WRITE || kind == DH_ATOMIC_WRITE;
    bool atomic = kind == DH_ATOMIC_READ || kind == DH_ATOMIC_WRITE;
    return !(flags & DH_ACCESS_WRITE) == !write && !(flags & DH_ACCESS_ATOMIC) == !atomic;
}

/* The address of the event's access to this byte; 0 if there is none. */
static uintptr_t access_of(struct dh_event const *e, uintptr_t byte) {
    if (byte < e->address || e->count == 0) return 0;
    uintptr_t distance = byte - e->address;
    uintptr_t n = e->stride ? distance / e->stride : 0;
    if (n >= e->count) n = e->count - 1; /* they may overlap */
    return distance - n * e->stride < e->unit ? e->address + n * e->stride : 0;
}

/* How many bytes the event is on from this one of it on, without a gap. */
static size_t bytes_from(struct dh_event const *e, uintptr_t access, uintptr_t byte) {
    uintptr_t last =
        e->stride <= e->unit ? e->address + (uintptr_t)(e->count - 1) * e->stride : access;
    return last + e->unit - byte;
}

size_t dh_history_find(struct dh_epoch epoch, enum dh_kind kind, uintptr_t address,
                       struct dh_raw_side *side) {
    size_t found = 0;
    dh_critical_enter();
    dh_mutex_lock(&ended.lock);
    struct dh_history *h = side->thread->history;
    uint64_t next = h ? __atomic_load_n(&h->next, __ATOMIC_ACQUIRE) : 0;
    for (uint32_t back = 1; h && back < h->size && !found && back <= next - h->size; back++) {
        struct dh_event *at = &h->events[(next - back) & (h->size - 1)];
        struct dh_event e = *(struct dh_event volatile *)at;
        struct dh_setting s = *(struct dh_setting volatile *)&h->settings[e.setting];
        uint32_t flags = (uint32_t)(e.place >> DH_PLACE_SHIFT);
        if (!dh_epoch_equal(s.epoch, epoch) || !same_kind(flags, kind)) continue;
        uintptr_t at_access = access_of(&e, address);
        if (at_access == 0) continue;
        /* Its thread goes on writing: believe the copy only if the ring has not come round since,
         * and the event was not replaced while we read it. */
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&h->next, __ATOMIC_ACQUIRE) - (next - back) >= h->size) break;
        side->address = at_access;
        side->size = e.unit;
        side->flags = flags;
        side->stack = dh_stack_before(dh_place_pc(e.place), s.callers);
        side->taken_with = s.callers;
        fill_locks(h, &s, side);
        found = bytes_from(&e, at_access, address);
    }
    dh_mutex_unlock(&ended.lock);
    dh_critical_leave();
    return found;
}
