/* Runs: what an access does in a loop, all at once. See rt/abi.h for what compiled code asks.
 *
 * Several accesses side by side may be judged together, as if they were one. Then nobody knows yet
 * whose bytes are whose; but that matters only to a report, now or later. So
 *
 *   - what is new is noted in the history by each of the accesses, with its own place in the code,
 *     right afterwards (DH_RUN_NOTE). Until then the place of all together stands there;
 *   - a race stops the judging before it is noted (rt/judge.h), and each access judges all of its own
 *     bytes instead (DH_RUN_JUDGE). Those that were judged before are on record by then.
 *
 * A thread remembers its last run from each place in the code. What the next has of that, in the
 * same epoch, is on record, as READSAMEEPOCH and WRITESAMEEPOCH have it: whoever else was there
 * since has found a race with the first one, for it cannot be ordered behind that without a release
 * of ours. The exception is memory that has lost its history since (dh_forgotten). Where the next
 * has no gaps and goes on from the last at one end, that end is what is judged, and what is
 * remembered is both: all bytes between its lowest and its highest access are on record.
 */
#include "report/race.h"
#include "rt/access.h"
#include "rt/audit.h"
#include "rt/blocks.h"
#include "rt/epochs.h"
#include "rt/gaps.h"
#include "rt/history.h"
#include "rt/judge.h"
#include "rt/loops.h"
#include "rt/own.h"
#include "rt/quick.h"
#include "rt/shadow.h"
#include "rt/stats.h"
#include "rt/tape.h"

#include <sys/syscall.h>

/* Runs are judged in pieces of so many bytes, or accesses: a critical section is to be short. */
enum { DENSE_PIECE = 1 << 16, SPARSE_PIECE = 1 << 10 };
/* And what goes on for longer is looked at for so many bytes at a time. */
enum { AHEAD = 1 << 20 };

struct sweep {
    enum dh_kind kind;
    struct dh_here here;
    bool together; /* the accesses are several, side by side */
    bool changed;
    bool stopped; /* by a race */
};

static uint32_t flags_of(enum dh_kind kind) { return kind == DH_WRITE ? DH_ACCESS_WRITE : 0; }

/* Bytes without a gap: of accesses of `unit` bytes, a stride apart. */
static void judge(struct sweep *s, uintptr_t address, size_t size, size_t unit, size_t stride) {
    struct dh_judge j;
    if (!dh_judge_begin(&j, s->kind, flags_of(s->kind), address, size, s->here)) return;
    j.unit = unit;
    j.stride = stride;
    j.stops = s->together;
    dh_judge_range(&j);
    s->changed |= j.changed;
    s->stopped |= j.stopped;
    dh_judge_end(&j);
}

typedef dh_word __attribute__((may_alias)) word_of_cell; /* the write word, then the read word */

/* How many of the accesses, from the first on, are on record (dh_quick_on_record): of so many whole
 * cells each. Neighbours mostly have the same word. */
static inline __attribute__((always_inline)) size_t
cells_on_record(bool read, size_t cells, uintptr_t first, size_t stride, size_t count) {
    dh_word const mine = __dh_tls.epoch, set = read ? __dh_tls.readset : mine;
    for (size_t i = 0; i < count; i++, first += stride) {
        word_of_cell const *words = (word_of_cell const *)dh_shadow(first) + read;
        dh_word const word = __atomic_load_n(words, __ATOMIC_RELAXED);
        if (word != set && word != mine) return i;
        for (size_t c = 1; c < cells; c++) {
            dh_word next = __atomic_load_n(&words[2 * c], __ATOMIC_RELAXED);
            if (DH_UNLIKELY(next != word) && next != set && next != mine) return i;
        }
    }
    return count;
}

static size_t on_record(enum dh_kind kind, uintptr_t first, size_t size, size_t stride,
                        size_t count) {
    if ((first | size | stride) % DH_CELL_BYTES != 0) return dh_quick_on_record(first, size, kind);
    bool read = kind == DH_READ;
    switch (size / DH_CELL_BYTES) {
    case 1:
        return read ? cells_on_record(true, 1, first, stride, count)
                    : cells_on_record(false, 1, first, stride, count);
    case 3: /* vectors in space */
        return read ? cells_on_record(true, 3, first, stride, count)
                    : cells_on_record(false, 3, first, stride, count);
    default: return cells_on_record(read, size / DH_CELL_BYTES, first, stride, count);
    }
}

/* Accesses with gaps between them. Most are on record: the same run is made again and again. */
static void sparse(struct sweep *s, struct dh_memo const *run, uintptr_t first, size_t count) {
    size_t const size = run->size, stride = run->distance;
    size_t known = on_record(s->kind, first, size, stride, count);
    struct dh_gaps rest = {s->kind, first + known * stride, size, stride, count - known};
    struct dh_judge j;
    if (known == count || !dh_gaps_begin(&j, &rest, s->here)) return;
    j.stops = s->together;
    dh_gaps_judge(&j, run->lowest, run->highest);
    s->changed |= j.changed;
    s->stopped |= j.stopped;
    dh_judge_end(&j);
}

/* A run as it is remembered, if it is. The place is the thread's to fill in. Inside a critical
 * section. */
static inline struct dh_memo *memo_at(struct dh_thread *self, uintptr_t pc) {
    return &self->memos->memos[pc * 0x9e3779b97f4a7c15u >> (64 - DH_MEMOS_BITS)];
}
static struct dh_memo *memo_of(struct dh_thread *self, struct dh_memo const *run) {
    if (DH_UNLIKELY(!self->memos)) self->memos = dh_alloc(sizeof *self->memos);
    return memo_at(self, run->pc);
}

/* How many accesses of the run, from the first on, were in this one; SIZE_MAX: all. */
static size_t known_of(struct dh_memo const *run, struct dh_memo const *of, bool down) {
    uintptr_t first = down ? run->highest : run->lowest;
    if (run->pc != of->pc || run->size != of->size || run->distance != of->distance
        || run->forgotten != of->forgotten || !dh_epoch_equal(run->epoch, of->epoch)
        || first < of->lowest || first > of->highest)
        return 0;
    if (first != (down ? of->highest : of->lowest) && run->distance > run->size
        && (first - of->lowest) % run->distance != 0)
        return 0;
    if (run->lowest >= of->lowest && run->highest <= of->highest) return SIZE_MAX;
    return (down ? first - of->lowest : of->highest - first) / run->distance + 1;
}

/* The accesses of a run without gaps, but for the first `known` of them, by the quick way
 * (rt/blocks.h). False: some are left to the long one. */
static bool quick(struct sweep *s, struct dh_thread *self, struct dh_memo const *run, size_t known,
                  size_t count, bool down) {
    bool changed = false;
    size_t bytes = run->highest - run->lowest + run->size - known * run->distance;
    uintptr_t lowest = down ? run->lowest : run->lowest + known * run->distance;
    if (run->distance > run->size || bytes > DENSE_PIECE || DH_UNLIKELY(dh_recording)) return false;
    bool done = dh_blocks_quick(self, s->kind, lowest, lowest, lowest + bytes, &changed);
    if (!changed) return done;
    s->changed = true;
    dh_history_add_run(self, lowest, (uint32_t)run->size, (uint32_t)run->distance,
                       (uint32_t)(count - known), flags_of(s->kind), s->here);
    return done;
}

/* How many accesses of the run, from the first on, are on record. *run says how things are before
 * the others are made. */
static size_t known(struct sweep *s, struct dh_memo *run, size_t count, bool down) {
    struct dh_thread *self = dh_self();
    if (DH_UNLIKELY(self->ignoring != 0)) {
        run->pc = 0;
        return 0;
    }
    if (__dh_tls.epoch == DH_WORD_NOMATCH) dh_epochs_provide(self);
    size_t known = 0;
    dh_critical_enter();
    bool open = dh_thread_open_epoch(self) != 0;
    run->epoch = dh_thread_epoch(self);
    run->forgotten = dh_forgotten(self);
    if (open) {
        struct dh_memo *memo = memo_of(self, run);
        known = known_of(run, memo, down);
        if (known < count && quick(s, self, run, known, count, down)) {
            *memo = *run;
            known = count;
        }
    }
    dh_critical_leave();
    if (!open) run->pc = 0;
    return known;
}

/* It was made. A handler in between may have ended the epoch. */
static void remember(struct dh_memo const *run) {
    struct dh_thread *self = dh_self();
    if (run->pc == 0) return;
    dh_critical_enter();
    if (__dh_tls.epoch != DH_WORD_NOMATCH && dh_epoch_equal(run->epoch, dh_thread_epoch(self))
        && run->forgotten == dh_forgotten(self))
        *memo_of(self, run) = *run;
    dh_critical_leave();
}

static bool is_mapped(uintptr_t address, size_t size) {
    unsigned char resident[AHEAD / 4096 + 1];
    uintptr_t page = address & -(uintptr_t)4096;
    return dh_syscall(SYS_mincore, page, address + size - page, resident, 0l, 0l, 0l) == 0;
}

/* The program's memory goes on at `first`, upwards. *ahead: until there this is known. If others
 * own some of it that ends now. */
static bool goes_on(uintptr_t first, uintptr_t end, uintptr_t *ahead) {
    if (first < *ahead) return true;
    size_t left = end - first < AHEAD ? end - first : AHEAD;
    if (left > 1 && is_mapped(first, left) && dh_has_shadow(first, left)) {
        dh_own_end_others(first, left);
        *ahead = first + left;
        return true;
    }
    return is_mapped(first, 1);
}

static size_t distance_of(ptrdiff_t stride) {
    return stride < 0 ? 0 - (size_t)stride : (size_t)stride;
}

static inline void count_run(struct dh_thread *self, size_t size, size_t count) {
    DH_COUNT(self, ranges);
    self->stats[DH_STAT_range_bytes] += size * count;
}

/* A loop may be about to run off its memory, and crash. What it will never get to is then no
 * access, and shadow is not to be spent on it: from piece to piece the program's memory must go
 * on. */
static void run(struct sweep *s, uintptr_t first, size_t size, ptrdiff_t stride, size_t count) {
    if (dh_alone_still() || count == 0) return;
    count_run(dh_self(), size, count);
    size_t distance = distance_of(stride);
    uintptr_t last = first + (count - 1) * (uintptr_t)stride;
    struct dh_memo memo = {.pc = s->here.pc,
                           .lowest = stride < 0 ? last : first,
                           .highest = stride < 0 ? first : last,
                           .size = size,
                           .distance = distance};
    size_t before = known(s, &memo, count, stride < 0);
    if (before >= count) return;
    bool dense = distance <= size;
    size_t most = dense ? DENSE_PIECE / distance + 1 : SPARSE_PIECE;
    count -= before;
    first += before * (uintptr_t)stride;
    uintptr_t ahead = 0;
    for (;;) {
        size_t n = count < most ? count : most;
        uintptr_t lowest = stride < 0 ? first - (n - 1) * distance : first;
        if (dense)
            judge(s, lowest, (n - 1) * distance + size, size, distance);
        else
            sparse(s, &memo, lowest, n);
        count -= n;
        first += n * (uintptr_t)stride;
        if (s->stopped) return;
        if (count == 0) break;
        if (!(stride < 0 ? is_mapped(first, 1) : goes_on(first, memo.highest + size, &ahead)))
            return;
    }
    remember(&memo);
}

/* On a tape each access has its own place in the source. Not on one of checks: these are there as
 * they are made. */
static bool is_apart(size_t size, ptrdiff_t stride, size_t count) {
    return (dh_recording && !dh_audited()) || size > UINT32_MAX || count > UINT32_MAX
           || distance_of(stride) > UINT32_MAX;
}

/* The memo is of this epoch, and of runs like this one. Inside a critical section. */
static inline __attribute__((always_inline)) bool memo_is_of(struct dh_memo const *m,
                                                             struct dh_thread const *self,
                                                             uintptr_t pc, size_t size,
                                                             size_t distance) {
    return m->pc == pc && m->size == size && m->distance == distance
           && dh_epoch_equal(m->epoch, dh_thread_epoch(self)) && m->forgotten == dh_forgotten(self);
}

/* A run upwards is on record by what was made last from its place: in a nest of loops it is made in
 * each round of an outer one, often the very same. False: that is not known. */
static inline __attribute__((always_inline)) bool
made_before(uintptr_t first, size_t size, ptrdiff_t stride, size_t count, uintptr_t pc) {
    size_t const distance = (size_t)stride;
    uintptr_t const last = first + (count - 1) * distance;
    bool known = false;
    if (DH_UNLIKELY(stride < 0) || DH_UNLIKELY(count == 0)) return false;
    dh_critical_enter_known();
    struct dh_thread *self = __dh_tls.self;
    if (DH_LIKELY(__dh_tls.epoch - 1 < DH_WORD_OBJECT) && DH_LIKELY(self->memos != 0)) {
        struct dh_memo const *m = memo_at(self, pc);
        known = m->lowest <= first && last <= m->highest && memo_is_of(m, self, pc, size, distance)
                && (m->lowest == first || distance <= size);
        if (known) count_run(self, size, count);
    }
    dh_critical_leave();
    return known;
}

/* A run without gaps, as far as it is not in the memo, by the quick way. False: some is left. */
static inline __attribute__((always_inline)) bool
quick_beside(struct sweep *s, struct dh_thread *self, struct dh_memo *m, struct dh_memo *run,
             size_t count, bool down) {
    uintptr_t const lowest = run->lowest, highest = run->highest;
    if (lowest > m->highest || highest < m->lowest
        || !memo_is_of(m, self, run->pc, run->size, run->distance)) {
        if (!quick(s, self, run, 0, count, down)) return false;
        *m = *run;
        return true;
    }
    bool const below = lowest < m->lowest;
    bool const above = m->highest < highest;
    if (!below && !above) return true;
    if (below && above) return false;
    size_t const more = ((below ? m->lowest - lowest : highest - m->highest) - 1) / run->distance;
    if (below)
        run->highest = lowest + more * run->distance;
    else
        run->lowest = highest - more * run->distance;
    if (!quick(s, self, run, 0, more + 1, down)) return false;
    if (below)
        m->lowest = lowest;
    else
        m->highest = highest;
    return true;
}

/* A run that is on record by what was made last from its place; or that has no gaps, and what of it
 * is not is made here, if the quick way does. It costs little. False: some of it is left. */
static inline __attribute__((always_inline)) bool
at_once(struct sweep *s, uintptr_t first, size_t size, ptrdiff_t stride, size_t count) {
    size_t const distance = distance_of(stride);
    uintptr_t const last = first + (count - 1) * (uintptr_t)stride;
    uintptr_t const lowest = stride < 0 ? last : first, highest = stride < 0 ? first : last;
    bool done = false;
    if (DH_UNLIKELY(count == 0)) return true;
    dh_critical_enter_known();
    struct dh_thread *self = __dh_tls.self;
    if (DH_LIKELY(__dh_tls.epoch - 1 < DH_WORD_OBJECT) && DH_LIKELY(self->memos != 0)) {
        struct dh_memo *m = memo_at(self, s->here.pc);
        if (distance <= size) {
            struct dh_epoch const epoch = dh_thread_epoch(self);
            uint64_t const forgotten = dh_forgotten(self);
            struct dh_memo run = {s->here.pc, lowest, highest, size, distance, epoch, forgotten};
            done = quick_beside(s, self, m, &run, count, stride < 0);
        } else if (m->lowest == lowest && highest <= m->highest) {
            done = memo_is_of(m, self, s->here.pc, size, distance);
        }
        if (done) count_run(self, size, count);
    }
    dh_critical_leave();
    return done;
}

static uint32_t together(uintptr_t first, size_t size, ptrdiff_t stride, size_t count,
                         enum dh_kind kind, struct dh_here here) {
    struct sweep s = {.kind = kind, .here = here, .together = true};
    if (is_apart(size, stride, count)) return DH_RUN_JUDGE;
    if (distance_of(stride) > size || !at_once(&s, first, size, stride, count))
        run(&s, first, size, stride, count);
    return s.stopped ? DH_RUN_JUDGE : s.changed ? DH_RUN_NOTE : 0;
}

static void apart(uintptr_t first, size_t size, ptrdiff_t stride, size_t count, uint32_t left,
                  enum dh_kind kind, struct dh_here here) {
    struct sweep s = {.kind = kind, .here = here};
    if (count == 0 || dh_alone_still()) return;
    if (!is_apart(size, stride, count)) {
        struct dh_thread *self = dh_self();
        size_t distance = distance_of(stride);
        uintptr_t lowest = stride < 0 ? first - (count - 1) * distance : first;
        dh_critical_enter();
        dh_history_add_run(self, lowest, (uint32_t)size, (uint32_t)distance, (uint32_t)count,
                           flags_of(kind), here);
        dh_critical_leave();
    }
    if (left == DH_RUN_JUDGE) run(&s, first, size, stride, count);
}

void dh_run_check(enum dh_kind kind, uintptr_t first, size_t size, ptrdiff_t stride, size_t count,
                  struct dh_here here) {
    struct sweep s = {.kind = kind, .here = here};
    run(&s, first, size, stride, count);
}

#define EXPORT __attribute__((visibility("default")))

static inline __attribute__((always_inline)) void check(uintptr_t first, size_t size,
                                                        ptrdiff_t stride, size_t count,
                                                        enum dh_kind kind, struct dh_here here) {
    struct sweep s = {.kind = kind, .here = here};
    if (!at_once(&s, first, size, stride, count)) run(&s, first, size, stride, count);
}
static __attribute__((noinline)) void check_read(uintptr_t first, size_t size, ptrdiff_t stride,
                                                 size_t count, struct dh_here here) {
    check(first, size, stride, count, DH_READ, here);
}
static __attribute__((noinline)) void check_write(uintptr_t first, size_t size, ptrdiff_t stride,
                                                  size_t count, struct dh_here here) {
    check(first, size, stride, count, DH_WRITE, here);
}

EXPORT void __dh_check_read_run(void const *p, size_t size, ptrdiff_t stride, size_t count) {
    if (DH_LIKELY(made_before((uintptr_t)p, size, stride, count, DH_HERE.pc))) return;
    check_read((uintptr_t)p, size, stride, count, DH_HERE);
}
EXPORT void __dh_check_write_run(void *p, size_t size, ptrdiff_t stride, size_t count) {
    check((uintptr_t)p, size, stride, count, DH_WRITE, DH_HERE);
}

EXPORT DH_SLOW void __dh_read_many_slow(void const *p, size_t size, ptrdiff_t stride,
                                        size_t count) {
    check_read((uintptr_t)p, size, stride, count, DH_HERE);
}
EXPORT DH_SLOW void __dh_write_many_slow(void *p, size_t size, ptrdiff_t stride, size_t count) {
    check_write((uintptr_t)p, size, stride, count, DH_HERE);
}

EXPORT uint32_t __dh_check_read_runs(void const *p, size_t size, ptrdiff_t stride, size_t count) {
    return together((uintptr_t)p, size, stride, count, DH_READ, DH_HERE);
}
EXPORT uint32_t __dh_check_write_runs(void *p, size_t size, ptrdiff_t stride, size_t count) {
    return together((uintptr_t)p, size, stride, count, DH_WRITE, DH_HERE);
}
EXPORT DH_SLOW void __dh_read_run_slow(void const *p, size_t size, ptrdiff_t stride, size_t count,
                                       uint32_t left) {
    apart((uintptr_t)p, size, stride, count, left, DH_READ, DH_HERE);
}
EXPORT DH_SLOW void __dh_write_run_slow(void *p, size_t size, ptrdiff_t stride, size_t count,
                                        uint32_t left) {
    apart((uintptr_t)p, size, stride, count, left, DH_WRITE, DH_HERE);
}
