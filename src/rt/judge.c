#include "rt/judge.h"
#include "core/step.h"
#include "rt/benign.h"
#include "rt/blocks.h"
#include "rt/epochs.h"
#include "rt/history.h"
#include "rt/parts.h"
#include "rt/quick.h"
#include "rt/shadow.h"
#include "rt/splits.h"
#include "rt/stats.h"
#include "rt/tape.h"

#include <sys/syscall.h>

void dh_judge_inside(struct dh_judge *j, struct dh_thread *self, enum dh_kind kind, uint32_t flags,
                     uintptr_t address, size_t size, struct dh_here here) {
    j->self = self;
    j->access = (struct dh_access){.epoch = dh_thread_epoch(self), .kind = (uint8_t)kind};
    j->view = dh_thread_view(self);
    j->flags = flags;
    j->address = address;
    j->size = j->unit = j->stride = size;
    j->here = here;
    j->past = false;
    j->changed = false;
    j->stops = j->stopped = false;
    j->races = 0;
}

bool dh_judge_begin(struct dh_judge *j, enum dh_kind kind, uint32_t flags, uintptr_t address,
                    size_t size, struct dh_here here) {
    if (dh_alone_still() || size == 0 || !dh_has_shadow(address, size)) return false;
    struct dh_thread *self = dh_self();
    if (DH_UNLIKELY(self->ignoring != 0)) return false;
    if (__dh_tls.epoch == DH_WORD_NOMATCH) dh_epochs_provide(self);
    dh_own_settle(address, size);
    dh_critical_enter();
    dh_word word = dh_thread_open_epoch(self);
    dh_judge_inside(j, self, kind, flags, address, size, here);
    j->access.id = word ? dh_word_epoch_id(word) : 0;
    DH_COUNT(self, slow_accesses);
    self->stats[DH_STAT_slow_bytes] += size;
    if (DH_UNLIKELY(dh_recording)
        && kind <= DH_WRITE) /* atomics tell the tape when they are done */
        dh_tape_access(self, kind, flags, address, size, here.pc);
    return true;
}

/* ---- reporting ---- */

static void own_side(struct dh_judge const *j, uintptr_t racy, struct dh_raw_side *side) {
    struct dh_thread *self = j->self;
    side->flags = j->flags;
    side->address = racy - (racy - j->address) % j->stride;
    side->size = j->unit <= UINT32_MAX ? (uint32_t)j->unit : UINT32_MAX;
    side->thread = self;
    side->stack = j->past ? dh_stack_before(j->here.pc, j->callers) : dh_stack_capture(j->here);
    side->locks_known = true;
    for (uint32_t i = 0; i < self->held_count && i < DH_RAW_LOCKS_MAX; i++)
        side->locks[side->lock_count++] = self->held[i].lock;
}

/* What the other thread did. It may be in the middle of it: the cell says so already, the history
 * does not yet, and will at the end of its critical section. Not to be waited for inside one of
 * ours, nor for ever. */
enum { LOOKS = 10000 };
static size_t find_other(struct dh_epoch epoch, enum dh_kind kind, uintptr_t address,
                         struct dh_raw_side *other) {
    size_t found = dh_history_find(epoch, kind, address, other);
    if (found != 0 || __dh_critical.depth != 0) return found;
    uint64_t signals = dh_signals_block();
    for (int looks = 0; looks < LOOKS && other->thread && dh_thread_inside(other->thread); looks++)
        dh_syscall(SYS_sched_yield, 0l, 0l, 0l, 0l, 0l, 0l);
    dh_signals_restore(signals);
    return dh_history_find(epoch, kind, address, other);
}

/* The bytes of one epoch may be those of several accesses, with a place in the code each. */
DH_COLD static void report_run(struct dh_judge const *j, uint32_t i) {
    uintptr_t address = j->race[i].address, end = address + j->race[i].bytes;
    enum dh_kind kind = j->race[i].other_kind;
    bool write = kind == DH_WRITE || kind == DH_ATOMIC_WRITE;
    bool atomic = kind == DH_ATOMIC_READ || kind == DH_ATOMIC_WRITE;
    while (address < end) {
        struct dh_raw_race race = {.address = address, .frame = j->here.frame};
        own_side(j, address, &race.sides[0]);
        struct dh_raw_side *other = &race.sides[1];
        other->thread = dh_thread_at(j->race[i].other);
        other->flags = (write ? DH_ACCESS_WRITE : 0) | (atomic ? DH_ACCESS_ATOMIC : 0);
        size_t found = find_other(j->race[i].other, kind, address, other);
        race.bytes = (uint32_t)(found != 0 && found < end - address ? found : end - address);
        dh_report_race(&race);
        address += race.bytes;
    }
}

DH_COLD static void report(struct dh_judge const *j) {
    for (uint32_t i = 0; i < j->races; i++)
        if (!dh_benign(j->race[i].address, j->race[i].bytes)) report_run(j, i);
}

DH_COLD static void note_race(struct dh_judge *j, uintptr_t first, uint32_t bytes,
                              struct dh_verdict_part const *v) {
    if (DH_UNLIKELY(dh_recording)) dh_tape_race(j->self, first, bytes);
    if (j->races > 0) {
        /* Goes on where the last one ended, against the same epoch: one race on more bytes. */
        uint32_t last = j->races - 1;
        if (j->race[last].address + j->race[last].bytes == first
            && dh_epoch_equal(j->race[last].other, v->other)
            && j->race[last].other_kind == v->other_kind) {
            j->race[last].bytes += bytes;
            return;
        }
    }
    if (j->races == DH_JUDGE_RACES) {
        /* No room for more: report these now. No lock is held here. */
        dh_critical_leave();
        report(j);
        j->races = 0;
        dh_critical_enter();
    }
    uint32_t n = j->races++;
    j->race[n].address = first;
    j->race[n].bytes = bytes;
    j->race[n].other = v->other;
    j->race[n].other_kind = v->other_kind;
}

/* Racy bytes with others between them are two races. */
DH_COLD static void note_races(struct dh_judge *j, uintptr_t cell_address,
                               struct dh_verdict const *v) {
    for (unsigned i = 0; i < v->parts; i++)
        for (unsigned left = v->part[i].bytes; left != 0;) {
            unsigned low = (unsigned)__builtin_ctz(left);
            uint32_t bytes = (uint32_t)__builtin_ctz(~(left >> low));
            note_race(j, cell_address + low, bytes, &v->part[i]);
            left &= ~(((1u << bytes) - 1) << low);
        }
}

void dh_judge_note(struct dh_judge *j, uintptr_t cell_address, struct dh_verdict const *v) {
    j->changed |= v->changed;
    if (DH_UNLIKELY(v->racy != 0)) note_races(j, cell_address, v);
}

void dh_judge_note_cells(struct dh_judge *j, uintptr_t address, size_t cells,
                         struct dh_verdict const *v) {
    j->changed |= v->changed;
    if (v->parts == 1 && v->racy == DH_WORD_BYTES_MASK)
        note_race(j, address, (uint32_t)(cells * DH_CELL_BYTES), &v->part[0]);
    else if (v->racy != 0)
        for (size_t i = 0; i < cells; i++)
            note_races(j, address + i * DH_CELL_BYTES, v);
}

/* Without a race: as in core/parts.h. */
static bool parts_step(struct dh_judge *j, dh_cell *cell, struct dh_verdict *v) {
    dh_cell old = *cell;
    if (j->access.id == 0
        || !dh_parts_change(j->self, cell, dh_word_of_epoch(j->access.id, j->access.mask),
                            j->access.kind))
        return false;
    dh_verdict_begin(v);
    v->changed = *cell != old;
    return true;
}

/* The general form: of the entries that a cell stood for. False: the new state needs a record. */
static bool entries_step(struct dh_judge *j, struct dh_entry *list, uint32_t count, dh_cell *cell,
                         struct dh_verdict *v) {
    struct dh_words words;
    if (j->access.id == 0) return false;
    count = dh_entries_step(list, count, j->access, &j->view, v);
    if (!v->changed) return true;
    DH_COUNT(j->self, sets);
    if (!dh_entries_words(list, count, &words)) return false;
    dh_word write = dh_set_make(j->self, words.write, words.writes);
    dh_word read = dh_set_make(j->self, words.read, words.reads);
    if ((words.writes && !write) || (words.reads && !read)) return false;
    *cell = dh_cell_of(write, read);
    return true;
}

static bool general_step(struct dh_judge *j, dh_cell *cell, struct dh_verdict *v) {
    struct dh_entry list[2 * DH_SET_MAX + 1];
    return entries_step(j, list, dh_cell_entries(*cell, &dh_tables, list), cell, v);
}

static void record_cell(struct dh_judge *j, uintptr_t cell_address) {
    struct dh_verdict v;
    DH_COUNT(j->self, record_steps);
    struct dh_record *r = dh_record_lock_as_is(cell_address, true);
    dh_record_step(r, j->access, &j->view, &v);
    dh_record_unlock(r);
    dh_judge_note(j, cell_address, &v);
}

bool dh_judge_step(struct dh_judge *j, dh_cell *cell, struct dh_verdict *v) {
    return dh_cell_step(cell, j->access, &j->view, &dh_tables, v) || parts_step(j, cell, v)
           || general_step(j, cell, v);
}

/* What an access made of a cell. Neighbours in the same state become the same; not where `old` is
 * 0, which may stand for different things in different units. */
struct made {
    dh_cell old, new;
};

/* Whether the access is not to go on: what it has come to is a race, or in a record. */
bool dh_judge_stops(struct dh_judge *j) {
    j->stopped = j->stops;
    return j->stopped;
}

/* A split cell, which takes a race, or another reader, to sets. The verdict is for the caller to
 * note. False: it has changed meanwhile, or needs a record (*record). */
static bool split_cell(struct dh_judge *j, dh_cell *at, dh_cell cell, bool own,
                       struct dh_verdict *v, bool *record) {
    struct dh_entry list[2 * DH_SET_MAX + 1];
    dh_word mine = dh_word_of_epoch(j->access.id, j->access.mask);
    dh_verdict_begin(v);
    *record = j->access.id == 0;
    if (*record) return false;
    enum dh_outcome outcome =
        dh_split_access(j->self, at, cell, mine, j->access.kind, &j->view, own);
    v->changed = outcome == DH_NEWS;
    if (outcome != DH_UNDECIDED) return true;
    struct dh_split *s = dh_split_lock(at, cell);
    if (!s) return false;
    dh_cell next = cell;
    *record = !entries_step(j, list, dh_split_entries(cell, s, list), &next, v);
    if (*record || !v->changed || (v->racy != 0 && dh_judge_stops(j))) {
        dh_split_unlock(s);
        return !*record;
    }
    return dh_split_end(j->self, at, cell, next);
}

static struct made judge_cell(struct dh_judge *j, uintptr_t cell_address, unsigned mask) {
    struct made const nothing = {0, 0};
    dh_shadow_touch(cell_address);
    dh_cell *at = dh_shadow(cell_address);
    j->access.mask = (uint8_t)mask;
    for (;;) {
        struct dh_verdict v;
        dh_cell cell = __atomic_load_n(at, __ATOMIC_ACQUIRE), old = cell;
        if (DH_UNLIKELY(dh_cell_is_record(cell)) || j->access.kind > DH_WRITE) {
            if (!dh_judge_stops(j)) record_cell(j, cell_address);
            return nothing;
        }
        if (dh_cell_is_split(cell)) {
            bool own = dh_owner_of(cell_address) == __dh_critical.owner, record;
            if (split_cell(j, at, cell, own, &v, &record)) {
                if (!j->stopped) dh_judge_note(j, cell_address, &v);
                return nothing;
            }
            if (!record) continue;
            if (!dh_judge_stops(j)) record_cell(j, cell_address);
            return nothing;
        }
        dh_cell next = cell;
        if (cell == 0) {
            dh_block_refine(cell_address);
            next = __atomic_load_n(dh_coarse_of(cell_address), __ATOMIC_ACQUIRE);
        }
        if (!dh_judge_step(j, &next, &v)) {
            if (!dh_judge_stops(j)) record_cell(j, cell_address);
            return nothing;
        }
        if (DH_UNLIKELY(v.racy != 0) && dh_judge_stops(j)) return nothing;
        if (v.changed
            && !__atomic_compare_exchange_n(at, &cell, next, false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED))
            continue;
        if (j->access.kind == DH_READ && v.racy == 0 && dh_judge_epoch_runs(j))
            dh_parts_remember(next);
        dh_judge_note(j, cell_address, &v);
        return v.racy ? nothing : (struct made){old, next};
    }
}

void dh_judge_cell(struct dh_judge *j, uintptr_t cell_address, unsigned mask) {
    judge_cell(j, cell_address, mask);
}

/* Both cells at `at`, which is a multiple of their size, are exchanged if both are `old`. */
static bool exchange_pair(dh_cell *at, dh_cell old, dh_cell new) {
    unsigned __int128 both = (unsigned __int128)old << 64 | old;
    return __sync_bool_compare_and_swap((unsigned __int128 *)at, both,
                                        (unsigned __int128)new << 64 | new);
}

enum { LINE = 64 / sizeof(dh_cell) }; /* of the cache, in cells */

/* Whole cells from `at` on that are as the one before was: what that access made of it, this one
 * makes of them. Two at a time, because an interlocked instruction is most of the cost. Returns the
 * first that is not so, or the end. */
static uintptr_t same_cells(struct made made, uintptr_t at, uintptr_t end) {
    dh_cell *cell = dh_shadow(at);
    dh_cell *const first = cell, *const last = cell + (end - at) / DH_CELL_BYTES;
    if (made.old == 0) return at;
    for (dh_cell *ahead = cell + LINE;
         made.new != made.old &&ahead < last &&ahead < cell + 8 * LINE; ahead += LINE)
        dh_prefetch_write(ahead);
    while (cell < last && __atomic_load_n(cell, __ATOMIC_RELAXED) == made.old) {
        bool pairs = last - cell >= 2 && (uintptr_t)cell % (2 * sizeof *cell) == 0
                     && __atomic_load_n(cell + 1, __ATOMIC_RELAXED) == made.old;
        dh_cell old = made.old;
        if (made.new != made.old
            && !(pairs ? exchange_pair(cell, old, made.new)
                       : __atomic_compare_exchange_n(cell, &old, made.new, false, __ATOMIC_SEQ_CST,
                                                     __ATOMIC_RELAXED)))
            break;
        cell += pairs ? 2 : 1;
    }
    return at + (uintptr_t)(cell - first) * DH_CELL_BYTES;
}

/* Whole cells of one fine place, as far as the quick way goes. */
static uintptr_t quick_cells(struct dh_judge *j, uintptr_t at, uintptr_t end) {
    end &= ~(uintptr_t)(DH_CELL_BYTES - 1);
    if (at % DH_CELL_BYTES != 0 || at >= end || !dh_judge_epoch_runs(j) || j->access.kind > DH_WRITE
        || dh_owner_of(at) != __dh_critical.owner)
        return at;
    dh_shadow_touch(at);
    return dh_quick_cells(at, end, j->access.kind, j->self, &j->changed);
}

/* Bytes in a fine place. */
static void fine_range(struct dh_judge *j, uintptr_t at, uintptr_t end) {
    while (at < end) {
        at = quick_cells(j, at, end);
        if (at == end) return;
        uintptr_t cell = at & ~(uintptr_t)(DH_CELL_BYTES - 1), next = cell + DH_CELL_BYTES;
        unsigned mask = DH_WORD_BYTES_MASK << (at - cell) & DH_WORD_BYTES_MASK;
        if (end < next) mask &= DH_WORD_BYTES_MASK >> (next - end);
        struct made made = judge_cell(j, cell, mask);
        if (DH_UNLIKELY(j->stopped)) return;
        at = next;
        if (mask == DH_WORD_BYTES_MASK && at < end) at = same_cells(made, at, end);
    }
}

void dh_judge_range(struct dh_judge *j) {
    uintptr_t at = j->address, end = j->address + j->size, fine_end;
    while ((at = dh_blocks_step(j, at, end, &fine_end)) < end && !j->stopped) {
        if (fine_end > end) fine_end = end;
        fine_range(j, at, fine_end);
        at = fine_end;
    }
}

void dh_judge_end(struct dh_judge *j) {
    if (j->changed && j->past)
        dh_history_add_past(j->self, j->address, (uint32_t)j->unit, (uint32_t)j->stride,
                            (uint32_t)((j->size - j->unit) / j->stride + 1), j->flags, j->here.pc,
                            j->callers);
    else if (j->changed && j->unit == j->size)
        dh_history_add(j->self, j->address, j->size <= UINT32_MAX ? (uint32_t)j->size : UINT32_MAX,
                       j->flags, j->here);
    else if (j->changed)
        dh_history_add_run(j->self, j->address, (uint32_t)j->unit, (uint32_t)j->stride,
                           (uint32_t)((j->size - j->unit) / j->stride + 1), j->flags, j->here);
    dh_critical_leave();
    if (DH_UNLIKELY(j->races != 0)) report(j);
}
