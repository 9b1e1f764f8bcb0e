/* The short way of an atomic operation. Most are on an object within a cell that has a record: the
 * same steps as in rt/atomic_steps.h, without a struct to keep them in. There is no judge, and no
 * tape. Loads where there is no record of their own may take a turn (rt/rolls.h).
 */
#ifndef DEADHEAT_RT_ATOMIC_SHORT_H
#define DEADHEAT_RT_ATOMIC_SHORT_H

#include "rt/atomic_steps.h"

/* The running thread, if nothing stands against it; else null. */
INLINED struct dh_thread *short_self(uintptr_t address, size_t size) {
    struct dh_thread *self = __dh_tls.self;
    if (dh_alone_now || DH_UNLIKELY(dh_recording) || DH_UNLIKELY(!self)) return 0;
    if (DH_UNLIKELY((self->ignoring | self->ignoring_sync | self->pending) != 0)) return 0;
    return size <= DH_CELL_BYTES && address % DH_CELL_BYTES + size <= DH_CELL_BYTES ? self : 0;
}

static __attribute__((noinline, preserve_most)) void short_fresh_slot(struct dh_thread *self) {
    dh_thread_tick(self);
}

/* Begins the critical section. */
INLINED dh_cell short_enter(struct dh_thread *self, uintptr_t address) {
    dh_critical_enter();
    if (self->released) {
        if (DH_LIKELY(self->tick != DH_TICK_LAST))
            dh_thread_tick(self);
        else
            short_fresh_slot(self);
    }
    return __atomic_load_n(dh_shadow(address), __ATOMIC_ACQUIRE);
}

/* The record that the cell was found to be, locked; or null, and the critical section is over. */
INLINED struct dh_record *short_lock(uintptr_t address, dh_cell cell) {
    struct dh_record *r = 0;
    if (DH_LIKELY(dh_cell_has_record(cell))) r = dh_record_lock_found(dh_shadow(address), cell);
    if (DH_UNLIKELY(!r)) dh_critical_leave();
    return r;
}

/* For an operation that may write. Null: nothing was done. */
INLINED struct dh_record *short_begin(struct dh_thread *self, uintptr_t address) {
    return DH_LIKELY(self != 0) ? short_lock(address, short_enter(self, address)) : 0;
}

/* ---- the end ---- */

/* What is rare goes on in a function of its own, which is jumped to: so the usual way keeps
 * nothing for afterwards, and needs few registers. The operation was done, and its value is what
 * that returns. */
#define SHORT_REST                                                                       \
    struct dh_record *r, uintptr_t address, uint32_t what, uint64_t value, uintptr_t pc, \
        uintptr_t frame
enum shorts { SHORT_LOAD, SHORT_STORE, SHORT_MODIFY };
INLINED uint32_t short_what(size_t size, enum shorts kind, uint32_t order) {
    return (uint32_t)size | (uint32_t)kind << 8 | order << 16;
}
INLINED enum shorts short_kind(uint32_t what) { return what >> 8 & 0xff; }
INLINED enum dh_kind short_access(enum shorts kind) {
    return kind == SHORT_LOAD ? DH_ATOMIC_READ : DH_ATOMIC_WRITE;
}

static void short_step(struct step *s, SHORT_REST) {
    (void)value;
    s->self = __dh_tls.self;
    s->address = address;
    s->size = what & 0xff;
    s->here = (struct dh_here){pc, frame};
    s->bytes[0] = quick_bytes(address, s->size);
    s->turns = false;
    s->quick = true;
    at_record(s, r);
}

/* The access was news. The critical section ends. */
static __attribute__((noinline)) uint64_t short_news(uintptr_t address, uint32_t size,
                                                     uint32_t flags, uintptr_t pc, uintptr_t frame,
                                                     uint64_t value) {
    struct dh_thread *self = __dh_tls.self;
    dh_history_note(self, address, size, flags, (struct dh_here){pc, frame});
    DH_COUNT(self, record_steps);
    dh_critical_leave();
    __asm__("" : "+r"(value)); /* else who jumps here would rather call, and keep it */
    return value;
}
INLINED uint64_t short_noted(uintptr_t address, size_t size, enum dh_kind kind, struct dh_here here,
                             uint64_t value) {
    uint32_t flags = DH_ACCESS_ATOMIC | (kind == DH_ATOMIC_WRITE ? DH_ACCESS_WRITE : 0);
    return short_news(address, (uint32_t)size, flags, here.pc, here.frame, value);
}
INLINED uint64_t short_nothing_new(struct dh_thread *self, uint64_t value) {
    DH_COUNT(self, record_steps);
    dh_critical_leave();
    return value;
}

/* A load that said nothing new. */
static __attribute__((noinline)) uint64_t short_seen_again(SHORT_REST) {
    (void)pc, (void)frame;
    quick_seen(r, address, what & 0xff, what >> 16);
    dh_record_unlock(r);
    return short_nothing_new(__dh_tls.self, value);
}

/* Where there are plain accesses at the record, or to neighbours, or no room. */
static __attribute__((noinline)) uint64_t short_end_slow(SHORT_REST) {
    struct step s;
    short_step(&s, r, address, what, value, pc, frame);
    /* There is no tape, so only the kind of the access matters. */
    quick_end(&s, short_kind(what) == SHORT_LOAD ? DH_OP_LOAD : DH_OP_STORE,
              short_access(short_kind(what)), what >> 16);
    return value;
}

/* When the access is on record, which was news or not. `here` may be null, as in short_end. */
INLINED uint64_t short_over(struct dh_thread *self, struct dh_record *r, uintptr_t address,
                            size_t size, enum shorts shorts, uint32_t order,
                            struct dh_here const *here, uint64_t value, bool changed) {
    enum dh_kind kind = short_access(shorts);
    if (kind == DH_ATOMIC_READ && !changed)
        return short_seen_again(r, address, short_what(size, shorts, order), value, 0, 0);
    dh_record_unlock(r);
    if (!changed) return short_nothing_new(self, value);
    return short_noted(address, size, kind, here ? *here : DH_HERE, value);
}

INLINED bool short_is_alike(struct dh_thread *self, struct dh_record *r, uint8_t bytes) {
    return r->alike == bytes && r->count != r->room && self->vc;
}

/* Where several threads use the object, and are not ordered. */
static __attribute__((noinline)) uint64_t short_end_several(SHORT_REST) {
    struct dh_thread *self = __dh_tls.self;
    struct dh_here here = {pc, frame};
    enum shorts kind = short_kind(what);
    size_t size = what & 0xff;
    struct dh_access access = {.epoch = dh_thread_epoch(self),
                               .mask = quick_bytes(address, size),
                               .kind = (uint8_t)short_access(kind)};
    struct dh_view view = dh_thread_view(self);
    bool changed;
    if (DH_UNLIKELY(!short_is_alike(self, r, access.mask))
        || DH_UNLIKELY(!dh_entries_atomic(r->entries, &r->count, access, &view, &changed)))
        return short_end_slow(r, address, what, value, pc, frame);
    return short_over(self, r, address, size, kind, what >> 16, &here, value, changed);
}

/* The access is put on record, and the record is let go. Where `here` is null, it is the caller
 * of this function: so that nobody keeps it until then. */
INLINED uint64_t short_end(struct dh_thread *self, struct dh_record *r, uintptr_t address,
                           size_t size, enum shorts kind, uint32_t order,
                           struct dh_here const *here, uint64_t value) {
    struct dh_access access = {.epoch = dh_thread_epoch(self),
                               .mask = quick_bytes(address, size),
                               .kind = (uint8_t)short_access(kind)};
    bool changed, done = false;
    if (DH_LIKELY(short_is_alike(self, r, access.mask))) {
        struct dh_vc const *known = self->vc;
        struct dh_view view = {known->ticks, known->size, access.epoch.slot, access.epoch.tick};
        done = dh_entries_in_turn(r->entries, &r->count, access, &view, &changed);
    }
    if (DH_UNLIKELY(!done)) {
        struct dh_here from = here ? *here : DH_HERE;
        return short_end_several(r, address, short_what(size, kind, order), value, from.pc,
                                 from.frame);
    }
    return short_over(self, r, address, size, kind, order, here, value, changed);
}

/* ---- clocks ---- */

/* Where there are lists, or must be. */
static __attribute__((noinline)) uint64_t short_write_lists(SHORT_REST) {
    struct step s;
    short_step(&s, r, address, what, value, pc, frame);
    if (short_kind(what) == SHORT_STORE)
        lists_store(&s, what >> 16);
    else
        lists_publish(&s, what >> 16);
    return short_end_several(r, address, what, value, pc, frame);
}
static __attribute__((noinline)) uint64_t short_lists(SHORT_REST) {
    struct dh_thread *self = __dh_tls.self;
    struct dh_here here = {pc, frame};
    uint32_t order = what >> 16;
    size_t size = what & 0xff;
    uint8_t bytes = quick_bytes(address, size);
    if (r->last != 0) dh_last_spill(r);
    if (short_kind(what) != SHORT_STORE) load_clock(self, r, bytes, order);
    if (short_kind(what) == SHORT_LOAD)
        return short_end(self, r, address, size, SHORT_LOAD, order, &here, value);
    if (short_kind(what) == SHORT_MODIFY
        && (!publishes(self, order) || release_in_place(self, r, bytes, order)))
        return short_end(self, r, address, size, SHORT_MODIFY, order, &here, value);
    return short_write_lists(r, address, what, value, pc, frame);
}

/* All that comes after the operation itself, in the function that the program called. */
INLINED uint64_t short_rest(struct dh_thread *self, struct dh_record *r, uintptr_t address,
                            size_t size, enum shorts kind, uint32_t order, uint64_t value) {
    uint64_t object = only_object(r, address, size);
    bool done = DH_LIKELY(object != 0);
    if (done && kind != SHORT_STORE) only_load(self, r, order, true);
    if (done && kind != SHORT_LOAD)
        done = only_write(self, r, object, order, kind == SHORT_STORE, true);
    if (DH_UNLIKELY(!done)) {
        struct dh_here here = DH_HERE;
        return short_lists(r, address, short_what(size, kind, order), value, here.pc, here.frame);
    }
    return short_end(self, r, address, size, kind, order, 0, value);
}

/* ---- loads ----
 * that change no record: made before, and nothing has happened since; or a turn will do. */

/* This very load was made, while the record had the stamp that is returned; 0: perhaps not. */
INLINED uint64_t short_seen(struct dh_thread *self, uintptr_t address, size_t size, dh_cell cell,
                            uint32_t order) {
    if (DH_UNLIKELY(!self->turns)) return 0;
    struct dh_seen const *seen = dh_seen_of(self->turns, address);
    return seen->address == address && dh_epoch_equal(seen->epoch, dh_thread_epoch(self))
                   && seen->cell == cell && seen->size == size
                   && (seen->acquired || !acquires(order & DH_ORDER_MASK))
               ? seen->stamp
               : 0;
}
INLINED bool short_still(dh_cell cell, uint64_t stamp) {
    return dh_record_stamp(dh_record_number(dh_cell_record(cell))) == stamp;
}

/* What becomes of a cell without a record of its own by a load; 0: that must be found out in
 * another way. */
static __attribute__((noinline, preserve_most)) dh_cell short_turn_slow(uintptr_t address,
                                                                        size_t size, dh_cell cell) {
    struct dh_thread *self = __dh_tls.self;
    dh_cell state;
    if (DH_UNLIKELY(!self->turns)) dh_turns_begin(self);
    if (!dh_turn_possible(address, cell, &state)) return 0;
    return dh_turn(self, state, quick_bytes(address, size), DH_ATOMIC_READ);
}
INLINED dh_cell short_turn(uintptr_t address, size_t size, dh_cell cell) {
    struct dh_thread const *self = __dh_tls.self;
    if (DH_LIKELY(dh_cell_is_roll(cell) && self->turns) && dh_turns_good(self)) {
        dh_cell next = dh_turn_known(self, cell, quick_bytes(address, size), DH_ATOMIC_READ);
        if (DH_LIKELY(next != 0)) return next;
    }
    return short_turn_slow(address, size, cell);
}

/* When the value was read: it becomes that. False: it is no longer what it was. */
INLINED bool short_turns(uintptr_t address, dh_cell cell, dh_cell next) {
    dh_cell *at = dh_shadow(address);
    if (next == cell) return __atomic_load_n(at, __ATOMIC_ACQUIRE) == cell;
    return __atomic_compare_exchange_n(at, &cell, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

#endif
