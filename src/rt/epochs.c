#include "rt/epochs.h"
#include "rt/options.h"
#include "rt/parts.h"
#include "rt/shadow.h"
#include "rt/state.h"
#include "rt/stats.h"

enum {
    BATCH = DH_BATCH,
    LEFT = 64, /* batches of threads that have ended */
    IDS = 1u << DH_EPOCH_ID_BITS,
    UNITS = 1u << DH_SET_ID_BITS, /* of sets */
    /* Collect after this many ids, or as many as were in use last time: the table of epochs then
     * stays in proportion to what cells refer to. Walking the shadow costs about a second for two
     * gigabytes. */
    COLLECT_LEAST = 1 << 20,
    /* While the walk is a short one, after this many: their epochs take 2 MB, which in a program
     * that does little but lock and unlock would otherwise be most of its memory. */
    COLLECT_EARLY = 1 << 18,
    EARLY_MEGABYTES = 8,
};

uint64_t dh_collections;

/* Numbers that are handed out, and free again after a collection. */
struct stock {
    struct dh_mutex lock;
    uint32_t size;
    uint64_t *used;      /* a bit a number: in use, or in some thread's batch */
    uint32_t next, high; /* words of `used`: to look at next; never looked at so far */
    uint64_t handed_out; /* since the last collection */
    uint64_t limit;      /* how many may be, until the next */
    uint64_t refused;    /* how many times there was nothing */
    bool dry;            /* the last collection found hardly anything */
    struct dh_batch left[LEFT];
    uint32_t left_count;
};
static struct stock ids = {.size = IDS, .limit = COLLECT_EARLY};
static struct stock units = {.size = UNITS, .limit = UNITS};
static struct stock splits = {.size = DH_SPLITS_COUNT, .limit = DH_SPLITS_COUNT};

static void stock_init(struct stock *s) {
    s->used = dh_reserve((s->size + BATCH - 1) / BATCH * sizeof *s->used);
    if (!s->used) dh_die("cannot reserve address space for epochs (ulimit -v?)");
    s->used[0] = 1; /* 0 is no epoch, and no set */
}

void dh_epochs_init(void) {
    stock_init(&ids);
    stock_init(&units);
    stock_init(&splits);
}

/* A collection is due: there was nothing to be had. When the last one found hardly anything, the
 * next waits until a good part of a stock's worth of requests has been refused. */
static bool stock_due(struct stock const *s) {
    uint64_t refused = __atomic_load_n(&s->refused, __ATOMIC_RELAXED);
    return refused > (s->dry ? s->size / 4 : 0);
}

/* One is due for units or splits, of what an access can run out of after its epoch was opened.
 * Looked at for each epoch. */
static bool due;
static inline bool objects_due(void) { return __atomic_load_n(&due, __ATOMIC_RELAXED); }

static bool is_early(void) { return dh_shadow_megabytes() <= EARLY_MEGABYTES; }

/* No more are handed out before a collection. */
static bool stock_spent_locked(struct stock *s) {
    if (s->handed_out < s->limit || s->dry) return false;
    if (s != &ids || s->limit >= COLLECT_LEAST || is_early()) return true;
    s->limit = COLLECT_LEAST;
    return s->handed_out >= s->limit;
}

/* All that is free in this word of the bitmap becomes the batch. */
static void take_locked(struct stock *s, uint32_t word, struct dh_batch *batch) {
    uint64_t free = ~s->used[word];
    s->used[word] = UINT64_MAX;
    *batch = (struct dh_batch){word * BATCH, free};
    s->handed_out += (uint64_t)__builtin_popcountl(free);
    if (s->high < word + 1) s->high = word + 1;
}

/* Inside a critical section. */
static bool stock_take(struct stock *s, struct dh_batch *batch) {
    bool found = false;
    dh_mutex_lock(&s->lock);
    if (s->left_count > 0) {
        *batch = s->left[--s->left_count];
        found = true;
    } else if (!stock_spent_locked(s)) {
        for (; s->next < s->size / BATCH && !found; s->next++) {
            if (s->used[s->next] == UINT64_MAX) continue;
            take_locked(s, s->next, batch);
            found = true;
        }
    }
    if (!found) {
        s->refused++;
        if (s != &ids && stock_due(s)) __atomic_store_n(&due, true, __ATOMIC_RELAXED);
    }
    dh_mutex_unlock(&s->lock);
    return found;
}

static void collect(void);

/* ---- bounds ---- */

uint64_t dh_bounds[(UINT32_MAX >> DH_BOUND_SHIFT) + 1] DH_TABLE;

static dh_slot bound_slot(struct dh_batch const *batch) {
    return dh_bound_slot(dh_bound_at(batch->base / BATCH));
}

static void bound_put(struct dh_batch const *batch, dh_slot slot, dh_tick tick) {
    uint64_t bound = (uint64_t)slot << 32 | tick;
    __atomic_store_n(&dh_bounds[batch->base / BATCH], ~bound, __ATOMIC_RELAXED);
}

/* The thread has this batch, and opens epochs with it: whatever tick they will have. Ids that are
 * not in it may be others' epochs. */
static void bound_open(struct dh_thread *self) {
    bool whole = self->ids.bits == UINT64_MAX;
    bool alike = whole || bound_slot(&self->ids) == self->slot;
    bound_put(&self->ids, alike ? self->slot : DH_SLOT_NONE, UINT32_MAX);
    self->has_ids = true;
    if (self->ids_look == 0) self->ids_look = UINT32_MAX;
}

/* It opens no more with it; from now on the bound is somebody else's to write. */
static void bound_close(struct dh_thread *self) {
    if (self->has_ids && bound_slot(&self->ids) == self->slot)
        bound_put(&self->ids, self->slot, self->tick);
    self->has_ids = false;
}

void dh_epochs_new_slot(struct dh_thread *self) {
    if (self->ids.bits != 0) bound_put(&self->ids, DH_SLOT_NONE, UINT32_MAX);
}

/* What a collection found free is mostly in batches where some ids are still in use. In one that
 * has ids of this slot, or none, the bound stays one: so these are taken first, and then such as
 * were never touched, as long as there are not too many of them. A thread that never had any has
 * nothing to look for, and takes what others left. */
static bool ids_take_alike(struct dh_thread *self) {
    bool found = false;
    if (self->ids_look == 0) return false;
    dh_mutex_lock(&ids.lock);
    if (!stock_spent_locked(&ids)) {
        uint32_t at = self->ids_look - 1;
        for (; at < ids.high && !found; at++)
            if (ids.used[at] == 0
                || (ids.used[at] != UINT64_MAX && dh_bound_slot(dh_bound_at(at)) == self->slot)) {
                take_locked(&ids, at, &self->ids);
                found = true;
            }
        self->ids_look = at + 1;
        uint64_t const most = 2 * ids.limit < IDS ? 2 * ids.limit : IDS;
        if (!found && (uint64_t)ids.high * BATCH < most) {
            take_locked(&ids, ids.high, &self->ids);
            found = true;
        }
    }
    dh_mutex_unlock(&ids.lock);
    return found;
}

static void ids_take(struct dh_thread *self) {
    bound_close(self);
    if (ids_take_alike(self) || stock_take(&ids, &self->ids)) bound_open(self);
}

/* ---- epochs ---- */

DH_COLD static void provide_slow(struct dh_thread *self) {
    dh_critical_enter();
    if (self->ids.bits == 0) ids_take(self);
    dh_critical_leave();
    if (!stock_due(&ids) && !objects_due()) return;
    dh_world_stop();
    if (stock_due(&ids) || objects_due()) collect();
    if (self->ids.bits == 0) ids_take(self);
    dh_world_go();
}

void dh_epochs_provide(struct dh_thread *self) {
    if (DH_UNLIKELY(self->ids.bits == 0 || objects_due())) provide_slow(self);
}

static inline __attribute__((always_inline)) dh_word epoch_open(struct dh_thread *self) {
    DH_COUNT(self, epochs);
    if (DH_UNLIKELY(self->ids.bits == 0)) return 0;
    dh_epoch_id id = self->ids.base + (dh_epoch_id)__builtin_ctzl(self->ids.bits);
    self->ids.bits &= self->ids.bits - 1;
    DH_EPOCHS[id] = dh_epoch_apart(self);
    __dh_tls.epoch = __dh_tls.readset = dh_word_of_epoch(id, DH_WORD_BYTES_MASK);
    return __dh_tls.epoch;
}

dh_word dh_epoch_open(struct dh_thread *self) { return epoch_open(self); }

/* Calls nothing, and so saves only the registers that it uses. Who has forgotten an epoch is a
 * thread that is known, and is not alone: until then nothing is released. */
__attribute__((preserve_most)) bool dh_epochs_open_quick(void) {
    struct dh_thread *self = __dh_tls.self;
    if (__dh_tls.epoch != DH_WORD_NOMATCH || DH_UNLIKELY(self->ignoring != 0)
        || DH_UNLIKELY(self->ids.bits == 0) || DH_UNLIKELY(self->tick == DH_TICK_LAST)
        || DH_UNLIKELY(objects_due()))
        return false;
    /* dh_thread_tick, in a slot that has ticks left; the last epoch is forgotten already. */
    if (DH_LIKELY(self->released)) {
        self->tick++;
        dh_moment_begins(self);
        self->released = false;
    }
    epoch_open(self);
    return true;
}

/* ---- sets ---- */

static uint32_t units_of(uint32_t count) { return (1 + count + DH_SET_UNIT - 1) / DH_SET_UNIT; }

/* So many units in a row from the batch; 0 if there are not. */
static uint32_t units_take(struct dh_batch *batch, uint32_t count) {
    uint64_t starts = batch->bits; /* the bits from which on `count` are free */
    for (uint32_t i = 1; i < count; i++)
        starts &= batch->bits >> i;
    if (starts == 0) return 0;
    uint32_t at = (uint32_t)__builtin_ctzl(starts);
    batch->bits &= ~(((1ul << count) - 1) << at);
    return batch->base + at;
}

/* The last set made for each hash of its words, so that equal sets are mostly one: then the inlined
 * test knows them, cells in the same state are equal, and sets do not run out. Several threads may
 * write a place; any of their sets will do. A place holds half of the hash as well, because most
 * searches fail, and should do so without a look at the set; the table stays in the cache. */
enum { KNOWN = 1 << 14 };
static uint64_t known_sets[KNOWN] DH_TABLE; /* upper half of the hash, id */

static uint64_t set_hash(dh_word const *words, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 40;
}

static bool set_equals(uint32_t id, dh_word const *words, uint32_t count) {
    uint32_t const *set = DH_SETS + DH_SET_UNIT * (uint64_t)id;
    bool equal = id != 0 && set[0] == count;
    for (uint32_t i = 0; equal && i < count; i++)
        equal = set[1 + i] == words[i];
    return equal;
}

/* What an ended thread has left of its batch is for the next one. If there is too much of that, the
 * next collection finds it. */
static void stock_put_back(struct stock *s, struct dh_batch *batch) {
    dh_mutex_lock(&s->lock);
    if (s->left_count < LEFT) s->left[s->left_count++] = *batch;
    dh_mutex_unlock(&s->lock);
}

static uint32_t set_new(struct dh_thread *self, dh_word const *words, uint32_t count) {
    uint32_t id = units_take(&self->sets, units_of(count));
    /* What is left of the old batch, too little or in pieces, is found again by the next
     * collection. */
    if (id == 0 && stock_take(&units, &self->sets)) id = units_take(&self->sets, units_of(count));
    if (id == 0) return 0;
    uint32_t *set = DH_SETS + DH_SET_UNIT * (uint64_t)id;
    set[0] = count;
    for (uint32_t i = 0; i < count; i++)
        set[1 + i] = words[i];
    return id;
}

/* The set with these words that is at the place of their hash; 0 if that has another one. */
static inline uint32_t set_find(uint64_t hash, dh_word const *words, uint32_t count) {
    uint64_t known = __atomic_load_n(&known_sets[hash % KNOWN], __ATOMIC_ACQUIRE);
    return known >> 32 == hash >> 32 && set_equals((uint32_t)known, words, count) ? (uint32_t)known
                                                                                  : 0;
}

static dh_word set_word(uint32_t id, dh_word const *words, uint32_t count) {
    unsigned common = DH_WORD_BYTES_MASK;
    for (uint32_t i = 0; i < count; i++)
        common &= words[i];
    return DH_WORD_OBJECT | id << DH_WORD_ID_SHIFT | common;
}

bool dh_set_known(dh_word const *words, uint32_t count, dh_word *word) {
    if (count <= 1) {
        *word = count == 0 ? 0 : words[0];
        return true;
    }
    uint32_t id = set_find(set_hash(words, count), words, count);
    if (id == 0) return false;
    *word = set_word(id, words, count);
    return true;
}

dh_word dh_set_make(struct dh_thread *self, dh_word const *words, uint32_t count) {
    if (count <= 1) return count == 0 ? 0 : words[0];
    uint64_t hash = set_hash(words, count);
    uint32_t id = set_find(hash, words, count);
    if (id == 0) {
        id = set_new(self, words, count);
        if (id == 0) return 0;
        __atomic_store_n(&known_sets[hash % KNOWN], hash >> 32 << 32 | id, __ATOMIC_RELEASE);
    }
    return set_word(id, words, count);
}

/* ---- splits ---- */

/* What ended threads had given back, under the lock of the stock: a chain of their chains. A free
 * one has the number of the next in the second word, and the first of a chain that of the next
 * chain in the third. The first word is for the lock, which who comes late may still want. */
static uint32_t left_free;

static void splits_put_back(struct dh_thread *thread) {
    if (thread->splits.bits != 0) stock_put_back(&splits, &thread->splits);
    thread->splits.bits = 0;
    if (thread->splits_free == 0) return;
    dh_mutex_lock(&splits.lock);
    DH_SPLITS[thread->splits_free].write[2] = left_free;
    left_free = thread->splits_free;
    dh_mutex_unlock(&splits.lock);
    thread->splits_free = 0;
}

static uint32_t take_left(void) {
    dh_mutex_lock(&splits.lock);
    uint32_t chain = left_free;
    if (chain != 0) left_free = DH_SPLITS[chain].write[2];
    dh_mutex_unlock(&splits.lock);
    return chain;
}

uint32_t dh_split_new(struct dh_thread *self) {
    if (self->splits_free == 0 && self->splits.bits == 0) {
        if (__atomic_load_n(&left_free, __ATOMIC_RELAXED) != 0) self->splits_free = take_left();
        if (self->splits_free == 0 && !stock_take(&splits, &self->splits)) return 0;
    }
    uint32_t number = self->splits_free;
    if (number != 0) {
        self->splits_free = DH_SPLITS[number].write[1];
        return number;
    }
    number = self->splits.base + (uint32_t)__builtin_ctzl(self->splits.bits);
    self->splits.bits &= self->splits.bits - 1;
    return number;
}

__attribute__((preserve_most)) void dh_split_free(struct dh_thread *self, uint32_t number) {
    DH_SPLITS[number].write[1] = self->splits_free;
    self->splits_free = number;
}

/* Of sets only where there is room for the largest: who takes a batch expects that. */
void dh_epochs_put_back(struct dh_thread *thread) {
    bound_close(thread);
    if (thread->ids.bits != 0) stock_put_back(&ids, &thread->ids);
    struct dh_batch sets = thread->sets;
    if (units_take(&sets, units_of(DH_SET_MAX)) != 0) stock_put_back(&units, &thread->sets);
    thread->ids.bits = thread->sets.bits = 0;
    splits_put_back(thread);
}

/* ---- collection, with the world stopped ---- */

static void mark(struct stock *s, uint32_t number) {
    s->used[number / BATCH] |= 1ul << number % BATCH;
}
static bool marked(struct stock const *s, uint32_t number) {
    return s->used[number / BATCH] >> number % BATCH & 1;
}

/* One half of a split, the one that the word is for. */
static void mark_split(dh_word w, dh_word const *half) {
    mark(&splits, dh_split_number(w));
    for (unsigned i = 0; i < DH_CELL_BYTES; i++)
        mark(&ids, dh_word_epoch_id(half[i]));
}

static void mark_word(dh_word w) {
    if (w == 0 || w == DH_WORD_NOMATCH) return;
    if (!(w & DH_WORD_OBJECT)) {
        mark(&ids, dh_word_epoch_id(w));
    } else if (dh_word_is_set(w)) {
        uint32_t id = dh_word_set_id(w), count;
        if (marked(&units, id)) return;
        uint32_t const *words = dh_set_words(&dh_tables, w, &count);
        for (uint32_t i = 0; i < units_of(count); i++)
            mark(&units, id + i);
        for (uint32_t i = 0; i < count; i++)
            mark(&ids, dh_word_epoch_id(words[i]));
    }
}

static void mark_cells(dh_cell *from, dh_cell *to) {
    for (dh_cell *c = from; c < to; c++) {
        dh_cell cell = *c;
        if (cell == 0 || dh_cell_is_record(cell)) continue;
        dh_word write = dh_cell_write(cell), read = dh_cell_read(cell);
        if (dh_word_is_split(write))
            mark_split(write, DH_SPLITS[dh_split_number(write)].write);
        else
            mark_word(write);
        if (dh_word_is_split(read))
            mark_split(read, DH_SPLITS[dh_split_number(read)].read);
        else
            mark_word(read);
    }
}

static void stock_empty(struct stock *s) {
    dh_fill(s->used, 0, s->high * sizeof *s->used);
    s->used[0] = 1;
    s->left_count = 0;
}

static uint64_t stock_filled(struct stock *s, uint64_t least) {
    uint64_t live = 0;
    for (uint32_t i = 0; i < s->high; i++)
        live += (uint64_t)__builtin_popcountl(s->used[i]);
    s->next = 0;
    s->handed_out = s->refused = 0;
    s->limit = live > least ? live : least;
    s->dry = s->size - live < s->size / 8;
    return live;
}

static void collect(void) {
    dh_collections++;
    due = false;
    stock_empty(&ids);
    stock_empty(&units);
    stock_empty(&splits);
    left_free = 0;
    dh_fill(known_sets, 0, sizeof known_sets);
    dh_sharing_collect();
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live) {
        if (t->ids_look != 0) t->ids_look = 1;
        bound_close(t);
        t->ids.bits = t->sets.bits = t->splits.bits = 0; /* what was left of batches goes back */
        t->splits_free = 0;
        t->ordered = t->ordered_too = 0;
        if (!t->tls) continue;
        mark_word(t->tls->epoch);
        mark_word(t->tls->readset);
        dh_fill(t->tls->known, 0, sizeof t->tls->known);
    }
    dh_shadow_each(mark_cells);
    uint64_t live_ids = stock_filled(&ids, is_early() ? COLLECT_EARLY : COLLECT_LEAST);
    uint64_t live_units = stock_filled(&units, UNITS);
    uint64_t live_splits = stock_filled(&splits, DH_SPLITS_COUNT);
    if (dh_options.verbosity > 0)
        dh_message(
            "collected: %lu of %u epoch ids, %lu of %u units of sets and %lu of %u splits are "
            "in use",
            live_ids, (unsigned)IDS, live_units, (unsigned)UNITS, live_splits,
            (unsigned)DH_SPLITS_COUNT);
}
