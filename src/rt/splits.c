#include "rt/splits.h"
#include "rt/epochs.h"
#include "rt/stats.h"

#include <sys/syscall.h>

/* Its holder is in the middle of a step, or was interrupted there by the kernel. */
enum { LOOKS = 100 };
DH_COLD void dh_split_wait(uint8_t *lock) {
    for (int looks = 0; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0; looks++) {
        while (looks < LOOKS && __atomic_load_n(lock, __ATOMIC_RELAXED) != 0) {
            __builtin_ia32_pause();
            looks++;
        }
        if (looks >= LOOKS) dh_syscall(SYS_sched_yield, 0l, 0l, 0l, 0l, 0l, 0l);
    }
}

static inline uint32_t number_of(dh_cell cell) { return dh_split_number(dh_cell_split(cell)); }

/* To be looked into: in its own granule a thread is alone with it. Null: it has changed. */
static inline struct dh_split *split_open(dh_cell *at, dh_cell cell, bool own) {
    return own ? dh_split_of(cell) : dh_split_lock(at, cell);
}

/* Of a split that is open; then it is no more. */
static inline __attribute__((always_inline)) enum dh_outcome
take_step(struct dh_thread *self, struct dh_split *s, dh_cell *at, dh_cell cell, dh_word mine,
          enum dh_kind kind, struct dh_view const *view, bool own) {
    dh_cell next = cell, found = cell;
    bool changed = false;
    bool done =
        dh_split_step(&next, s, dh_cell_split(cell), mine, kind, view, &dh_tables, &changed);
    if (next != cell) {
        if (own)
            __atomic_store_n(at, next, __ATOMIC_RELAXED);
        else /* fails only where memory was born meanwhile */
            done = __atomic_compare_exchange_n(at, &found, next, false, __ATOMIC_SEQ_CST,
                                               __ATOMIC_RELAXED);
    }
    if (!own) dh_split_unlock(s);
    if (!done) return DH_UNDECIDED;
    if (next != cell && !dh_cell_is_split(next)) dh_split_free(self, number_of(cell));
    return changed ? DH_NEWS : DH_ON_RECORD;
}

enum dh_outcome dh_split_access(struct dh_thread *self, dh_cell *at, dh_cell cell, dh_word mine,
                                enum dh_kind kind, struct dh_view const *view, bool own) {
    struct dh_split *s = split_open(at, cell, own);
    return s ? take_step(self, s, at, cell, mine, kind, view, own) : DH_UNDECIDED;
}

static __attribute__((noinline)) enum dh_outcome step_quick(struct dh_thread *self, dh_cell *at,
                                                            dh_cell cell, dh_word mine,
                                                            enum dh_kind kind, bool own) {
    struct dh_view view = dh_thread_view(self);
    return take_step(self, dh_split_of(cell), at, cell, mine, kind, &view, own);
}

/* The access is on record: so most are that come from a loop. */
static inline bool is_on_record(dh_cell cell, struct dh_split const *s, dh_word mine,
                                enum dh_kind kind) {
    dh_word word = kind == DH_READ ? dh_cell_read(cell) : dh_cell_write(cell);
    if (!dh_word_is_split(word)) return false;
    dh_word const *half = kind == DH_READ ? s->read : s->write;
    return (dh_word_mask(mine) & ~dh_split_bytes(half, mine & ~DH_WORD_BYTES_MASK)) == 0;
}

enum dh_outcome dh_split_quick(struct dh_thread *self, dh_cell *at, dh_cell cell, dh_word mine,
                               enum dh_kind kind, bool own) {
    struct dh_split *s = split_open(at, cell, own);
    if (DH_UNLIKELY(!s)) return DH_UNDECIDED;
    if (!is_on_record(cell, s, mine, kind)) return step_quick(self, at, cell, mine, kind, own);
    if (!own) dh_split_unlock(s);
    return DH_ON_RECORD;
}

dh_cell dh_split_begin(struct dh_thread *self, dh_cell cell, dh_word mine, enum dh_kind kind) {
    uint32_t number = dh_split_new(self);
    if (number == 0) return 0;
    struct dh_view view = dh_thread_view(self);
    dh_cell next = cell;
    bool changed = false;
    bool done = dh_split_step(&next, &DH_SPLITS[number], DH_WORD_SPLIT | number, mine, kind, &view,
                              &dh_tables, &changed);
    if (!done || !dh_cell_is_split(next)) {
        dh_split_free(self, number);
        return 0;
    }
    DH_COUNT(self, splits);
    return next;
}

dh_cell dh_split_make(struct dh_thread *self, dh_word const *write, uint32_t writes,
                      dh_word const *read, uint32_t reads) {
    if (!dh_split_fits(write, writes) || !dh_split_fits(read, reads)) return 0;
    uint32_t number = dh_split_new(self);
    if (number == 0) return 0;
    struct dh_split *s = &DH_SPLITS[number];
    dh_word split = DH_WORD_SPLIT | number;
    if (writes > 1) dh_split_fill(s->write, write, writes);
    if (reads > 1) dh_split_fill(s->read, read, reads);
    DH_COUNT(self, splits);
    return dh_cell_of(writes > 1 ? split
                      : writes   ? write[0]
                                 : 0,
                      reads > 1 ? split
                      : reads   ? read[0]
                                : 0);
}

static uint32_t half_entries(dh_word word, dh_word const *half, enum dh_kind kind,
                             struct dh_entry *list) {
    dh_word words[DH_SET_MAX];
    uint32_t count = dh_split_list(word, half, words);
    for (uint32_t i = 0; i < count; i++)
        list[i] = (struct dh_entry){
            .epoch = DH_EPOCHS[dh_word_epoch_id(words[i])],
            .id = dh_word_epoch_id(words[i]),
            .mask = (uint8_t)dh_word_mask(words[i]),
            .kind = (uint8_t)kind,
        };
    return count;
}

uint32_t dh_split_entries(dh_cell cell, struct dh_split const *s, struct dh_entry *list) {
    uint32_t writes = half_entries(dh_cell_write(cell), s->write, DH_WRITE, list);
    return writes + half_entries(dh_cell_read(cell), s->read, DH_READ, list + writes);
}

bool dh_split_end(struct dh_thread *self, dh_cell *at, dh_cell cell, dh_cell next) {
    dh_cell found = cell;
    bool done =
        __atomic_compare_exchange_n(at, &found, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    dh_split_unlock(dh_split_of(cell));
    if (done) dh_split_free(self, number_of(cell));
    return done;
}
