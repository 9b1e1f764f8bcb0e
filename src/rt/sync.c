/* The moves of docs/happens-before.md. All are short, inside a critical section, under the lock of
 * the object's record; but a lock that a thread takes again needs no lock of ours (rt/last.h), and
 * mostly goes another way (rt/locks.h). */
#include "rt/locks.h"
#include "rt/footprint.h"
#include "rt/options.h"
#include "rt/state.h"
#include "rt/tape.h"

/* Every move begins with this, outside critical sections. */
static bool nothing_to_do(struct dh_thread *self) {
    dh_footprint_commit(self);
    return self->life == DH_FINISHED;
}

/* A lock, or whatever is known by its address alone, has its clock at its first byte. */
static unsigned byte_of(void const *p) { return 1u << (uintptr_t)p % DH_CELL_BYTES; }

static void learn_all(struct dh_thread *self, struct dh_heads const *heads, void const *p) {
    for (uint32_t i = 0; i < heads->count; i++)
        if (heads->list[i].bytes & byte_of(p)) dh_thread_learn(self, &heads->list[i]);
}

static void publish(struct dh_thread *self, struct dh_heads *heads, void const *p) {
    struct dh_snapshot head = dh_thread_publish(self);
    head.bytes = (uint8_t)byte_of(p);
    dh_heads_add(heads, head);
}

/* From now on only this release counts. */
static void set_release(struct dh_thread *self, struct dh_heads *heads, void const *p) {
    dh_heads_end(heads, byte_of(p), DH_NO_THREAD);
    publish(self, heads, p);
}

/* The thread has released here before, and learnt nothing since: only the tick is another. */
static bool renew_release(struct dh_thread *self, struct dh_heads *heads, void const *p) {
    for (uint32_t i = 0; i < heads->count; i++) {
        struct dh_snapshot *head = &heads->list[i];
        if (head->at.slot != self->slot || head->at.tick < self->learnt_at
            || head->bytes != byte_of(p))
            continue;
        head->at.tick = self->tick;
        dh_thread_released(self);
        return true;
    }
    return false;
}

/* This one counts too. Releases that the releaser knows of say nothing that its own does not. */
static void add_release(struct dh_thread *self, struct dh_heads *heads, void const *p) {
    if (renew_release(self, heads, p)) return;
    struct dh_view view = dh_thread_view(self);
    for (uint32_t i = heads->count; i-- > 0;)
        if (heads->list[i].bytes == byte_of(p) && dh_epoch_before(heads->list[i].at, &view)) {
            dh_vc_unref(heads->list[i].vc);
            heads->list[i] = heads->list[--heads->count];
        }
    publish(self, heads, p);
}

/* A move: the running thread, and the object's record, locked, inside a critical section. */
struct move {
    struct dh_thread *self;
    struct dh_record *record; /* null if there is none and none was to be made */
};

static bool move_begin(struct move *m, void const *p, bool make) {
    if (dh_alone_now) return false;
    m->self = dh_self();
    if (nothing_to_do(m->self) || m->self->ignoring_sync) return false;
    if (make) dh_record_prepare((uintptr_t)p);
    dh_critical_enter();
    m->record = make ? dh_record_lock((uintptr_t)p) : dh_record_lock_if_any((uintptr_t)p);
    return true;
}

static void move_end(struct move *m) {
    if (m->record) dh_record_unlock(m->record);
    dh_critical_leave();
}

void dh_acquire(void const *p) {
    struct move m;
    if (!move_begin(&m, p, false)) return;
    if (m.record && m.record->sync) {
        learn_all(m.self, &m.record->sync->releases, p);
        /* Without a record nobody has released anything here: no event is needed. */
        if (DH_UNLIKELY(dh_recording)) dh_tape_wait(m.self, m.record->sync, p);
    }
    move_end(&m);
}

void dh_release(void const *p) {
    struct move m;
    if (!move_begin(&m, p, true)) return;
    set_release(m.self, &dh_record_sync(m.record)->releases, p);
    if (DH_UNLIKELY(dh_recording)) dh_tape_signal(m.self, m.record->sync, p);
    move_end(&m);
}

void dh_release_join(void const *p) {
    struct move m;
    if (!move_begin(&m, p, true)) return;
    add_release(m.self, &dh_record_sync(m.record)->releases, p);
    if (DH_UNLIKELY(dh_recording)) dh_tape_signal(m.self, m.record->sync, p);
    move_end(&m);
}

/* With the last release of a lock where it is; that of an atomic object would be in the way. */
static struct dh_record *record_lock(uintptr_t address, bool make) {
    struct dh_record *r = dh_record_lock_as_is(address, make);
    if (r && DH_UNLIKELY(dh_last_is_atomic(r->last))) dh_last_spill(r);
    return r;
}

void dh_sync_gone(void const *p) {
    if (dh_alone_now || nothing_to_do(dh_self())) return;
    dh_critical_enter();
    struct dh_record *r = record_lock((uintptr_t)p, false);
    if (r && dh_last_is_of(r->last, p)) dh_last_end(r);
    if (r && r->sync) {
        dh_heads_end(&r->sync->releases, byte_of(p), DH_NO_THREAD);
        dh_heads_end(&r->sync->readers, byte_of(p), DH_NO_THREAD);
        dh_tape_gone(r->sync, p);
    }
    if (r) dh_record_unlock(r);
    dh_critical_leave();
}

/* ---- locks ----
 * What is held is known from the start, also of locks taken before there was a second thread. */

static void held_remove(struct dh_thread *self, struct dh_held *h) {
    struct dh_held const *last = &self->held[--self->held_count];
    for (; h < last; h++)
        *h = h[1];
    dh_moment_begins(self);
}

static void learn(struct dh_thread *self, void const *p, bool reader, struct dh_held *held,
                  uint32_t levels, uintptr_t pc) {
    /* On the tape a lock is something from the first time on that it is taken. */
    struct dh_record *r = record_lock((uintptr_t)p, dh_recording);
    if (!r) return;
    if (dh_last_is_of(r->last, p)) {
        struct dh_snapshot last = {.vc = r->last_vc, .at = dh_last_epoch(r->last)};
        dh_thread_learn(self, &last);
    }
    if (r->sync) {
        learn_all(self, &r->sync->releases, p);
        if (!reader) learn_all(self, &r->sync->readers, p);
    }
    if (DH_UNLIKELY(dh_recording)) dh_tape_locked(self, dh_record_sync(r), p, held, levels, pc);
    dh_record_unlock(r);
}

void dh_lock_learn(struct dh_thread *self, void const *p, bool reader) {
    if (!dh_alone_now && !dh_last_known(self, p, reader))
        learn(self, p, reader, &self->held[self->held_count - 1], 1, 0);
}

static void lock_acquired(struct dh_thread *self, void const *p, bool reader, uint32_t levels,
                          dh_stack_id stack, uintptr_t pc) {
    struct dh_held *held = dh_held_find(self, p);
    if (held) {
        held->levels += levels;
        dh_moment_begins(
            self); /* as the caller's context expects of a lock (dh_context_expect_lock) */
    } else {
        if (self->held_count == self->held_room)
            self->held = dh_grow(self->held, self->held_count, &self->held_room, sizeof *held);
        held = dh_held_put(self, p, reader, levels, stack);
    }
    if (dh_alone_now || self->ignoring_sync) return;
    if (DH_UNLIKELY(dh_recording) || !dh_last_known(self, p, reader))
        learn(self, p, reader, held, levels, pc);
}

/* Before lock_acquired, outside critical sections. */
static void lock_prepare(void const *p) {
    if (DH_UNLIKELY(dh_recording) && !dh_alone_now) dh_record_prepare((uintptr_t)p);
}

void dh_lock_acquired_slow(void const *frame, void const *p, bool reader, dh_stack_id stack) {
    if (!dh_options.enabled) return;
    struct dh_thread *self = dh_self();
    if (nothing_to_do(self)) return;
    lock_prepare(p);
    dh_critical_enter();
    lock_acquired(self, p, reader, 1, stack, dh_here_in(frame).pc);
    dh_critical_leave();
}

void dh_lock_acquired(void const *p, bool reader, struct dh_here here) {
    struct dh_link const frame = {.outer = here.frame, .caller = here.pc};
    dh_lock_acquired_in(&frame, p, reader, dh_lock_stack(&frame));
}

/* As the thread released it last. False: nothing was done. */
static inline __attribute__((always_inline)) bool lock_renew(struct dh_thread *self, void const *p,
                                                             struct dh_held const *held) {
    return held && !held->lock.reader && !dh_recording && dh_last_renew(self, p);
}

/* Publishes at every level of a recursive lock. Only the outermost matters, because nobody else can
 * have the lock before; but which one that is cannot be told when the program's locks are unlocked
 * by threads other than their holders. */
static __attribute__((noinline)) void lock_release(struct dh_thread *self, void const *p,
                                                   struct dh_held *held, uint32_t levels) {
    struct dh_record *r = record_lock((uintptr_t)p, true);
    if (!held) { /* another thread locked it, in whatever mode */
        if (dh_last_is_of(r->last, p)) dh_last_spill(r);
        add_release(self, &dh_record_sync(r)->releases, p);
    } else if (held->lock.reader) {
        add_release(self, &dh_record_sync(r)->readers, p);
        dh_last_read(r, p);
    } else if (!dh_last_set(r, self, p)) {
        struct dh_sync *sync = dh_record_sync(r);
        dh_heads_end(&sync->readers, byte_of(p), DH_NO_THREAD); /* the writer acquired them */
        set_release(self, &sync->releases, p);
    }
    if (DH_UNLIKELY(dh_recording)) dh_tape_unlocking(self, dh_record_sync(r), p, held, levels);
    dh_record_unlock(r);
}

static bool has_record(void const *p) {
    return dh_cell_is_record(__atomic_load_n(dh_shadow((uintptr_t)p), __ATOMIC_RELAXED));
}

void dh_lock_releasing_slow(void const *p) {
    if (!dh_options.enabled) return;
    struct dh_thread *self = dh_self();
    if (nothing_to_do(self)) return;
    dh_critical_enter();
    struct dh_held *held = dh_held_find(self, p);
    if (!dh_alone_now && !self->ignoring_sync && !lock_renew(self, p, held)) {
        if (!has_record(p)) {
            dh_critical_leave();
            dh_record_prepare((uintptr_t)p);
            dh_critical_enter();
            held = dh_held_find(self, p); /* a handler may have had locks, too */
        }
        lock_release(self, p, held, 1);
    }
    if (held && --held->levels == 0) held_remove(self, held);
    dh_critical_leave();
}

void dh_lock_releasing(void const *p) { dh_lock_releasing_quick(p); }

uint32_t dh_lock_wait_begin(void const *p) {
    if (dh_alone_now) return 0;
    struct dh_thread *self = dh_self();
    if (nothing_to_do(self)) return 0;
    dh_record_prepare((uintptr_t)p);
    dh_critical_enter();
    struct dh_held *held = dh_held_find(self, p);
    uint32_t levels = held ? held->levels : 1;
    if (!self->ignoring_sync && !lock_renew(self, p, held)) lock_release(self, p, held, levels);
    if (held) held_remove(self, held);
    dh_critical_leave();
    return levels;
}

void dh_lock_wait_end(void const *p, uint32_t levels, struct dh_here here) {
    if (dh_alone_now) return;
    struct dh_thread *self = dh_self();
    if (nothing_to_do(self)) return;
    dh_stack_id stack = dh_stack_capture(here);
    lock_prepare(p);
    dh_critical_enter();
    lock_acquired(self, p, false, levels ? levels : 1, stack, here.pc);
    dh_critical_leave();
}

void dh_locks_tape(struct dh_thread *self) {
    for (uint32_t i = 0; i < self->held_count; i++) {
        void const *p = (void const *)self->held[i].lock.address;
        dh_record_prepare((uintptr_t)p);
        dh_critical_enter();
        struct dh_record *r = dh_record_lock((uintptr_t)p);
        dh_tape_locked(self, dh_record_sync(r), p, &self->held[i], self->held[i].levels, 0);
        dh_record_unlock(r);
        dh_critical_leave();
    }
}
