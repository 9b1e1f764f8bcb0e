#include "rt/history.h"
#include "rt/options.h"
#include "rt/stats.h"
#include "rt/trails.h"

enum {
    EVENTS_LEAST = 1 << 13, /* 128 kB */
    /* Of the histories of threads that have ended, as far as they were ever filled: rings, and
     * copies. Each step of history_size doubles them. */
    RINGS_LEAST = 4 << 20,
    COPIES_LEAST = 512 << 10,
    /* And no more rings than this: where threads come and go all the time, what the last ones did
     * is what races with those that run. */
    RINGS_MOST = 64,
    /* A thread that ends with at most so many events leaves a copy of them, and its ring to the
     * next thread: most pages of a new one would have to come from the kernel. For the same reason
     * a ring that is kept no longer is left to the next. */
    SHORT = 1024,
    SPARES = 16,
    PAGE = DH_EVENTS_PAGE / sizeof(struct dh_event),
    CONTEXTS = DH_CONTEXTS + 1, /* with what DH_EVENT_PAST stands for */
};
_Static_assert(DH_RAW_LOCKS_MAX + 4 < PAGE, "what belongs together has room in a page");

struct kept {
    struct dh_history *newest, *oldest;
    uint64_t bytes, least;
    uint32_t count, most;
};

/* The lock guards them against being let go while a report reads them. */
static struct {
    struct dh_mutex lock;
    struct kept rings, copies;
    struct dh_history *spare; /* rings without a thread */
    uint32_t spares;
} ended = {.rings = {.least = RINGS_LEAST, .most = RINGS_MOST},
           .copies = {.least = COPIES_LEAST, .most = UINT32_MAX}};

/* The number of the event that is made next. Where a lap begins meanwhile it is too high or too low
 * by one, for a moment: then events are taken for older ones, or not to be there. */
static uint64_t next_of(struct dh_history const *h) {
    uint64_t laps = __atomic_load_n(&h->laps, __ATOMIC_ACQUIRE);
    struct dh_event *at = __atomic_load_n(&h->thread->event, __ATOMIC_ACQUIRE);
    return laps * h->size + (uint64_t)(at - h->events);
}

/* ---- rings ---- */

/* Of a thread that runs, or ran for long. A copy (cut_short) has no places. */
static size_t ring_bytes(struct dh_history const *h) {
    return h->size * sizeof *h->events + sizeof *h->places;
}

/* One mapping: events, places. Null: no address space. */
static struct dh_history *ring_new(void) {
    struct dh_history ring = {.size = (uint32_t)EVENTS_LEAST << dh_options.history_size};
    ring.events = dh_reserve(ring_bytes(&ring));
    if (!ring.events) return 0;
    ring.places = (struct dh_places *)(ring.events + ring.size);
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
        h->laps = 0;
        self->event = h->events;
        self->places = h->places;
        self->history = h;
    }
    dh_critical_leave();
}

static void history_free(struct dh_history *h) {
    if (h->places)
        dh_pages_free(h->events, ring_bytes(h));
    else
        dh_free(h->events, next_of(h) * sizeof *h->events);
    dh_free(h, sizeof *h);
}

static uint64_t bytes_filled(struct dh_history const *h) {
    uint64_t events = next_of(h);
    return (events < h->size ? events : h->size) * sizeof *h->events
           + (h->places ? sizeof *h->places : 0) + sizeof *h;
}

/* The same with what other threads had filled before. */
static uint64_t bytes_taken(struct dh_history const *h) {
    uint64_t filled = bytes_filled(h);
    return filled > h->filled ? filled : h->filled;
}

/* A copy of just the events that there are: of its ring only the beginning exists. Null if there
 * are none. */
static struct dh_history *cut_short(struct dh_history const *h) {
    uint64_t const events = next_of(h);
    if (events == 0) return 0;
    struct dh_history *cut = dh_alloc(sizeof *cut);
    *cut = (struct dh_history){.size = h->size, .thread = h->thread};
    cut->events = dh_alloc(events * sizeof *cut->events);
    dh_copy(cut->events, h->events, events * sizeof *cut->events);
    return cut;
}

static void spare_locked(struct dh_history *h, uint64_t filled) {
    if (!h->places || ended.spares == SPARES) {
        history_free(h);
        return;
    }
    h->thread = 0;
    h->filled = filled;
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
        uint64_t taken = bytes_taken(gone);
        kept->oldest = gone->older;
        if (!kept->oldest) kept->newest = 0;
        kept->bytes -= taken;
        kept->count--;
        gone->thread->history = 0;
        spare_locked(gone, taken);
    }
}

void dh_history_detach(struct dh_thread *self) {
    struct dh_history *h = self->history;
    if (!h) return;
    dh_mutex_lock(&ended.lock);
    uint64_t const events = next_of(h);
    self->stats[DH_STAT_events] += events;
    self->places = &dh_no_places;
    self->here = &dh_nowhere;
    if (events <= SHORT) {
        uint64_t taken = bytes_taken(h);
        self->history = cut_short(h);
        spare_locked(h, taken);
        if (self->history) {
            self->event = self->history->events + events;
            keep_locked(&ended.copies, self->history);
        }
    } else {
        keep_locked(&ended.rings, h);
    }
    dh_mutex_unlock(&ended.lock);
}

uint64_t dh_history_uncounted(struct dh_thread const *t) {
    return dh_contexts_kept(t) ? next_of(t->history) : 0;
}

/* ---- pages ---- */

__attribute__((noinline, preserve_most)) void dh_history_turn(void) {
    struct dh_thread *self = __dh_tls.self;
    struct dh_history *h = self->history;
    for (uint32_t i = 0; i < DH_CONTEXTS; i++)
        self->places->contexts[i].moment = 0;
    self->here = &dh_nowhere;
    if (self->event != h->events + h->size) return;
    __atomic_store_n(&self->event, h->events, __ATOMIC_RELEASE);
    __atomic_store_n(&h->laps, h->laps + 1, __ATOMIC_RELEASE);
}

static void put(struct dh_thread *self, uint64_t what, uint64_t place) {
    *self->event = (struct dh_event){what, place};
    __atomic_store_n(&self->event, self->event + 1, __ATOMIC_RELEASE);
}

static uint64_t form(enum dh_event_form f) { return (uint64_t)f << DH_EVENT_FORM_SHIFT; }

#ifdef DH_CHECKED
void dh_history_must_be_set(struct dh_thread const *self, uint64_t context) {
    struct dh_event const *e = self->event;
    while ((uintptr_t)e-- % DH_EVENTS_PAGE != 0) {
        uint64_t const what = e->what >> DH_EVENT_CONTEXT_SHIFT << DH_EVENT_CONTEXT_SHIFT;
        if (what == (context | form(DH_EVENT_SETTING))) return;
    }
    dh_die("an event of the history without a setting: a bug of Deadheat's");
}
#endif

/* So many events are left of the page. */
static inline bool has_room(struct dh_thread const *self, uint32_t events) {
    return -(uintptr_t)self->event % DH_EVENTS_PAGE >= events * sizeof(struct dh_event);
}
/* So many will be in one page. */
static inline void make_room(struct dh_thread *self, uint32_t events) {
    if (DH_LIKELY(has_room(self, events))) return;
    while ((uintptr_t)self->event % DH_EVENTS_PAGE != 0)
        put(self, form(DH_EVENT_MORE), 0);
    dh_history_turn();
}

/* ---- settings ---- */

static inline void lock_note(struct dh_thread *self, struct dh_raw_lock const *lock) {
    put(self, lock->address | form(DH_EVENT_MORE),
        (uint64_t)lock->stack << 32 | (lock->reader != 0));
}

static uint32_t locks_noted(struct dh_thread const *self) {
    return self->held_count < DH_RAW_LOCKS_MAX ? self->held_count : DH_RAW_LOCKS_MAX;
}

/* Behind as many locks. */
static inline void setting_note(struct dh_thread *self, uint32_t locks, uint64_t context,
                                dh_stack_id callers) {
    put(self, self->slot | (uint64_t)locks << 24 | context | form(DH_EVENT_SETTING),
        (uint64_t)callers << 32 | self->tick);
}

/* What is now, for the events of this context. One of them, which may take two places, comes next.
 * If the page is another one afterwards, other contexts do not go on. */
static void setting_make(struct dh_thread *self, uint64_t context, dh_stack_id callers) {
    uint32_t const locks = locks_noted(self);
    make_room(self, locks + 3);
    for (uint32_t i = 0; i < locks; i++)
        lock_note(self, &self->held[i].lock);
    setting_note(self, locks, context, callers);
}

static __attribute__((noinline, preserve_most)) bool enter_slow(struct dh_context *c,
                                                                uintptr_t frame) {
    struct dh_thread *self = __dh_tls.self;
    if (!dh_contexts_kept(self)) return false;
    dh_context_learn(self, c, frame);
    if (c->links == 0) { /* nothing is to be read there */
        setting_make(self, DH_EVENT_PAST, c->callers);
        self->here = &dh_nowhere;
    } else {
        setting_make(self, c->event, c->callers);
        c->moment = self->moment;
        self->here = c;
    }
    return true;
}

__attribute__((noinline, preserve_most)) bool dh_history_enter(uintptr_t frame) {
    struct dh_thread *self = __dh_tls.self;
    struct dh_context *c = dh_context_kept(self->places, frame);
    uint32_t const locks = self->held_count;
    if (!dh_context_is_now(self, c, frame)) {
        if (!dh_context_is_known(self, c, frame) || DH_UNLIKELY(locks > 1)
            || DH_UNLIKELY(!has_room(self, 4)))
            return enter_slow(c, frame);
        if (locks != 0) lock_note(self, &self->held[0].lock);
        setting_note(self, locks, c->event, c->callers);
        c->moment = self->moment;
    }
    self->here = c;
    return true;
}

__attribute__((preserve_most)) bool dh_history_enter_outer(void) {
    uintptr_t const *mine = __builtin_frame_address(0), *callers = (uintptr_t const *)mine[0];
    return dh_history_enter(callers[0]);
}

/* ---- events ---- */

static void put_run(struct dh_thread *self, uint64_t context, uintptr_t address, uint32_t unit,
                    uint32_t stride, uint32_t count, uint32_t flags, uintptr_t pc) {
    dh_history_must_be_set(self, context);
    put(self, count | form(DH_EVENT_MORE), (uint64_t)stride << 32 | unit);
    put(self, address | context, pc << DH_EVENT_PLACE_SHIFT | flags);
    if ((uintptr_t)self->event % DH_EVENTS_PAGE == 0) dh_history_turn();
}

void dh_history_add_run(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                        uint32_t count, uint32_t flags, struct dh_here here) {
    if (!dh_contexts_kept(self)) return;
    make_room(self, 2);
    if (!dh_context_is_of(self->here, here.frame) && !dh_history_enter(here.frame)) return;
    put_run(self, self->here->event, address, unit, stride, count, flags, here.pc);
}

void dh_history_add(struct dh_thread *self, uintptr_t address, uint32_t size, uint32_t flags,
                    struct dh_here here) {
    if (DH_LIKELY(size <= DH_EVENT_SIZE_MAX))
        dh_history_note(self, address, size, flags, here);
    else
        dh_history_add_run(self, address, size, 0, 1, flags, here);
}

void dh_history_add_past(struct dh_thread *self, uintptr_t address, uint32_t unit, uint32_t stride,
                         uint32_t count, uint32_t flags, uintptr_t pc, dh_stack_id callers) {
    if (!dh_contexts_kept(self)) return;
    setting_make(self, DH_EVENT_PAST, callers);
    put_run(self, DH_EVENT_PAST, address, unit, stride, count, flags, pc);
}

/* Those of one call share a setting, as far as they are in one page. */
void dh_history_add_links(struct dh_thread *self, struct dh_trail_link const *links,
                          uint32_t count) {
    if (!dh_contexts_kept(self)) return;
    for (uint32_t i = 0; i < count; i++) {
        struct dh_trail_link const *l = &links[i];
        bool begins = (uintptr_t)self->event % DH_EVENTS_PAGE == 0;
        if (i == 0 || begins || l->callers != l[-1].callers)
            setting_make(self, DH_EVENT_PAST, l->callers);
        dh_history_must_be_set(self, DH_EVENT_PAST);
        put(self, l->from | DH_EVENT_PAST,
            l->pc << DH_EVENT_PLACE_SHIFT | (l->to - l->from) << DH_EVENT_SIZE_SHIFT);
        if ((uintptr_t)self->event % DH_EVENTS_PAGE == 0) dh_history_turn();
    }
}

/* ---- looking for one ---- */

/* A copy of an event. */
static struct dh_event event_at(struct dh_history const *h, uint64_t number) {
    struct dh_event volatile const *at = &h->events[number & (h->size - 1)];
    return (struct dh_event){at->what, at->place};
}
static enum dh_event_form form_of(struct dh_event e) {
    return (enum dh_event_form)(e.what >> DH_EVENT_FORM_SHIFT);
}
static uint32_t context_of(struct dh_event e) {
    return (uint8_t)(e.what >> DH_EVENT_CONTEXT_SHIFT) % CONTEXTS;
}
static uintptr_t address_of(struct dh_event e) {
    return e.what & (((uint64_t)1 << DH_EVENT_CONTEXT_SHIFT) - 1);
}

/* An access that was found in the ring, of which the setting is still to be found. */
struct found {
    uintptr_t access;
    size_t bytes; /* from the byte that was looked for; 0: there is none */
    uint32_t size, flags;
    uintptr_t pc;
};

static bool same_kind(uint32_t flags, enum dh_kind kind) {
    bool write = kind == DH_WRITE || kind == DH_ATOMIC_WRITE;
    bool atomic = kind == DH_ATOMIC_READ || kind == DH_ATOMIC_WRITE;
    return !(flags & DH_ACCESS_WRITE) == !write && !(flags & DH_ACCESS_ATOMIC) == !atomic;
}

/* The access of the event with this number to the byte, if there is one. */
static struct found access_of(struct dh_history const *h, uint64_t number, enum dh_kind kind,
                              uintptr_t byte) {
    struct dh_event const e = event_at(h, number);
    struct found none = {0}, f = {.pc = e.place >> DH_EVENT_PLACE_SHIFT,
                                  .size = e.place >> DH_EVENT_SIZE_SHIFT & DH_EVENT_SIZE_MAX,
                                  .flags = e.place & ((1u << DH_EVENT_SIZE_SHIFT) - 1)};
    uintptr_t const address = address_of(e), distance = byte - address;
    uintptr_t stride = 0, count = 1;
    if (f.size == 0) {
        struct dh_event more = event_at(h, number - 1);
        f.size = (uint32_t)more.place;
        stride = more.place >> 32;
        count = (uint32_t)more.what;
    }
    if (!same_kind(f.flags, kind) || byte < address || count == 0) return none;
    uintptr_t n = stride ? distance / stride : 0;
    if (n >= count) n = count - 1; /* they may overlap */
    f.access = address + n * stride;
    if (byte - f.access >= f.size) return none;
    uintptr_t last = stride <= f.size ? address + (count - 1) * stride : f.access;
    f.bytes = last + f.size - byte;
    return f;
}

/* What the setting with this number says of the access. False: its thread, which goes on writing,
 * has come round since, and what was read may be something else. */
static bool fill_in(struct dh_history const *h, struct found const *f, uint64_t setting,
                    struct dh_raw_side *side) {
    struct dh_event const s = event_at(h, setting);
    uint32_t const locks = s.what >> 24 & (2 * DH_RAW_LOCKS_MAX - 1);
    for (uint32_t i = 0; i < locks && i < DH_RAW_LOCKS_MAX; i++) {
        struct dh_event lock = event_at(h, setting - locks + i);
        side->locks[i] = (struct dh_raw_lock){address_of(lock), (dh_stack_id)(lock.place >> 32),
                                              (uint32_t)lock.place};
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (next_of(h) - (setting - locks) >= h->size) return false;
    side->address = f->access;
    side->size = f->size;
    side->flags = f->flags;
    side->taken_with = (dh_stack_id)(s.place >> 32);
    side->stack = dh_stack_before(f->pc, side->taken_with);
    side->locks_known = true;
    side->lock_count = locks;
    return true;
}

/* Backwards, until an access and its setting are found, of that epoch. */
static size_t find(struct dh_history const *h, struct dh_epoch epoch, enum dh_kind kind,
                   uintptr_t address, struct dh_raw_side *side) {
    struct found found[CONTEXTS] = {0};
    uint64_t const next = next_of(h);
    for (uint64_t number = next; number-- > 0 && next - number < h->size;) {
        struct dh_event e = event_at(h, number);
        struct found *f = &found[context_of(e)];
        if (form_of(e) == DH_EVENT_ACCESS && f->bytes == 0) {
            *f = access_of(h, number, kind, address);
        } else if (form_of(e) == DH_EVENT_SETTING) {
            struct dh_epoch const of = {(dh_slot)(e.what & 0xffffff), (dh_tick)e.place};
            if (f->bytes != 0 && dh_epoch_equal(of, epoch))
                return fill_in(h, f, number, side) ? f->bytes : 0;
            f->bytes = 0;
        }
        if (number % PAGE == 0) dh_fill(found, 0, sizeof found);
    }
    return 0;
}

size_t dh_history_find(struct dh_epoch epoch, enum dh_kind kind, uintptr_t address,
                       struct dh_raw_side *side) {
    dh_critical_enter();
    dh_mutex_lock(&ended.lock);
    struct dh_history *h = side->thread->history;
    size_t found = h ? find(h, epoch, kind, address, side) : 0;
    dh_mutex_unlock(&ended.lock);
    dh_critical_leave();
    return found;
}
