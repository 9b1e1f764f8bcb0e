/* Threads: slots, clocks, life and death. */
#include "rt/epochs.h"
#include "rt/footprint.h"
#include "rt/gathers.h"
#include "rt/history.h"
#include "rt/intercept/intercept.h"
#include "rt/loops.h"
#include "rt/options.h"
#include "rt/parts.h"
#include "rt/rolls.h"
#include "rt/stats.h"
#include "rt/state.h"
#include "rt/tape.h"
#include "rt/trails.h"

#include <sys/syscall.h>

/* A thread that was made without us is noticed at its first access. */
__attribute__((visibility("default"))) _Thread_local struct dh_tls __dh_tls = {
    .epoch = DH_WORD_STRANGER,
    .readset = DH_WORD_STRANGER,
    .trail.begin = 1, /* no address is between this and an end of 0 */
};
bool dh_alone_now = true;
struct dh_thread *dh_live_threads;
enum { SLOTS = 1 << 24, THREADS = 1 << 27, HANDLE_BUCKETS = 1024, REUSE_LOOKS = 32 };

/* Which thread was in a slot, from which tick on; the newest first. */
struct owner {
    struct dh_thread *thread;
    dh_tick first;
    struct owner *older;
};

/* A slot whose thread is gone. Another thread may go on in it, exactly if its creator knows all
 * that was done in it: then the old thread's end is ordered before the new one's start anyway, and
 * one timeline for both adds nothing. */
struct retired {
    dh_slot slot;
    dh_tick last;
};

static struct {
    struct dh_mutex lock;
    dh_slot next_slot;
    uint32_t next_number;
    struct owner **owners; /* by slot */
    struct retired *retired;
    uint32_t retired_count, retired_room;
    uint32_t look_next;
    struct dh_thread *by_handle[HANDLE_BUCKETS];
    struct dh_thread *all;
    struct dh_thread **by_number;
} registry;

bool dh_alone(void) { return dh_alone_now; }

/* ---- slots ---- */

static void owner_add_locked(dh_slot slot, struct dh_thread *thread, dh_tick first) {
    struct owner *owner = dh_alloc(sizeof *owner);
    *owner = (struct owner){thread, first, registry.owners[slot]};
    __atomic_store_n(&registry.owners[slot], owner, __ATOMIC_RELEASE);
}

static void slot_take_locked(struct dh_thread *thread, dh_slot slot, dh_tick tick) {
    thread->slot = slot;
    thread->own = thread->others = dh_bound_up_to(slot, UINT32_MAX);
    thread->tick = thread->learnt_at = tick;
    owner_add_locked(slot, thread, tick);
}

static void slot_fresh_locked(struct dh_thread *thread) {
    if (registry.next_slot == SLOTS)
        dh_die("more than %d threads whose end no other thread ever learnt of (detached, never "
               "synchronised with): their accesses cannot be told apart any more",
               SLOTS);
    slot_take_locked(thread, registry.next_slot++, 1);
}

static bool slot_try_locked(struct dh_thread *thread, struct dh_view const *creator,
                            struct retired *r) {
    if (dh_view_tick(creator, r->slot) < r->last || r->last == DH_TICK_LAST) return false;
    slot_take_locked(thread, r->slot, r->last + 1);
    *r = registry.retired[--registry.retired_count];
    return true;
}

/* A retired slot that the creator knows to the end: one of the newest, else one of a few that come
 * in turn. Else those whose end nobody gets to know would hide the others for good. */
static bool slot_reuse_locked(struct dh_thread *thread, struct dh_view const *creator) {
    uint32_t count = registry.retired_count, looks = count < REUSE_LOOKS ? count : REUSE_LOOKS;
    for (uint32_t i = 0; i < looks; i++)
        if (slot_try_locked(thread, creator, &registry.retired[count - 1 - i])) return true;
    for (uint32_t i = 0; i < looks; i++) {
        if (registry.look_next >= count) registry.look_next = 0;
        if (slot_try_locked(thread, creator, &registry.retired[registry.look_next++])) return true;
    }
    return false;
}

static void slot_retire_locked(dh_slot slot, dh_tick last) {
    registry.retired = dh_grow(registry.retired, registry.retired_count, &registry.retired_room,
                               sizeof *registry.retired);
    registry.retired[registry.retired_count++] = (struct retired){slot, last};
}

struct dh_thread *dh_thread_at(struct dh_epoch epoch) {
    struct owner *o = __atomic_load_n(&registry.owners[epoch.slot], __ATOMIC_ACQUIRE);
    while (o->first > epoch.tick)
        o = o->older;
    return o->thread;
}

/* ---- clocks ---- */

/* The slot has no ticks left: the thread goes on in a fresh one, knowing all of its own past. */
DH_COLD void dh_thread_move_to_fresh_slot(struct dh_thread *self) {
    struct dh_epoch last = dh_thread_epoch(self);
    dh_mutex_lock(&registry.lock);
    slot_fresh_locked(self);
    dh_mutex_unlock(&registry.lock);
    dh_epochs_new_slot(self);
    dh_vc_note(&self->vc, last);
}

void dh_thread_learn_vc(struct dh_thread *self, struct dh_vc const *what) {
    if (!what || what == self->vc) return;
    bool news = false;
    struct dh_view view = dh_thread_view(self);
    for (uint32_t s = 0; s < what->size; s++)
        news |= what->ticks[s] > (s < view.size ? view.ticks[s] : 0) && s != self->slot;
    if (!news) return;
    dh_footprint_must_be_empty(self);
    dh_thread_tick(self);
    dh_vc_join(&self->vc, what);
    self->learnt_at = self->tick;
}

void dh_thread_learn(struct dh_thread *self, struct dh_snapshot const *what) {
    struct dh_view view = dh_thread_view(self);
    if (what->at.tick == 0 || dh_epoch_before(what->at, &view)) return;
    dh_footprint_must_be_empty(self);
    dh_thread_tick(self);
    dh_vc_learn(&self->vc, what->vc, what->at);
    self->learnt_at = self->tick;
}

struct dh_snapshot dh_thread_publish(struct dh_thread *self) {
    dh_footprint_must_be_empty(self);
    dh_thread_released(self);
    return (struct dh_snapshot){
        .vc = dh_vc_ref(self->vc), .at = dh_thread_epoch(self), .thread = self->number};
}

dh_word dh_thread_open_epoch(struct dh_thread *self) {
    if (__dh_tls.epoch != DH_WORD_NOMATCH) return __dh_tls.epoch;
    dh_thread_tick(self);
    return dh_epoch_open(self);
}

/* ---- life ---- */

static struct dh_thread *thread_new_locked(void) {
    struct dh_thread *t = dh_alloc(sizeof *t);
    t->places = &dh_no_places;
    t->recorded = dh_recording;
    if (registry.next_number == THREADS) dh_die("more than %d threads in one run", THREADS);
    t->number = registry.next_number;
    __atomic_store_n(&registry.by_number[t->number], t, __ATOMIC_RELEASE);
    __atomic_store_n(&registry.next_number, t->number + 1, __ATOMIC_RELEASE);
    dh_moment_begins(t);
    t->next = registry.all;
    t->next_live = dh_live_threads;
    registry.all = t;
    dh_live_threads = t;
    return t;
}

static void attach(struct dh_thread *self) {
    self->tls = &__dh_tls;
    self->critical = &__dh_critical;
    self->os_id = (uint64_t)dh_syscall(SYS_gettid, 0l, 0l, 0l, 0l, 0l, 0l);
    self->life = DH_RUNNING;
    __dh_tls.self = self;
    __dh_critical.owner = self->number + 1;
    __dh_critical.known = 1;
    __dh_tls.gathered = 0;
    dh_trail_end(&__dh_tls);
    dh_thread_forget_epoch();
}

void dh_thread_init_main(void) {
    registry.owners = dh_reserve(SLOTS * sizeof *registry.owners);
    registry.by_number = dh_reserve(THREADS * sizeof *registry.by_number);
    if (!registry.owners || !registry.by_number)
        dh_die("cannot reserve address space for threads (ulimit -v?)");
    struct dh_thread *main = thread_new_locked();
    slot_fresh_locked(main);
    attach(main);
    dh_stack_of_main(&main->stack_low, &main->stack_high);
    /* Alone: untouched cells match, nothing is recorded. */
    __dh_tls.epoch = __dh_tls.readset = 0;
}

/* No handler of the program runs in the middle of this. The one thread that there was is the running
 * one, or, if a second was made without us, outside critical sections: the world is stopped. */
void dh_thread_no_longer_alone(void) {
    uint64_t signals = dh_signals_block();
    dh_alone_now = false;
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live)
        dh_tls_forget_epoch(t->tls);
    dh_barrier_everywhere(); /* registers with the kernel, which is cheap only now */
    dh_tape_begin();
    if (dh_loops_used) dh_signals_watch_ends();
    dh_signals_restore(signals);
}

struct dh_thread *dh_thread_create(struct dh_here here) {
    if (!dh_options.enabled) return 0;
    struct dh_thread *self = dh_self();
    if (dh_alone_now) dh_thread_no_longer_alone();
    dh_footprint_commit(self);
    dh_stack_id created = dh_stack_capture(here);
    dh_critical_enter();
    struct dh_snapshot known = dh_thread_publish(self);
    struct dh_view view = dh_thread_view(self);
    dh_mutex_lock(&registry.lock);
    struct dh_thread *child = thread_new_locked();
    if (!slot_reuse_locked(child, &view)) slot_fresh_locked(child);
    child->vc = known.vc;
    child->creator = self->number;
    child->created = created;
    if (DH_UNLIKELY(dh_recording)) dh_tape_fork(self, child);
    dh_mutex_unlock(&registry.lock);
    dh_vc_note(&child->vc, known.at);
    dh_critical_leave();
    return child;
}

static void live_remove_locked(struct dh_thread *t) {
    struct dh_thread **link = &dh_live_threads;
    while (*link != t)
        link = &(*link)->next_live;
    *link = t->next_live;
}

/* Nobody will join the thread, any more. */
static void clock_forget_locked(struct dh_thread *t) {
    dh_vc_unref(t->vc);
    t->vc = 0;
}

void dh_thread_create_failed(struct dh_thread *child) {
    if (!child) return;
    dh_critical_enter();
    dh_mutex_lock(&registry.lock);
    live_remove_locked(child);
    slot_retire_locked(child->slot, child->tick);
    child->life = DH_FINISHED;
    clock_forget_locked(child);
    dh_mutex_unlock(&registry.lock);
    dh_critical_leave();
}

static struct dh_thread **bucket_of(uintptr_t handle) {
    return &registry.by_handle[(handle >> 12) % HANDLE_BUCKETS];
}

static void handle_remove_locked(struct dh_thread *t) {
    for (struct dh_thread **link = bucket_of(t->handle); *link; link = &(*link)->next_handle)
        if (*link == t) {
            *link = t->next_handle;
            return;
        }
}

void dh_thread_created(struct dh_thread *child, uintptr_t handle, bool detached) {
    if (!child) return;
    dh_critical_enter();
    dh_mutex_lock(&registry.lock);
    child->handle = handle;
    child->detached = detached;
    /* It may have ended already; then only a join will still ask for it. */
    if (!(detached && child->life == DH_FINISHED)) {
        child->next_handle = *bucket_of(handle);
        *bucket_of(handle) = child;
    }
    dh_mutex_unlock(&registry.lock);
    if (DH_UNLIKELY(dh_recording) && child != __dh_tls.self) dh_tape_forked_thread(__dh_tls.self);
    dh_critical_leave();
}

void dh_thread_started(struct dh_thread *self) {
    if (!self) return;
    attach(self);
    dh_history_attach(self);
}

/* The thread is the running one, or a fiber that nobody runs. */
static bool thread_end(struct dh_thread *t) {
    dh_critical_enter();
    struct dh_snapshot end = dh_thread_publish(t);
    dh_vc_unref(end.vc); /* t->vc is the same, and stays */
    dh_history_detach(t);
    if (DH_UNLIKELY(dh_recording)) dh_tape_exit(t);
    dh_free(t->held, t->held_room * sizeof *t->held);
    t->held = 0;
    t->held_count = t->held_room = 0;
    dh_sharing_end(t);
    dh_free(t->memos, sizeof *t->memos);
    t->memos = 0;
    if (t == __dh_tls.self) {
        __dh_tls.gathered = 0;
        dh_trail_end(&__dh_tls);
    }
    dh_free(t->gathers, sizeof *t->gathers);
    t->gathers = 0;
    dh_turns_end(t);
    dh_footprint_free(t);
    dh_epochs_put_back(t);
    dh_vc_unref(t->fence_acquire);
    t->fence_acquire = 0;
    dh_vc_unref(t->fence_release.vc);
    t->fence_release.vc = 0;
    t->fence_released = false;
    dh_vc_spares_free();
    dh_mutex_lock(&registry.lock);
    live_remove_locked(t);
    dh_trail_free(t);
    slot_retire_locked(t->slot, t->tick);
    t->life = DH_FINISHED;
    t->ignoring++; /* libc still has a little to do on this thread */
    if (t == __dh_tls.self) __dh_critical.known = 0;
    t->tls = 0;
    t->critical = 0;
    if (t->detached) {
        handle_remove_locked(t);
        clock_forget_locked(t);
    }
    bool others = dh_live_threads && dh_live_threads->number != 0; /* the first is the oldest */
    dh_mutex_unlock(&registry.lock);
    dh_critical_leave();
    return others;
}

bool dh_thread_finished(void) {
    if (!__dh_tls.self) return true;
    dh_footprint_commit(__dh_tls.self);
    return thread_end(__dh_tls.self);
}

/* ---- fibers ---- */

void dh_thread_switch(struct dh_thread *to) {
    struct dh_thread *from = __dh_tls.self;
    if (to == from) return;
    bool first = to->life == DH_CREATED;
    dh_footprint_commit(from);
    dh_critical_enter();
    dh_mutex_lock(&registry.lock);
    from->tls = 0;
    from->critical = 0;
    attach(to);
    dh_mutex_unlock(&registry.lock);
    if (first) dh_history_attach(to);
    dh_critical_leave();
}

void dh_thread_fiber_end(struct dh_thread *fiber) {
    if (fiber->life == DH_FINISHED) return;
    fiber->detached = true; /* nobody joins it */
    thread_end(fiber);
}

struct dh_thread *dh_thread_find(uintptr_t handle) {
    if (dh_alone_now) return 0;
    dh_critical_enter();
    dh_mutex_lock(&registry.lock);
    struct dh_thread *t = *bucket_of(handle);
    while (t && t->handle != handle)
        t = t->next_handle;
    dh_mutex_unlock(&registry.lock);
    dh_critical_leave();
    return t;
}

void dh_thread_joined(struct dh_thread *joined) {
    if (!joined) return;
    struct dh_thread *self = dh_self();
    dh_footprint_commit(self);
    dh_critical_enter();
    struct dh_snapshot end = {.vc = joined->vc, .at = dh_thread_epoch(joined)};
    dh_thread_learn(self, &end);
    if (DH_UNLIKELY(dh_recording)) dh_tape_join(self, joined);
    dh_mutex_lock(&registry.lock);
    handle_remove_locked(joined);
    if (joined->life == DH_FINISHED) clock_forget_locked(joined); /* the first thread may go on */
    dh_mutex_unlock(&registry.lock);
    dh_critical_leave();
}

void dh_thread_detached(struct dh_thread *thread) {
    if (!thread) return;
    dh_critical_enter();
    dh_mutex_lock(&registry.lock);
    thread->detached = true;
    if (thread->life == DH_FINISHED) {
        handle_remove_locked(thread);
        clock_forget_locked(thread);
    }
    dh_mutex_unlock(&registry.lock);
    dh_critical_leave();
}

/* Everything that any thread has done so far, with the world stopped. */
static struct dh_vc *known_to_all_together(void) {
    struct dh_vc *known = 0;
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live) {
        dh_vc_join(&known, t->vc);
        dh_vc_note(&known, dh_thread_epoch(t));
        t->released = true;
        if (t->tls) dh_tls_forget_epoch(t->tls);
    }
    return known;
}

/* A thread that we first hear of in the middle of its life: made by clone(2), or by libc for
 * itself. Who made it is not known, so it is taken to know everything that anybody has done: a race
 * that this hides is better than one that is not there. */
DH_COLD bool dh_stranger_is_alone(void) {
    if (dh_options.enabled) {
        dh_thread_adopt();
        return false;
    }
    __dh_tls.epoch = __dh_tls.readset = 0; /* untouched cells match, as all are */
    return true;
}

DH_COLD struct dh_thread *dh_thread_adopt(void) {
    dh_world_stop();
    if (dh_alone_now) dh_thread_no_longer_alone();
    dh_mutex_lock(&registry.lock);
    struct dh_vc *known = known_to_all_together();
    struct dh_thread *self = thread_new_locked();
    slot_fresh_locked(self);
    self->vc = known;
    self->adopted = self->detached = true;
    if (DH_UNLIKELY(dh_recording)) dh_tape_adopt(self);
    dh_mutex_unlock(&registry.lock);
    attach(self);
    dh_history_attach(self);
    dh_world_go();
    dh_thread_watch_end();
    return self;
}

/* A thread on the list has its thread-local storage; one that leaves the list needs our lock. So
 * depths are only looked at under the lock. */
static bool inside_locked(struct dh_thread const *t) {
    return t->critical && __atomic_load_n(&t->critical->depth, __ATOMIC_ACQUIRE) != 0;
}

/* Other than the running thread. */
static bool strangers_inside(void) {
    return __atomic_load_n(&dh_strangers_inside, __ATOMIC_ACQUIRE) != __dh_critical.counted;
}

bool dh_thread_inside(struct dh_thread const *thread) {
    dh_mutex_lock(&registry.lock);
    /* One that has left the list may still be at work, for libc. */
    bool inside = thread->critical ? inside_locked(thread) : strangers_inside();
    dh_mutex_unlock(&registry.lock);
    return inside;
}

void dh_live_wait(void) {
    for (;;) { /* after a pause the walk begins again */
        dh_mutex_lock(&registry.lock);
        struct dh_thread *t = dh_live_threads;
        while (t && (t == __dh_tls.self || !inside_locked(t)))
            t = t->next_live;
        dh_mutex_unlock(&registry.lock);
        if (!t && !strangers_inside()) return;
        dh_syscall(SYS_sched_yield, 0l, 0l, 0l, 0l, 0l, 0l);
    }
}

void dh_live_forget_gathers(void) {
    dh_mutex_lock(&registry.lock);
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live)
        if (t->tls) {
            __atomic_store_n(&t->tls->gathering, 0, __ATOMIC_RELAXED);
            __atomic_store_n(&t->tls->trail.limit, 0, __ATOMIC_RELAXED);
        }
    dh_mutex_unlock(&registry.lock);
}

bool dh_live_any(bool (*of)(struct dh_thread *thread, void const *context), void const *context) {
    bool any = false;
    dh_critical_enter();
    dh_mutex_lock(&registry.lock);
    for (struct dh_thread *t = dh_live_threads; t && !any; t = t->next_live)
        any = of(t, context);
    dh_mutex_unlock(&registry.lock);
    dh_critical_leave();
    return any;
}

void dh_threads_after_fork(struct dh_thread *self) {
    registry.lock.state = 0;
    dh_strangers_inside = __dh_critical.counted;
    /* The child has its own copy of memory: what other threads did to the original is history to
     * it. */
    struct dh_vc *known = dh_alone_now ? 0 : known_to_all_together();
    struct dh_thread *all = dh_live_threads;
    dh_live_threads = 0;
    for (struct dh_thread *t = all, *next; t; t = next) {
        next = t->next_live;
        /* A fiber that nobody was running can go on in the child. */
        if (t == self || (t->fiber && !t->critical)) {
            t->next_live = dh_live_threads;
            dh_live_threads = t;
            dh_thread_learn_vc(t, known);
            continue;
        }
        t->life = DH_FINISHED;
        t->tls = 0;
        t->critical = 0;
    }
    if (self) self->os_id = (uint64_t)dh_syscall(SYS_gettid, 0l, 0l, 0l, 0l, 0l, 0l);
    dh_vc_unref(known);
    dh_trails_after_fork();
}

void dh_thread_set_name(struct dh_thread *thread, char const *name) {
    if (!thread) return;
    size_t n = dh_length(name);
    if (n > sizeof thread->name - 1) n = sizeof thread->name - 1;
    dh_copy(thread->name, name, n);
    thread->name[n] = 0;
}

void dh_ignore_begin(void) {
    if (dh_alone_now) return;
    struct dh_thread *self = dh_self();
    dh_footprint_commit(self);
    self->ignoring++;
    dh_critical_enter();
    dh_thread_forget_epoch();
    dh_trail_end(&__dh_tls);
    dh_critical_leave();
}

void dh_ignore_end(void) {
    struct dh_thread *self = __dh_tls.self;
    if (self && self->ignoring > 0) self->ignoring--;
}

void dh_ignore_sync_begin(void) {
    if (!dh_alone_now) dh_self()->ignoring_sync++;
}

void dh_ignore_sync_end(void) {
    struct dh_thread *self = __dh_tls.self;
    if (self && self->ignoring_sync > 0) self->ignoring_sync--;
}

struct dh_ignored dh_ignore_suspend(void) {
    struct dh_thread *self = __dh_tls.self;
    if (!self || self->life == DH_FINISHED) return (struct dh_ignored){0, 0};
    struct dh_ignored was = {self->ignoring, self->ignoring_sync};
    self->ignoring = self->ignoring_sync = 0;
    return was;
}

void dh_ignore_resume(struct dh_ignored was) {
    if (was.sync) __dh_tls.self->ignoring_sync = was.sync;
    if (!was.accesses) return;
    dh_footprint_commit(__dh_tls.self); /* while nothing is ignored */
    __dh_tls.self->ignoring = was.accesses - 1;
    dh_ignore_begin();
}

/* ---- for reports ---- */

struct dh_thread *dh_all_threads(void) {
    return registry.all;
}

void dh_thread_describe(struct dh_thread const *thread, struct dh_raw_thread *to) {
    *to = (struct dh_raw_thread){
        .number = thread->number,
        .creator = thread->creator,
        .os_id = thread->os_id,
        .running = thread->life != DH_FINISHED,
        .created = thread->created,
        .stack_low = thread->stack_low,
        .stack_high = thread->stack_high,
    };
    dh_copy(to->name, thread->name, sizeof to->name);
}

struct dh_thread *dh_thread_of_stack(uintptr_t address) {
    for (struct dh_thread *t = registry.all; t; t = t->next)
        if (t->life == DH_RUNNING && t->stack_low <= address && address < t->stack_high
            && t->stack_low)
            return t;
    return 0;
}

struct dh_thread *dh_thread_by_number(uint32_t number) {
    return number < __atomic_load_n(&registry.next_number, __ATOMIC_ACQUIRE)
               ? __atomic_load_n(&registry.by_number[number], __ATOMIC_ACQUIRE)
               : 0;
}
