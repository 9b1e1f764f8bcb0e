/* The step around an atomic operation (rt/atomics.c): what is locked, what becomes of the clocks,
 * and what is put on record. For objects of any size, anywhere; rt/atomic_short.h has the short
 * way.
 */
#ifndef DEADHEAT_RT_ATOMIC_STEPS_H
#define DEADHEAT_RT_ATOMIC_STEPS_H

#include "rt/footprint.h"
#include "rt/history.h"
#include "rt/judge.h"
#include "rt/last.h"
#include "rt/own.h"
#include "rt/rolls.h"
#include "rt/sequences.h"
#include "rt/shadow.h"
#include "rt/stats.h"
#include "rt/tape.h"

/* Sixteen bytes have a clock in each half: an operation on one of them alone is ordered, too. An
 * object of another size (rt/libatomic.c) is only ever used as a whole, and has its clock in the
 * first cell. */
enum { CLOCKS = 2 };

struct step {
    struct dh_judge judge;
    struct dh_thread *self;
    uintptr_t address;
    size_t size;
    struct dh_here here;
    struct dh_record *records[CLOCKS]; /* locked, in ascending order */
    uint8_t bytes[CLOCKS];             /* of each, that the operation is on */
    uint32_t clocks;                   /* 0: there are no clocks */
    uint64_t
        object;    /* 0: the records may have lists of heads; else there are none, and the `last` of
                        the first is that of this object (dh_last_object), if of any */
    dh_cell taken; /* what was in the cell, which the step has taken (rt/rolls.h), */
    bool turns;    /* in that case */
    bool quick;    /* the judge was not asked, and is not needed without a race */
    bool judged;   /* false: the thread ignores its accesses, but not their order */
};

static uint32_t cells_of(uintptr_t address, size_t size) {
    return (uint32_t)((address + size - 1) / DH_CELL_BYTES - address / DH_CELL_BYTES + 1);
}

/* The bytes of its i-th cell that an access is on. */
static unsigned bytes_in(uintptr_t address, size_t size, uint32_t i) {
    uintptr_t cell = (address & ~(uintptr_t)(DH_CELL_BYTES - 1)) + i * DH_CELL_BYTES,
              end = address + size;
    unsigned mask = DH_WORD_BYTES_MASK;
    if (cell < address) mask = mask << (address - cell) & DH_WORD_BYTES_MASK;
    if (end < cell + DH_CELL_BYTES) mask &= DH_WORD_BYTES_MASK >> (cell + DH_CELL_BYTES - end);
    return mask;
}

/* The running thread, if all that the access does is within one cell, and nothing stands against
 * the short ways; else null. Inlined into all operations, which know their size. */
INLINED struct dh_thread *quick_self(uintptr_t address, size_t size) {
    struct dh_thread *self = __dh_tls.self;
    if (dh_alone_now || !self || self->ignoring != 0 || self->pending != 0) return 0;
    return size - 1 < DH_CELL_BYTES && address % DH_CELL_BYTES + size <= DH_CELL_BYTES ? self : 0;
}

INLINED uint8_t quick_bytes(uintptr_t address, size_t size) {
    return (uint8_t)(((1u << size) - 1) << address % DH_CELL_BYTES);
}

/* The operation takes the cell, which is no record of its own, for as long as it lasts. */
INLINED bool take(struct step *s, dh_cell *at, dh_cell cell) {
    if (DH_UNLIKELY(!s->self->turns)) dh_turns_begin(s->self);
    s->turns = dh_turn_possible(s->address, cell, &s->taken)
               && __atomic_compare_exchange_n(at, &cell, DH_CELL_TAKEN, false, __ATOMIC_SEQ_CST,
                                              __ATOMIC_RELAXED);
    return s->turns;
}

/* The object's only head may be in the record: nothing else is there. */
INLINED uint64_t only_object(struct dh_record const *r, uintptr_t address, size_t size) {
    uint64_t object = dh_last_object(address, size);
    if (DH_UNLIKELY(r->last >> DH_LAST_BYTE_SHIFT != object) && r->last != 0) return 0;
    if (DH_UNLIKELY(r->sync != 0) && (r->sync->releases.count | r->sync->readers.count) != 0)
        return 0;
    return object;
}

/* The record of the cell, locked. */
INLINED void at_record(struct step *s, struct dh_record *r) {
    s->object = only_object(r, s->address, s->size);
    if (DH_UNLIKELY(s->object == 0 && r->last != 0)) dh_last_spill(r);
    s->records[0] = r;
    s->clocks = 1;
}

/* Most operations: at a record, or where a turn will do. No epoch id is needed for those. */
INLINED bool quick_begin(struct step *s, uint32_t order, bool writes) {
    struct dh_thread *self = quick_self(s->address, s->size);
    s->turns = false;
    if (!self) return false;
    dh_critical_enter();
    if (self->released) dh_thread_tick(self);
    s->self = self;
    s->bytes[0] = quick_bytes(s->address, s->size);
    dh_cell *at = dh_shadow(s->address), cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    struct dh_record *r = 0;
    if (DH_LIKELY(dh_cell_has_record(cell)))
        r = dh_record_lock_found(at, cell);
    else if ((writes ? !publishes(self, order) : dh_recording) && take(s, at, cell))
        return true;
    else if (dh_cell_is_record(cell))
        r = dh_record_lock_as_is(s->address, true);
    if (!r) {
        dh_critical_leave();
        return false;
    }
    at_record(s, r);
    return true;
}

DH_COLD static void quick_race(struct step *s, enum dh_kind kind, uint32_t flags,
                               struct dh_verdict const *v) {
    struct dh_judge *j = &s->judge;
    dh_judge_inside(j, s->self, kind, flags, s->address, s->size, s->here);
    dh_judge_note(j, s->address & ~(uintptr_t)(DH_CELL_BYTES - 1), v);
    dh_judge_end(j);
}

/* The next load like this one, which said nothing new, has nothing to do, until something
 * happens here or to the thread. */
INLINED void quick_seen(struct dh_record const *r, uintptr_t address, size_t size, uint32_t order) {
    struct dh_thread *self = __dh_tls.self;
    if (self->ignoring_sync) return;
    if (DH_UNLIKELY(!self->turns)) dh_turns_begin(self);
    *dh_seen_of(self->turns, address) = (struct dh_seen){
        .address = address,
        .stamp = dh_stamp_of(r->version + 1), /* when it is unlocked */
        .epoch = dh_thread_epoch(self),
        .cell = *r->cell,
        .size = (uint16_t)size,
        .acquired = acquires(order & DH_ORDER_MASK),
    };
}

/* A number on the tape, as a part of the step. So a look has no place there. */
INLINED void quick_tape(struct step *s, enum dh_op op, uint32_t order) {
    if (DH_UNLIKELY(dh_recording))
        dh_tape_atomic(s->self, op, s->address, s->size, order, s->here.pc);
}

INLINED void quick_end(struct step *s, enum dh_op op, enum dh_kind kind, uint32_t order) {
    struct dh_thread *self = s->self;
    struct dh_view view = dh_thread_view(self);
    struct dh_access access = {
        .epoch = dh_thread_epoch(self), .mask = s->bytes[0], .kind = (uint8_t)kind};
    struct dh_verdict v;
    uint32_t flags = DH_ACCESS_ATOMIC | (kind == DH_ATOMIC_WRITE ? DH_ACCESS_WRITE : 0);
    dh_record_atomic(s->records[0], access, &view, &v);
    if (kind == DH_ATOMIC_READ && !v.changed) quick_seen(s->records[0], s->address, s->size, order);
    quick_tape(s, op, order);
    dh_record_unlock(s->records[0]);
    DH_COUNT(self, record_steps);
    if (DH_UNLIKELY(v.racy != 0)) {
        quick_race(s, kind, flags, &v);
        return;
    }
    if (v.changed) dh_history_add(self, s->address, (uint32_t)s->size, flags, s->here);
    dh_critical_leave();
}

/* The cell that was taken gets its new state; or a record is made, and goes the usual way. */
static __attribute__((noinline)) void taken_end(struct step *s, enum dh_op op, enum dh_kind kind,
                                                uint32_t order) {
    struct dh_thread *self = s->self;
    uint32_t flags = DH_ACCESS_ATOMIC | (kind == DH_ATOMIC_WRITE ? DH_ACCESS_WRITE : 0);
    dh_cell next = dh_turn(self, s->taken, s->bytes[0], kind), mark = DH_CELL_TAKEN;
    if (DH_UNLIKELY(next == 0)) {
        s->records[0] = dh_record_of_taken(s->address, s->taken);
        if (s->records[0])
            quick_end(s, op, kind, order);
        else
            dh_critical_leave();
        return;
    }
    quick_tape(s, op, order);
    /* It fails where the memory was made to lose its history: this access is a part of that. */
    __atomic_compare_exchange_n(dh_shadow(s->address), &mark, next, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_RELAXED);
    DH_COUNT(self, record_steps);
    if (next != s->taken) dh_history_add(self, s->address, (uint32_t)s->size, flags, s->here);
    dh_critical_leave();
}

static __attribute__((noinline)) void long_begin(struct step *s) {
    if (!dh_alone_now) dh_footprint_commit(dh_self());
    uint32_t cells = cells_of(s->address, s->size);
    /* The kind is settled when the operation is done: a failed exchange only reads. */
    s->judged = dh_judge_begin(&s->judge, DH_ATOMIC_READ, 0, s->address, s->size, s->here);
    if (!s->judged) {
        if (dh_alone_now || s->size == 0 || !dh_has_shadow(s->address, s->size)) return;
        if (dh_self()->life == DH_FINISHED) return;
        dh_own_settle(s->address, s->size);
        dh_critical_enter();
    }
    s->self = dh_self();
    s->clocks = cells <= CLOCKS ? cells : 1;
    for (uint32_t i = 0; i < s->clocks; i++) {
        s->records[i] = dh_record_lock(s->address + i * DH_CELL_BYTES);
        s->bytes[i] = (uint8_t)bytes_in(s->address, s->size, i);
    }
}

/* True: another attempt may succeed. */
static bool prepare(void const volatile *p, size_t size) {
    return quick_self((uintptr_t)p, size)
           && !dh_cell_is_record(__atomic_load_n(dh_shadow((uintptr_t)p), __ATOMIC_RELAXED))
           && dh_turn_prepare((uintptr_t)p, size);
}

INLINED void step_begin(struct step *s, void const volatile *p, size_t size, uint32_t order,
                        bool writes, struct dh_here here) {
    s->address = (uintptr_t)p;
    s->size = size;
    s->here = here;
    s->clocks = 0;
    s->object = 0;
    s->quick = quick_begin(s, order, writes) || (prepare(p, size) && quick_begin(s, order, writes));
    if (DH_UNLIKELY(!s->quick)) long_begin(s);
}

/* Puts the access on record in all its cells. The verdicts wait until no lock is held: reporting
 * them takes long, and runs the program's own hook. */
static void record_access(struct step *s, uint32_t cells, struct dh_verdict *verdicts) {
    struct dh_judge *j = &s->judge;
    for (uint32_t i = 0; i < cells; i++) {
        j->access.mask = (uint8_t)bytes_in(j->address, j->size, i);
        struct dh_record *r =
            i < s->clocks ? s->records[i] : dh_record_lock(j->address + i * DH_CELL_BYTES);
        dh_record_step(r, j->access, &j->view, &verdicts[i]);
        if (i >= s->clocks) dh_record_unlock(r);
    }
    j->self->stats[DH_STAT_record_steps] += cells;
}

static void step_unlock(struct step *s) {
    for (uint32_t i = 0; i < s->clocks; i++)
        dh_record_unlock(s->records[i]);
}

static __attribute__((noinline)) void long_end(struct step *s, enum dh_op op, enum dh_kind kind,
                                               uint32_t order) {
    struct dh_judge *j = &s->judge;
    if (s->clocks == 0) return;
    if (DH_UNLIKELY(dh_recording))
        dh_tape_atomic(s->self, op, s->address, s->size, order, s->here.pc);
    if (!s->judged) {
        step_unlock(s);
        dh_critical_leave();
        return;
    }
    /* What the operation acquired is ordered before it; it is part of the epoch that it releases.
     */
    j->view = dh_thread_view(j->self);
    j->access.kind = (uint8_t)kind;
    j->flags = DH_ACCESS_ATOMIC | (kind == DH_ATOMIC_WRITE ? DH_ACCESS_WRITE : 0);
    struct dh_verdict few[CLOCKS], *verdicts = few;
    uint32_t cells = cells_of(j->address, j->size);
    if (cells > CLOCKS) verdicts = dh_alloc(cells * sizeof *verdicts);
    record_access(s, cells, verdicts);
    step_unlock(s);
    for (uint32_t i = 0; i < cells; i++)
        dh_judge_note(j, (j->address & ~(uintptr_t)(DH_CELL_BYTES - 1)) + i * DH_CELL_BYTES,
                      &verdicts[i]);
    if (verdicts != few) dh_free(verdicts, cells * sizeof *verdicts);
    dh_judge_end(j);
}

/* `op` is what the operation turned out to be, an event of trace/event.h. */
INLINED void step_end(struct step *s, enum dh_op op, uint32_t order) {
    enum dh_kind kind = op == DH_OP_STORE || op == DH_OP_RMW ? DH_ATOMIC_WRITE : DH_ATOMIC_READ;
    if (DH_UNLIKELY(s->turns))
        taken_end(s, op, kind, order);
    else if (DH_LIKELY(s->quick))
        quick_end(s, op, kind, order);
    else
        long_end(s, op, kind, order);
}

/* What each operation does to the clocks, inside its step. */

/* Those of a record that has lists. */
static __attribute__((noinline)) void lists_load(struct step *s, uint32_t order) {
    for (uint32_t i = 0; i < s->clocks; i++)
        load_clock(s->self, s->records[i], s->bytes[i], order);
}

/* The record gets a list, if it has a head. */
static void lists_begin(struct step *s) {
    if (s->object != 0 && s->records[0]->last != 0) dh_last_spill(s->records[0]);
    s->object = 0;
}

static void lists_publish(struct step *s, uint32_t order) {
    struct dh_snapshot head;
    if (s->clocks == 0 || !own_head(s->self, order, &head)) return;
    for (uint32_t i = 0; i < s->clocks; i++) { /* the last one has our own reference */
        if (i + 1 < s->clocks) dh_vc_ref(head.vc);
        head.bytes = s->bytes[i];
        dh_heads_add(&dh_record_sync(s->records[i])->releases, head);
    }
}

/* A release that ends all heads there are: it is the only one again. */
static bool lists_end(struct step *s, uint32_t order) {
    if (!s->quick || s->turns || !s->records[0]->sync || s->self->ignoring_sync
        || !releases(order & DH_ORDER_MASK))
        return false;
    struct dh_record *r = s->records[0];
    dh_heads_end(&r->sync->releases, s->bytes[0], DH_NO_THREAD);
    s->object = only_object(r, s->address, s->size);
    return s->object != 0 && only_write(s->self, r, s->object, order, true, true);
}

/* One head is left, at all bytes of the object: it moves back to the record. */
static void lists_gather(struct step *s) {
    struct dh_record *r = s->records[0];
    uint64_t object = dh_last_object(s->address, s->size);
    if (!s->quick || s->turns || !r->sync || object == 0 || r->last != 0) return;
    struct dh_heads *heads = &r->sync->releases;
    if (heads->count != 1 || r->sync->readers.count != 0) return;
    struct dh_snapshot *head = &heads->list[0];
    if (head->bytes != s->bytes[0] || dh_thread_at(head->at)->number != head->thread) return;
    dh_vc_unref(r->last_vc);
    r->last_vc = head->vc;
    r->last = dh_last_of_object(object, head->at);
    heads->count = 0;
}

static __attribute__((noinline)) void lists_store(struct step *s, uint32_t order) {
    lists_begin(s);
    if (s->clocks == 1 && lists_end(s, order)) return;
    for (uint32_t i = 0; i < s->clocks; i++)
        start_over(s->self, s->records[i], s->bytes[i], order);
    lists_publish(s, order);
    if (s->clocks == 1) lists_gather(s);
}

static __attribute__((noinline)) void lists_modify(struct step *s, uint32_t order) {
    lists_begin(s);
    lists_load(s, order);
    if (s->clocks == 1 && release_in_place(s->self, s->records[0], s->bytes[0], order)) return;
    lists_publish(s, order);
}

INLINED void step_loads(struct step *s, uint32_t order) {
    if (DH_LIKELY(s->object != 0))
        only_load(s->self, s->records[0], order, !s->self->ignoring_sync);
    else if (s->clocks != 0)
        lists_load(s, order);
}

INLINED void step_stores(struct step *s, uint32_t order) {
    if (DH_LIKELY(s->object != 0)
        && only_write(s->self, s->records[0], s->object, order, true, !s->self->ignoring_sync))
        return;
    if (s->clocks != 0) lists_store(s, order);
}

INLINED void step_modifies(struct step *s, uint32_t order) {
    if (DH_LIKELY(s->object != 0)) {
        only_load(s->self, s->records[0], order, !s->self->ignoring_sync);
        if (only_write(s->self, s->records[0], s->object, order, false, !s->self->ignoring_sync))
            return;
    }
    if (s->clocks != 0) lists_modify(s, order);
}

#endif
