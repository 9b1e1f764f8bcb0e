/* FastTrack on packed cells: every step is one of src/core's, which the runtime takes too.
 *
 * An access first looks whether its thread's epoch is already in the cell (the rules READSAMEEPOCH
 * and WRITESAMEEPOCH), then goes through dh_cell_step, and where that says that a word is not
 * enough, through dh_entries_step on the entries that the cell stands for. Atomic accesses have no
 * place in a packed cell: their cells are records, lists of entries.
 */
#include "core/step.h"
#include "detect/clocks.h"
#include "detect/epochs.h"
#include "detect/events.h"
#include "detect/found.h"

/* Sweeps take cell after cell through the same change, so a thread remembers its last ones. What
 * was no race then is none now: within an epoch a thread only learns more. */
enum { CHANGES = 16 };
struct change {
    dh_cell old, new;
    dh_epoch_id id;
    uint8_t mask, kind;
};

struct thread {
    dh_epoch_id id; /* of the running epoch; 0: none was opened, or there was none to be had */
    struct change changes[CHANGES];
};

struct fasttrack {
    struct dh_clocks clocks;
    struct dh_epochs epochs;
    struct dh_space cells;
    struct dh_outlet out;
    struct thread **threads;
    uint32_t thread_room;
};

struct access {
    struct fasttrack *f;
    struct thread *thread;
    uint64_t index;
    struct dh_view view;
    struct dh_access access;
};

static void *create(struct dh_arena *memory, dh_found *found, void *to) {
    struct fasttrack *f = dh_arena_alloc(memory, sizeof *f);
    dh_clocks_init(&f->clocks, memory, DH_JOIN_AFTER_EXIT);
    dh_epochs_init(&f->epochs, memory);
    f->cells.memory = memory;
    f->cells.owner = &f->epochs;
    f->cells.copy = dh_epochs_copy;
    f->cells.drop = dh_epochs_drop;
    f->out.found = found;
    f->out.to = to;
    return f;
}

__attribute__((noinline)) static struct thread *thread_new(struct fasttrack *f, uint32_t number) {
    struct dh_arena *memory = f->clocks.memory;
    f->threads = dh_arena_grow(memory, f->threads, &f->thread_room, (uint64_t)number + 1,
                               sizeof *f->threads);
    return f->threads[number] = dh_arena_alloc(memory, sizeof **f->threads);
}

static inline struct thread *thread_of(struct fasttrack *f, uint32_t number) {
    if (__builtin_expect(number < f->thread_room && f->threads[number], 1))
        return f->threads[number];
    return thread_new(f, number);
}

static void collect(struct fasttrack *f) {
    dh_epochs_collect(&f->epochs, &f->cells);
    for (uint32_t t = 0; t < f->thread_room; t++)
        if (f->threads[t]) *f->threads[t] = (struct thread){0};
}

/* The thread's running epoch gets an id with its first access. */
__attribute__((noinline)) static void open_epoch(struct fasttrack *f, struct thread *t,
                                                 struct dh_epoch epoch) {
    t->id = dh_epochs_name(&f->epochs, epoch);
    if (!dh_epochs_short(&f->epochs)) return;
    collect(f);
    t->id = dh_epochs_name(&f->epochs, epoch);
}

/* ---- one cell ---- */

__attribute__((noinline)) static void report(struct access const *a, uint64_t address,
                                             uint64_t span, struct dh_verdict const *v) {
    for (unsigned i = 0; i < v->parts; i++) {
        struct dh_finding finding = {
            .event = a->index,
            .address = address,
            .other_thread = v->part[i].other.slot,
            .other_kind = v->part[i].other_kind,
        };
        dh_clocks_events(&a->f->clocks, v->part[i].other, a->index, &finding.first, &finding.last);
        dh_outlet_cell(&a->f->out, finding, span, v->part[i].bytes);
    }
}

static struct change *change_of(struct access const *a, dh_cell old) {
    uint64_t mixed = (old ^ (uint64_t)a->access.mask << 56 ^ a->access.kind) * 0x9e3779b97f4a7c15u;
    return &a->thread->changes[(mixed >> 40) % CHANGES];
}

static bool cached_step(struct access const *a, dh_cell *cell) {
    struct change const *c = change_of(a, *cell);
    if (c->old != *cell || c->id != a->access.id || c->mask != a->access.mask
        || c->kind != a->access.kind || c->id == 0)
        return false;
    *cell = c->new;
    return true;
}

/* READSHARE and all that takes more than a word. */
static void general_step(struct access const *a, dh_cell *cell, struct dh_verdict *v) {
    struct dh_entry list[2 * DH_SET_MAX + 1];
    dh_cell old = *cell;
    uint32_t count = dh_cell_entries(old, &a->f->epochs.tables, list);
    count = dh_entries_step(list, count, a->access, &a->view, v);
    if (v->changed) *cell = dh_epochs_pack(&a->f->epochs, list, count);
    if (!v->racy && a->access.id != 0 && !dh_cell_is_record(*cell))
        *change_of(a, old) =
            (struct change){old, *cell, a->access.id, a->access.mask, a->access.kind};
}

static void record_step(struct access const *a, dh_cell *cell, struct dh_verdict *v) {
    struct dh_replay_record *r = dh_epochs_record(&a->f->epochs, cell);
    r->count = dh_entries_step(r->list, r->count, a->access, &a->view, v);
}

static uint64_t step_cell(void *to, uint64_t value, uint64_t address, uint64_t span,
                          unsigned mask) {
    struct access *a = to;
    struct dh_verdict v;
    dh_cell cell = value;
    a->access.mask = (uint8_t)mask;
    if (a->access.kind > DH_WRITE || dh_cell_is_record(cell)) {
        record_step(a, &cell, &v);
    } else if (!dh_cell_step(&cell, a->access, &a->view, &a->f->epochs.tables, &v)) {
        if (cached_step(a, &cell)) return cell;
        general_step(a, &cell, &v);
    }
    if (__builtin_expect(v.racy != 0, 0)) report(a, address, span, &v);
    return cell;
}

/* ---- ranges and events ---- */

static void access_range(struct fasttrack *f, struct thread *t, uint64_t index,
                         struct dh_trace_event const *e, enum dh_kind kind) {
    struct dh_clock_thread *clock = dh_clocks_thread(&f->clocks, e->thread);
    uint64_t first = e->address, last = dh_event_last_byte(e);
    struct access a = {
        .f = f,
        .thread = t,
        .index = index,
        .view = dh_clocks_view(clock, e->thread),
    };
    a.access.epoch = (struct dh_epoch){e->thread, a.view.now};
    if (t->id == 0) open_epoch(f, t, a.access.epoch);
    a.access.id = t->id;
    a.access.kind = (uint8_t)kind;
    dh_space_update(&f->cells, first, last, step_cell, &a);
    if (f->out.last.size != 0) dh_outlet_flush(&f->out);
}

static uint64_t forget_bytes(void *to, uint64_t value, uint64_t address, uint64_t span,
                             unsigned mask) {
    struct dh_epochs *epochs = to;
    struct dh_entry few[2 * DH_SET_MAX], *list = few;
    uint32_t count, kept = 0;
    bool record = dh_cell_is_record(value);
    if (record) {
        struct dh_replay_record const *r = dh_epochs_record(epochs, &value);
        list = r->list;
        count = r->count;
    } else {
        count = dh_cell_entries(value, &epochs->tables, list);
    }
    for (uint32_t i = 0; i < count; i++) {
        list[i].mask &= (uint8_t)~mask;
        if (list[i].mask != 0) list[kept++] = list[i];
    }
    if (!record) return dh_epochs_pack(epochs, list, kept);
    dh_epochs_record(epochs, &value)->count = kept;
    return value;
}

static void forget(struct fasttrack *f, uint64_t first, uint64_t last) {
    uint64_t whole = first, whole_last = last;
    if (!dh_space_whole(&whole, &whole_last)) {
        dh_space_revise(&f->cells, first, last, forget_bytes, &f->epochs);
        return;
    }
    if (first < whole) dh_space_revise(&f->cells, first, whole - 1, forget_bytes, &f->epochs);
    dh_space_clear(&f->cells, whole, whole_last);
    if (last > whole_last)
        dh_space_revise(&f->cells, whole_last + 1, last, forget_bytes, &f->epochs);
}

__attribute__((noinline)) static void other_event(struct fasttrack *f, uint64_t index,
                                                  struct dh_trace_event const *e) {
    struct thread *t = thread_of(f, e->thread);
    struct dh_clock_thread *clock = dh_clocks_thread(&f->clocks, e->thread);
    enum dh_kind kind = dh_event_kind(e);
    dh_clocks_acquire(&f->clocks, e);
    if (e->op == DH_OP_ALLOC) forget(f, e->address, dh_event_last_byte(e));
    if (kind != DH_KINDS) access_range(f, t, index, e, kind);
    dh_tick before = clock->clock.tick[e->thread];
    dh_clocks_release(&f->clocks, e, index);
    if (clock->clock.tick[e->thread] != before) t->id = 0;
}

static void step(void *state, uint64_t index, struct dh_trace_event const *e) {
    struct fasttrack *f = state;
    if (__builtin_expect(e->op > DH_OP_WRITE, 0)) {
        if (e->op < DH_OP_CHECK) other_event(f, index, e);
        return;
    }
    struct thread *t = thread_of(f, e->thread);
    uint64_t at = e->address % 8;
    if (__builtin_expect(e->size <= 8 - at, 1)) {
        /* READSAMEEPOCH, WRITESAMEEPOCH: the word has our epoch on these bytes. */
        dh_cell cell = *dh_space_cell(&f->cells, e->address);
        dh_word word = e->op == DH_OP_READ ? dh_cell_read(cell) : dh_cell_write(cell);
        dh_word mine = t->id << DH_WORD_ID_SHIFT | (0xffu >> (8 - e->size)) << at;
        if (t->id != 0 && (word | (mine & DH_WORD_BYTES_MASK)) == word
            && (word ^ mine) >> DH_WORD_ID_SHIFT == 0)
            return;
    }
    access_range(f, t, index, e, e->op == DH_OP_READ ? DH_READ : DH_WRITE);
}

struct dh_detector const dh_fasttrack = {
    .name = "fasttrack",
    .about = "the rules of the runtime: epochs in packed cells, the steps of src/core",
    .precise = true,
    .every_event = false,
    .create = create,
    .step = step,
};
