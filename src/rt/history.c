#include "rt/history.h"
#include "rt/depot.h"
#include "rt/options.h"
#include "rt/stats.h"

enum {
    EVENTS_LEAST = 1 << 12, /* 128 kB */
    KEEP_ENDED = 64,        /* histories of threads that have ended */
};

struct dh_history {
    struct dh_thread *thread;
    uint64_t next; /* number of the next event; it is at events[next % size] */
    uint32_t size;
    struct dh_history *older; /* list of ended threads' histories */
    struct dh_event *events;
};

/* Guards the rings of ended threads against being let go while a report reads them. */
static struct {
    struct dh_mutex lock;
    struct dh_history *newest, *oldest;
    uint32_t count;
} ended;

void dh_history_attach(struct dh_thread *self) {
    struct dh_history *h = dh_alloc(sizeof *h);
    h->size = (uint32_t)EVENTS_LEAST << dh_options.history_size;
    h->events = dh_reserve(h->size * sizeof *h->events);
    h->thread = self;
    h->next = h->size;
    if (h->events) self->history = h;
}

void dh_history_detach(struct dh_thread *self) {
    struct dh_history *h = self->history, *gone = 0;
    if (!h) return;
    dh_mutex_lock(&ended.lock);
    if (ended.newest)
        ended.newest->older = h;
    else
        ended.oldest = h;
    ended.newest = h;
    if (++ended.count > KEEP_ENDED) {
        gone = ended.oldest;
        ended.oldest = gone->older;
        ended.count--;
        gone->thread->history = 0;
    }
    dh_mutex_unlock(&ended.lock);
    if (gone) {
        dh_pages_free(gone->events, gone->size * sizeof *gone->events);
        dh_free(gone, sizeof *gone);
    }
}

/* The held locks as a number: two values a lock. */
static uint32_t lockset(struct dh_thread *self) {
    if (self->lockset_at == self->locks_changed) return self->lockset;
    self->lockset_at = self->locks_changed;
    self->lockset = 0;
    if (self->held_count == 0) return 0;
    uint64_t values[2 * DH_RAW_LOCKS_MAX];
    uint32_t count = 0;
    uint64_t hash = DH_DEPOT_SEED;
    for (uint32_t i = 0; i < self->held_count && count < 2 * DH_RAW_LOCKS_MAX; i++) {
        struct dh_held *h = &self->held[i];
        values[count] = h->address;
        values[count + 1] = (uint64_t)h->stack << 1 | h->reader;
        hash = dh_depot_mix(dh_depot_mix(hash, values[count]), values[count + 1]);
        count += 2;
    }
    return self->lockset = dh_depot_name(&dh_locksets_depot, hash, values, count);
}

/* The event of this number is about to be overwritten: nothing may continue it. */
static void forget_sites_of(struct dh_thread *self, uint64_t number) {
    for (int i = 0; i < DH_SITES; i++)
        if (self->sites[i].number == number) self->sites[i].next = self->sites[i].pc = 0;
}

/* The second access from a place settles the distance. */
static bool second_access(struct dh_thread *self, struct dh_site *site, uintptr_t address, uint32_t flags,
                          uint32_t unit, struct dh_here here) {
    struct dh_event *e = site->event;
    if (site->pc != here.pc || !site->caller || e->count != 1 || e->flags != flags || e->unit != unit)
        return false;
    uintptr_t stride = address - e->address;
    if (address < e->address || stride < unit || stride > UINT16_MAX) return false;
    site->next = address;
    site->stride = stride;
    if (!dh_history_continue(self, address, here)) return false;
    e->stride = (uint32_t)stride;
    return true;
}

static bool is_frame(struct dh_thread const *self, uintptr_t frame, uintptr_t inner) {
    return frame > inner && frame + 16 <= self->stack_high && frame % 8 == 0;
}

/* Where there is no frame (a stack that we do not know), nothing will continue it. */
static void site_begin(struct dh_thread *self, struct dh_site *site, struct dh_event *event,
                       uint64_t number, struct dh_here here) {
    *site = (struct dh_site){
        .pc = here.pc,
        .frame = here.frame,
        .moment = dh_moment(self),
        .number = number,
        .event = event,
    };
    if (!is_frame(self, here.frame, (uintptr_t)__builtin_frame_address(0))) return;
    site->caller = ((uintptr_t const *)here.frame)[1];
    site->outer = ((uintptr_t const *)here.frame)[0];
    if (is_frame(self, site->outer, here.frame))
        site->outer_caller = ((uintptr_t const *)site->outer)[1];
}

void dh_history_add(struct dh_thread *self, uintptr_t address, size_t size, uint32_t flags,
                    struct dh_here here) {
    struct dh_history *h = self->history;
    if (!h) return;
    uint32_t unit = size <= UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    struct dh_site *site = dh_site_of(self, here.pc);
    if (site->pc == here.pc && site->event->unit == unit && site->event->flags == flags
        && dh_history_continue(self, address, here))
        return;
    if (second_access(self, site, address, flags, unit, here)) return;
    struct dh_event *e = &h->events[h->next % h->size];
    if (e->unit != 0) forget_sites_of(self, h->next - h->size);
    *e = (struct dh_event){
        .address = address,
        .unit = unit,
        .count = 1,
        .flags = flags,
        .epoch = dh_thread_epoch(self),
        .stack = dh_stack_capture(here),
        .lockset = lockset(self),
    };
    site_begin(self, site, e, h->next, here);
    DH_COUNT(self, events);
    __atomic_store_n(&h->next, h->next + 1, __ATOMIC_RELEASE);
}

DH_SLOW __attribute__((noinline)) void dh_history_add_cold(struct dh_thread *self, uintptr_t address,
                                                           size_t size, uint32_t flags,
                                                           struct dh_here here) {
    dh_history_add(self, address, size, flags, here);
}

static void fill_locks(uint32_t set, struct dh_raw_side *side) {
    uint32_t count;
    uint64_t const *values = dh_depot_values(&dh_locksets_depot, set, &count);
    side->lock_count = count / 2;
    for (uint32_t i = 0; i < side->lock_count; i++)
        side->locks[i] = (struct dh_raw_lock){
            .address = values[2 * i],
            .stack = (dh_stack_id)(values[2 * i + 1] >> 1),
            .reader = values[2 * i + 1] & 1,
        };
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
    return n < e->count && distance - n * e->stride < e->unit ? e->address + n * e->stride : 0;
}

bool dh_history_find(struct dh_epoch epoch, enum dh_kind kind, uintptr_t address,
                     struct dh_raw_side *side) {
    bool found = false;
    dh_critical_enter();
    dh_mutex_lock(&ended.lock);
    struct dh_history *h = side->thread->history;
    uint64_t next = h ? __atomic_load_n(&h->next, __ATOMIC_ACQUIRE) : 0;
    for (uint32_t back = 1; h && back < h->size && !found && back <= next - h->size; back++) {
        struct dh_event *at = &h->events[(next - back) % h->size];
        struct dh_event e = *(struct dh_event volatile *)at;
        if (!dh_epoch_equal(e.epoch, epoch) || !same_kind(e.flags, kind)) continue;
        uintptr_t at_access = access_of(&e, address);
        if (at_access == 0) continue;
        /* Its thread goes on writing: believe the copy only if the ring has not come round since, and the
         * event was not replaced while we read it. */
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&h->next, __ATOMIC_ACQUIRE) - (next - back) >= h->size) break;
        side->address = at_access;
        side->size = e.unit;
        side->flags = e.flags;
        side->stack = e.stack;
        side->locks_known = true;
        fill_locks(e.lockset, side);
        found = true;
    }
    dh_mutex_unlock(&ended.lock);
    dh_critical_leave();
    return found;
}
