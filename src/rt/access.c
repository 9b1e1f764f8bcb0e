/* Plain accesses: the slow exits of the inlined tests, ranges, masked and scattered vectors. */
#include "rt/access.h"
#include "rt/called_from.h"
#include "rt/gathers.h"
#include "rt/judge.h"
#include "rt/shortest.h"
#include "rt/splits.h"
#include "report/race.h"

/* What is new to the thread is often far: it comes meanwhile. The exchange of a cell would have it
 * waited for first. */
static inline void fetch(void const *p, enum dh_kind kind) {
    if (kind == DH_READ)
        __builtin_prefetch(p);
    else
        dh_prefetch_write(p);
}

static inline void plain(void const *p, size_t size, enum dh_kind kind, struct dh_here here) {
    struct dh_judge j;
    uint32_t flags = kind == DH_WRITE ? DH_ACCESS_WRITE : 0;
    if (!dh_judge_begin(&j, kind, flags, (uintptr_t)p, size, here)) return;
    dh_judge_range(&j);
    dh_judge_end(&j);
}

/* Whole cells from `at` to `end`, in one granule, as long as they hold epochs that are ordered
 * before us, or this very access. A cell that is not 0 is fine (rt/blocks.h), so nothing else has
 * to be asked; one of 0 in a block that is fine stands for what its unit says. Neighbours mostly
 * have the same state: what becomes of it is found out once. Returns the first that is not such a
 * cell, or the end. */
static inline uintptr_t quick_whole_cells(struct dh_thread *self, uintptr_t at, uintptr_t end,
                                          enum dh_kind kind, bool *changed) {
    uint32_t const owner = dh_owner_of(at);
    if (!dh_own_settled(owner)) return at;
    dh_cell *cell = dh_shadow(at), before = UINT64_MAX, after = 0; /* no cell is that */
    for (; at < end; at += DH_CELL_BYTES, cell++) {
        dh_cell old = __atomic_load_n(cell, __ATOMIC_ACQUIRE), state = old;
        if (old == 0) {
            if (!dh_block_is_fine(at)) break;
            state = __atomic_load_n(dh_coarse_of(at), __ATOMIC_ACQUIRE);
        }
        if (state != before) {
            dh_cell next = state;
            if (!dh_quick_whole(&next, kind, self, true)) break;
            before = state;
            after = next;
        }
        if (after == state) continue;
        if (owner != DH_OWNER_SHARED)
            __atomic_store_n(cell, after, __ATOMIC_RELAXED);
        else if (!__atomic_compare_exchange_n(cell, &old, after, false, __ATOMIC_SEQ_CST,
                                              __ATOMIC_RELAXED))
            break;
        *changed = true;
    }
    return at;
}

/* Any bytes, as far as they are fine, and as rt/quick.h has it. Returns how far it got. */
static uintptr_t quick_fine(struct dh_thread *self, uintptr_t at, uintptr_t end, enum dh_kind kind,
                            bool *changed) {
    uintptr_t const cell = DH_CELL_BYTES, granule = (uintptr_t)1 << DH_GRANULE_SHIFT;
    while (at < end) {
        uintptr_t next = (at | (cell - 1)) + 1;
        if (next - at == cell && next <= end) {
            uintptr_t stop = (at | (granule - 1)) + 1, from = at;
            at =
                quick_whole_cells(self, at, (stop < end ? stop : end) & ~(cell - 1), kind, changed);
            if (at != from) continue;
        }
        dh_word bytes = DH_WORD_BYTES_MASK << at % cell & DH_WORD_BYTES_MASK;
        if (end < next) bytes &= DH_WORD_BYTES_MASK >> (next - end);
        if (!dh_quick_cell(at, bytes, kind, self, changed)) return at;
        at = next;
    }
    return end;
}

/* What is not fine is the blocks' business. What was done of it, where it comes to something else,
 * the long way finds on record. */
bool dh_range_quick(struct dh_thread *self, uintptr_t address, size_t size, enum dh_kind kind,
                    bool *changed) {
    if (DH_UNLIKELY(__dh_tls.epoch - 1 >= DH_WORD_OBJECT) && !dh_epochs_open_quick()) return false;
    uintptr_t const end = address + size, at = quick_fine(self, address, end, kind, changed);
    return at >= end || dh_blocks_quick(self, kind, address, at, end, changed);
}

/* Nothing is put off for long by the section: there is an end to the size. */
enum { FEW = 8 * DH_CELL_BYTES, MANY = 16 << 10 };
static bool quick_range(uintptr_t address, size_t size, enum dh_kind kind, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    if (size - 1 >= MANY || dh_alone_now || dh_recording || !dh_has_shadow(address, size))
        return false;
    if (size <= FEW && dh_quick_on_record(address, size, kind)) return true;
    bool changed = false;
    dh_critical_enter();
    bool done = dh_range_quick(self, address, size, kind, &changed);
    if (changed)
        dh_history_add(self, address, (uint32_t)size, kind == DH_WRITE ? DH_ACCESS_WRITE : 0, here);
    dh_critical_leave();
    return done;
}

/* A few accesses side by side as one range, but for the history, in fine cells: how often blocks
 * that are not have short accesses decides what becomes of them (rt/blocks.h), and there each
 * counts. False: some of it is left, or all. What was made of it is on record; *changed says if any
 * of that was new. Inside a critical section. */
static inline __attribute__((always_inline)) bool side_by_side(struct dh_thread *self,
                                                               uintptr_t address, size_t size,
                                                               enum dh_kind kind, bool *changed) {
    if (DH_UNLIKELY(dh_recording)) return false; /* each is on the tape */
    if (DH_UNLIKELY(__dh_tls.epoch - 1 >= DH_WORD_OBJECT) && !dh_epochs_open_quick()) return false;
    return quick_fine(self, address, address + size, kind, changed) >= address + size;
}

/* A row (rt/abi.h). Where some of it is left, that is about to be made: all of it is noted. */
static inline __attribute__((always_inline)) bool
row_quick(uintptr_t address, size_t size, size_t unit, enum dh_kind kind, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    bool changed = false;
    fetch((void const *)address, kind);
    dh_critical_enter_known();
    bool done = side_by_side(self, address, size, kind, &changed);
    if (changed)
        dh_history_note_row(self, address, (uint32_t)unit, (uint32_t)(size / unit),
                            kind == DH_WRITE ? DH_ACCESS_WRITE : 0, here);
    dh_critical_leave();
    return done;
}

/* A group. */
static inline __attribute__((always_inline)) uint32_t group_quick(uintptr_t address, size_t size,
                                                                  enum dh_kind kind) {
    bool changed = false;
    fetch((void const *)address, kind);
    dh_critical_enter_known();
    bool done = side_by_side(__dh_tls.self, address, size, kind, &changed);
    dh_critical_leave();
    return (changed ? DH_RUN_NOTE : 0) | (done ? 0 : DH_RUN_JUDGE);
}

/* One of it. That something is to be noted was found with an epoch open: the thread is known. Where
 * a signal handler came in between and ended that, the note is of the next; all that can be lost by
 * it is the other side of a report. */
static inline __attribute__((always_inline)) void
member(uintptr_t address, size_t size, uint32_t left, enum dh_kind kind, struct dh_here here) {
    if (DH_LIKELY((left & DH_RUN_NOTE) != 0)) {
        dh_critical_enter_known();
        dh_history_note(__dh_tls.self, address, (uint32_t)size,
                        kind == DH_WRITE ? DH_ACCESS_WRITE : 0, here);
        dh_critical_leave();
    }
    if (DH_UNLIKELY((left & DH_RUN_JUDGE) != 0)) dh_access_one(address, size, kind, here);
}

static void range(void const *p, size_t size, enum dh_kind kind, struct dh_here here) {
    if (!quick_range((uintptr_t)p, size, kind, here)) plain(p, size, kind, here);
}

void dh_range_read(void const *p, size_t size, struct dh_here here) {
    if (!dh_call_ignored(here)) range(p, size, DH_READ, here);
}
void dh_range_write(void const *p, size_t size, struct dh_here here) {
    if (!dh_call_ignored(here)) range(p, size, DH_WRITE, here);
}

void dh_access_one(uintptr_t address, size_t size, enum dh_kind kind, struct dh_here here) {
    if (size > DH_CELL_BYTES || !dh_quick(address, (uint32_t)size, false, kind, here))
        plain((void const *)address, size, kind, here);
}

/* Nobody's, or an epoch of this thread's slot; or among those of another's that it met last; or one
 * of two others' epochs, for what was written in one epoch is read in one, and where another thread
 * looked at it before is written in one. */
static inline __attribute__((always_inline)) bool is_known_epoch(dh_word w,
                                                                 struct dh_thread const *self) {
    if (w == 0 || dh_bound_is_of(w, &self->own) || dh_bound_is_within(w, self->others)) return true;
    dh_word const epoch = w & ~DH_WORD_BYTES_MASK;
    return epoch == self->ordered || epoch == self->ordered_too;
}

/* The word is found to be ordered, which the thread remembers. */
static inline bool learn_ordered(struct dh_thread *self, dh_word w) {
    if (is_known_epoch(w, self)) return true;
    if (!dh_quick_ordered(w, self)) return false;
    uint64_t const bound = dh_bound_of(w);
    dh_slot const slot = dh_bound_slot(bound);
    dh_tick const tick = dh_vc_tick(self->vc, slot);
    if (dh_bound_tick(bound) <= tick) {
        self->others = dh_bound_up_to(slot, tick);
    } else {
        self->ordered_too = self->ordered;
        self->ordered = w & ~DH_WORD_BYTES_MASK;
    }
    return true;
}

static __attribute__((noinline, preserve_most)) bool ordered_slow(dh_cell cell) {
    struct dh_thread *self = __dh_tls.self;
    return learn_ordered(self, dh_cell_write(cell)) && learn_ordered(self, dh_cell_read(cell));
}

__attribute__((preserve_most, noinline)) bool dh_shortest_ordered(uintptr_t address, dh_cell cell) {
    struct dh_thread const *self = __dh_tls.self;
    (void)address;
    return (DH_LIKELY(is_known_epoch(dh_cell_write(cell), self))
            && DH_LIKELY(is_known_epoch(dh_cell_read(cell), self)))
           || ordered_slow(cell);
}

#define EXPORT __attribute__((visibility("default")))

/* What is in a block that is not fine. */
static inline __attribute__((always_inline)) bool
block_quick(uintptr_t address, uint32_t size, enum dh_kind kind, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    dh_word bytes = ((1u << size) - 1) << address % DH_CELL_BYTES;
    bool changed = false;
    if (DH_UNLIKELY(dh_recording) || bytes > DH_WORD_BYTES_MASK) return false;
    dh_critical_enter_known();
    bool done = (DH_LIKELY(__dh_tls.epoch - 1 < DH_WORD_OBJECT) || dh_epochs_open_quick())
                && dh_block_quick(self, kind, address, size, bytes, &changed);
    if (changed) dh_history_note(self, address, size, kind == DH_WRITE ? DH_ACCESS_WRITE : 0, here);
    dh_critical_leave();
    return done;
}

/* Some bytes of one cell that is split, in a granule of the thread's own, are on record: so most are
 * that come from a loop. */
static inline __attribute__((always_inline)) bool split_recorded(uintptr_t address, uint32_t size,
                                                                 enum dh_kind kind) {
    if (DH_UNLIKELY(dh_recording)) return false;
    dh_critical_enter_known();
    dh_word const id = __dh_tls.epoch & ~DH_WORD_BYTES_MASK;
    dh_word const *words = (dh_word const *)dh_shadow(address);
    dh_word const word = __atomic_load_n(&words[kind == DH_READ], __ATOMIC_RELAXED);
    bool known = false;
    if (dh_word_is_split(word) && DH_LIKELY(dh_owner_of(address) == __dh_critical.owner)) {
        struct dh_split const *s = &DH_SPLITS[dh_split_number(word)];
        dh_word const *half = kind == DH_READ ? s->read : s->write;
        known = dh_split_common(half, address % DH_CELL_BYTES, size) == id && id != 0;
    }
    dh_critical_leave();
    return known;
}

/* They were last used in one epoch: from the function that the program called. False: nothing was
 * done. */
static inline __attribute__((always_inline)) bool split_shortest(uintptr_t address, uint32_t size,
                                                                 enum dh_kind kind) {
    struct dh_split_epochs found;
    unsigned const at = address % DH_CELL_BYTES;
    bool done = false, changed = false;
    if (DH_UNLIKELY(dh_recording)) return false;
    dh_critical_enter_known();
    /* Asked inside: until then a signal handler may end the epoch. */
    if (DH_UNLIKELY(__dh_tls.epoch - 1 >= DH_WORD_OBJECT) && !dh_epochs_open_quick()) goto out;
    dh_word const id = __dh_tls.epoch & ~DH_WORD_BYTES_MASK;
    dh_cell *const cells = dh_shadow(address), cell = __atomic_load_n(cells, __ATOMIC_ACQUIRE);
    dh_cell next = cell;
    if (DH_UNLIKELY(!dh_cell_is_split(cell))) goto out;
    uint32_t const owner = dh_owner_of(address);
    struct dh_split *const s = dh_split_of(cell);
    if (owner != __dh_critical.owner
        && (owner != DH_OWNER_SHARED || !dh_split_lock_try(cells, cell)))
        goto out;
    if (DH_LIKELY(dh_split_find(cell, s, at, size, kind, &found))) {
        dh_cell const before = dh_cell_of(found.same_kind, found.other_kind);
        if (found.same_kind == id) {
            done = true;
        } else if (dh_shortest_is_ordered(address, before, __dh_tls.self)) {
            dh_split_take(&next, s, at, size, kind, found, id);
            /* Fails only where memory was born meanwhile. */
            done = changed = next == cell || dh_shortest_exchange(cells, cell, next, owner);
        }
    }
    if (owner == DH_OWNER_SHARED) dh_split_unlock(s);
    if (changed) {
        if (!dh_cell_is_split(next))
            dh_split_free(__dh_tls.self, dh_split_number(dh_cell_split(cell)));
        dh_shortest_note(address, size, kind == DH_WRITE ? DH_ACCESS_WRITE : 0, DH_HERE);
    }
out:
    dh_critical_leave();
    return done;
}

/* Some bytes of one cell that is split. */
static inline __attribute__((always_inline)) bool
split_quick(uintptr_t address, uint32_t size, enum dh_kind kind, struct dh_here here) {
    struct dh_thread *self = __dh_tls.self;
    enum dh_outcome outcome = DH_UNDECIDED;
    if (DH_UNLIKELY(dh_recording)) return false;
    dh_critical_enter_known();
    if (DH_LIKELY(__dh_tls.epoch - 1 < DH_WORD_OBJECT) || dh_epochs_open_quick()) {
        uint32_t owner = dh_owner_of(address);
        dh_cell *at = dh_shadow(address), cell = __atomic_load_n(at, __ATOMIC_ACQUIRE);
        dh_word mine = (__dh_tls.epoch & ~DH_WORD_BYTES_MASK) | dh_shortest_bytes(address, size);
        if (DH_LIKELY(dh_cell_is_split(cell)) && dh_own_settled(owner))
            outcome = dh_split_quick(self, at, cell, mine, kind, owner != DH_OWNER_SHARED);
        if (outcome == DH_NEWS)
            dh_history_note(self, address, size, kind == DH_WRITE ? DH_ACCESS_WRITE : 0, here);
    }
    dh_critical_leave();
    return outcome != DH_UNDECIDED;
}

/* Only guesses as to which of the ways is the one to ask first. */
static inline dh_cell cell_of(void const *p) {
    return __atomic_load_n(dh_shadow((uintptr_t)p), __ATOMIC_RELAXED);
}
static inline bool is_in_block(void const *p) {
    return cell_of(p) == 0 && !dh_block_is_fine((uintptr_t)p);
}
static inline bool has_set(dh_cell cell, enum dh_kind kind) {
    return dh_word_is_set(kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell));
}

/* The cell has a set for the other kind of access, or an epoch that is not the running one has bytes
 * that this access leaves to it: that takes more than words. */
static inline bool takes_set(void const *p, uint32_t size, dh_cell cell, enum dh_kind kind) {
    dh_word word = kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell);
    if ((cell & DH_SHORTEST_OBJECTS) != 0) return true;
    return (word & DH_WORD_BYTES_MASK & ~dh_shortest_bytes((uintptr_t)p, size)) != 0
           && (word ^ __dh_tls.epoch) > DH_WORD_BYTES_MASK;
}

/* What the compiler took for aligned need not be: programs cast pointers. */
static inline bool is_in_one(void const *p, uint32_t size) {
    return (uintptr_t)p % DH_CELL_BYTES <= DH_CELL_BYTES - size;
}

static inline bool is_known(void const *p, uint32_t size, enum dh_kind kind) {
    return dh_shortest_remembered((uintptr_t)p, size, kind);
}

/* Most calls take the shortest way, which should not pay for the registers of the others: these are
 * entered by a jump, and find the caller as if they had been called from there. */
#define WAY static DH_SLOW __attribute__((noinline)) void
#define GO __attribute__((musttail)) return
#define WAYS(name, size, kind)                                                    \
    WAY long_##name(void const *p) { plain(p, size, kind, DH_HERE); }             \
    WAY block_##name(void const *p) {                                             \
        if (DH_LIKELY(block_quick((uintptr_t)p, size, kind, DH_HERE))) return;    \
        GO long_##name(p);                                                        \
    }                                                                             \
    WAY quick_##name(void const *p) {                                             \
        if (DH_LIKELY(dh_quick((uintptr_t)p, size, true, kind, DH_HERE))) return; \
        GO long_##name(p);                                                        \
    }                                                                             \
    WAY set_##name(void const *p) {                                               \
        if (DH_LIKELY(dh_shortest_known((uintptr_t)p, size, kind))) return;       \
        GO quick_##name(p);                                                       \
    }

/* Of whole cells few are in sets, and those that are split are the long way's. */
#define WHOLE(name, kind, suffix)                                              \
    WAYS(name, DH_CELL_BYTES, kind)                                            \
    WAY remembered_##name(void const *p) {                                     \
        if (DH_LIKELY(is_known(p, DH_CELL_BYTES, kind))) return;               \
        GO set_##name(p);                                                      \
    }                                                                          \
    EXPORT DH_SLOW void __dh_##name##_slow(void suffix *p) {                   \
        if (DH_UNLIKELY(!is_in_one(p, DH_CELL_BYTES))) GO set_##name(p);       \
        if (DH_LIKELY(dh_shortest((uintptr_t)p, DH_CELL_BYTES, kind))) return; \
        if (has_set(cell_of(p), kind)) GO remembered_##name(p);                \
        if (is_in_block(p)) GO block_##name(p);                                \
        GO quick_##name(p);                                                    \
    }

/* Of parts more are, and are split, than not. What is in no set for its kind goes on here. */
#define GO_ON(name, size, kind, p, cell)                          \
    if (DH_UNLIKELY(!is_in_one(p, size))) GO set_##name(p);       \
    if (dh_cell_is_split(cell)) GO dh_##name##_split(p);          \
    if (cell == 0) GO empty_##name(p);                            \
    if (takes_set(p, size, cell, kind)) GO dh_##name##_in_set(p); \
    GO shortest_##name(p);
#define PART(name, size, kind, suffix)                                         \
    WAYS(name, size, kind)                                                     \
    WAY split_long_##name(void const *p) {                                     \
        if (DH_LIKELY(split_quick((uintptr_t)p, size, kind, DH_HERE))) return; \
        GO quick_##name(p);                                                    \
    }                                                                          \
    WAY split_shortest_##name(void const *p) {                                 \
        if (DH_LIKELY(split_shortest((uintptr_t)p, size, kind))) return;       \
        GO split_long_##name(p);                                               \
    }                                                                          \
    DH_SLOW void dh_##name##_split(void const *p) {                            \
        if (DH_LIKELY(split_recorded((uintptr_t)p, size, kind))) return;       \
        GO split_shortest_##name(p);                                           \
    }                                                                          \
    WAY shortest_##name(void const *p) {                                       \
        if (DH_LIKELY(dh_shortest((uintptr_t)p, size, kind))) return;          \
        GO quick_##name(p);                                                    \
    }                                                                          \
    WAY empty_##name(void const *p) {                                          \
        if (dh_block_is_fine((uintptr_t)p)) GO quick_##name(p);                \
        GO block_##name(p);                                                    \
    }                                                                          \
    DH_SLOW void dh_##name##_in_set(void const *p) {                           \
        if (DH_LIKELY(dh_shortest_changed((uintptr_t)p, size, kind))) return;  \
        GO quick_##name(p);                                                    \
    }                                                                          \
    DH_SLOW void dh_##name##_no_set(void const *p) {                           \
        dh_cell cell = cell_of(p);                                             \
        GO_ON(name, size, kind, p, cell)                                       \
    }                                                                          \
    WAY remembered_##name(void const *p) {                                     \
        if (DH_LIKELY(is_known(p, size, kind))) return;                        \
        GO dh_##name##_in_set(p);                                              \
    }                                                                          \
    EXPORT DH_SLOW void __dh_##name##_slow(void suffix *p) {                   \
        dh_cell cell = cell_of(p);                                             \
        if (DH_UNLIKELY(!is_in_one(p, size))) GO set_##name(p);                \
        if (has_set(cell, kind)) GO remembered_##name(p);                      \
        GO_ON(name, size, kind, p, cell)                                       \
    }
#define PARTS(size)                        \
    PART(read##size, size, DH_READ, const) \
    PART(write##size, size, DH_WRITE, )
PARTS(1)
PARTS(2)
PARTS(4)
WHOLE(read8, DH_READ, const)
WHOLE(write8, DH_WRITE, )

EXPORT DH_SLOW void __dh_gather8_slow(void const *p) {
    if (dh_gathers_know(p)) return;
    GO __dh_read8_slow(p);
}

EXPORT DH_SLOW bool __dh_read_row_slow(void const *p, size_t size, size_t unit) {
    return row_quick((uintptr_t)p, size, unit, DH_READ, DH_HERE);
}
EXPORT DH_SLOW bool __dh_write_row_slow(void *p, size_t size, size_t unit) {
    return row_quick((uintptr_t)p, size, unit, DH_WRITE, DH_HERE);
}

EXPORT DH_SLOW uint32_t __dh_read_group_slow(void const *p, size_t size) {
    return group_quick((uintptr_t)p, size, DH_READ);
}
EXPORT DH_SLOW uint32_t __dh_write_group_slow(void *p, size_t size) {
    return group_quick((uintptr_t)p, size, DH_WRITE);
}
EXPORT DH_SLOW void __dh_read_member_slow(void const *p, size_t size, uint32_t left) {
    member((uintptr_t)p, size, left, DH_READ, DH_HERE);
}
EXPORT DH_SLOW void __dh_write_member_slow(void *p, size_t size, uint32_t left) {
    member((uintptr_t)p, size, left, DH_WRITE, DH_HERE);
}

EXPORT DH_SLOW void __dh_read16_slow(void const *p) { range(p, 16, DH_READ, DH_HERE); }
EXPORT DH_SLOW void __dh_write16_slow(void *p) { range(p, 16, DH_WRITE, DH_HERE); }

EXPORT void __dh_check_read_range(void const *p, size_t size) { range(p, size, DH_READ, DH_HERE); }
EXPORT void __dh_check_write_range(void *p, size_t size) { range(p, size, DH_WRITE, DH_HERE); }

/* Lanes next to each other are one range. */
static void masked(void const *p, uint64_t mask, uint32_t lanes, uint32_t lane_size,
                   enum dh_kind kind, struct dh_here here) {
    for (uint32_t i = 0; i < lanes;) {
        uint32_t run = 0;
        while (i + run < lanes && mask >> (i + run) & 1)
            run++;
        range((char const *)p + (size_t)i * lane_size, (size_t)run * lane_size, kind, here);
        i += run + 1;
    }
}

static void scattered(void const *const *ps, uint64_t mask, uint32_t lanes, uint32_t lane_size,
                      enum dh_kind kind, struct dh_here here) {
    for (uint32_t i = 0; i < lanes; i++)
        if (mask >> i & 1) range(ps[i], lane_size, kind, here);
}

EXPORT void __dh_check_read_masked(void const *p, uint64_t mask, uint32_t lanes,
                                   uint32_t lane_size) {
    masked(p, mask, lanes, lane_size, DH_READ, DH_HERE);
}
EXPORT void __dh_check_write_masked(void *p, uint64_t mask, uint32_t lanes, uint32_t lane_size) {
    masked(p, mask, lanes, lane_size, DH_WRITE, DH_HERE);
}
EXPORT void __dh_check_read_gather(void const *const *ps, uint64_t mask, uint32_t lanes,
                                   uint32_t lane_size) {
    scattered(ps, mask, lanes, lane_size, DH_READ, DH_HERE);
}
EXPORT void __dh_check_write_scatter(void *const *ps, uint64_t mask, uint32_t lanes,
                                     uint32_t lane_size) {
    scattered((void const *const *)ps, mask, lanes, lane_size, DH_WRITE, DH_HERE);
}
