#include "rt/epochs.h"
#include "rt/options.h"
#include "rt/shadow.h"
#include "rt/state.h"

enum {
    BATCH = 64,
    IDS = 1u << DH_EPOCH_ID_BITS,
    ID_WORDS = IDS / BATCH,
    /* Collect after this many ids, or twice what was in use last time: the table of epochs then stays in
     * proportion to what cells refer to. Walking the shadow costs about a second for two gigabytes. */
    COLLECT_LEAST = 1 << 20,
    SET_BUCKETS = 1 << 16,
};

uint64_t dh_collections;

static uint64_t *used;          /* a bit an id: in use, or in some thread's batch */

static struct {
    struct dh_mutex lock;
    uint32_t next;       /* word of `used` to look at next */
    uint32_t high;       /* words beyond this were never looked at */
    uint64_t handed_out; /* ids since the last collection */
    uint64_t limit;      /* when that reaches this, collect */
    bool dry;            /* the last walk found nothing */
} stock = {.limit = COLLECT_LEAST};

/* Sets: length, then words. Free ones of each length are chained through their first word. */
static struct {
    struct dh_mutex lock;
    uint32_t end;                   /* first word never used */
    uint32_t free[DH_SET_MAX + 1];  /* set ids by length, 0 none */
    uint32_t count;
    uint64_t *marked;               /* a bit a set id, during a collection */
    uint32_t *buckets;              /* set ids */
    uint32_t *chain;                /* next in the bucket, by set id */
} store = {.end = 2};

void dh_epochs_init(void) {
    used = dh_reserve(ID_WORDS * sizeof *used);
    store.marked = dh_reserve((1 << DH_SET_ID_BITS) / 8);
    store.buckets = dh_reserve(SET_BUCKETS * sizeof *store.buckets);
    store.chain = dh_reserve((1 << DH_SET_ID_BITS) * sizeof *store.chain);
    if (!used || !store.marked || !store.buckets || !store.chain)
        dh_die("cannot reserve address space for epochs (ulimit -v?)");
    used[0] = 1; /* id 0 is no epoch */
}

/* ---- ids ---- */

/* Takes all free ids of one word of the bitmap for this thread. */
static bool take_batch(struct dh_thread *self) {
    bool found = false;
    dh_critical_enter();
    dh_mutex_lock(&stock.lock);
    if (stock.handed_out < stock.limit || stock.dry) {
        for (; stock.next < ID_WORDS && !found; stock.next++) {
            uint64_t free = ~used[stock.next];
            if (free == 0) continue;
            used[stock.next] = UINT64_MAX;
            self->id_base = stock.next * BATCH;
            self->id_bits = free;
            stock.handed_out += (uint64_t)__builtin_popcountl(free);
            if (stock.high < stock.next + 1) stock.high = stock.next + 1;
            found = true;
        }
    }
    dh_mutex_unlock(&stock.lock);
    dh_critical_leave();
    return found;
}

static void collect(void);

DH_COLD static void provide_slow(struct dh_thread *self) {
    if (take_batch(self)) return;
    /* When a collection finds hardly anything, the next one waits until about as many new epochs have
     * gone by without ids as there are ids. */
    static uint64_t gone_without;
    if (stock.dry && __atomic_add_fetch(&gone_without, 1, __ATOMIC_RELAXED) % (IDS / 4) != 0) return;
    dh_world_stop();
    if (self->id_bits == 0) collect();
    dh_world_go();
    take_batch(self);
}

void dh_epochs_provide(struct dh_thread *self) {
    if (DH_UNLIKELY(self->id_bits == 0)) provide_slow(self);
}

dh_epoch_id dh_epoch_name(struct dh_thread *self, struct dh_epoch epoch) {
    if (self->id_bits == 0) return 0;
    dh_epoch_id id = self->id_base + (dh_epoch_id)__builtin_ctzl(self->id_bits);
    self->id_bits &= self->id_bits - 1;
    DH_EPOCHS[id] = epoch;
    return id;
}

/* ---- sets ---- */

static uint32_t set_bucket(dh_word const *words, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 40) % SET_BUCKETS;
}

static uint32_t set_size(uint32_t count) { return (count + 2) / 2; } /* in ids, of two words each */

static dh_word set_word(uint32_t id, dh_word const *words, uint32_t count) {
    unsigned common = DH_WORD_BYTES_MASK;
    for (uint32_t i = 0; i < count; i++)
        common &= words[i];
    return DH_WORD_OBJECT | id << DH_WORD_ID_SHIFT | common;
}

static uint32_t set_new(dh_word const *words, uint32_t count) {
    uint32_t id = store.free[count];
    if (id != 0) {
        store.free[count] = DH_SETS[2 * id + 1];
    } else {
        id = store.end / 2;
        if (id + set_size(count) > DH_SET_ID_MAX) return 0;
        store.end += 2 * set_size(count);
    }
    DH_SETS[2 * id] = count;
    dh_copy(DH_SETS + 2 * id + 1, words, count * sizeof *words);
    store.count++;
    return id;
}

dh_word dh_set_make(dh_word const *words, uint32_t count) {
    if (count <= 1) return count == 0 ? 0 : words[0];
    uint32_t bucket = set_bucket(words, count);
    dh_mutex_lock(&store.lock);
    uint32_t id = store.buckets[bucket];
    while (id != 0
           && (DH_SETS[2 * id] != count || dh_compare(DH_SETS + 2 * id + 1, words, count * sizeof *words)))
        id = store.chain[id];
    if (id == 0 && (id = set_new(words, count)) != 0) {
        store.chain[id] = store.buckets[bucket];
        store.buckets[bucket] = id;
        /* Sets keep epochs alive: they count towards the next collection. */
        __atomic_fetch_add(&stock.handed_out, 1, __ATOMIC_RELAXED);
    }
    dh_mutex_unlock(&store.lock);
    return id == 0 ? 0 : set_word(id, words, count);
}

/* ---- collection, with the world stopped ---- */

static void mark_epoch(dh_epoch_id id) { used[id / BATCH] |= 1ul << id % BATCH; }

static void mark_word(dh_word w) {
    if (w == 0 || w == DH_WORD_NOMATCH) return;
    if (!(w & DH_WORD_OBJECT)) {
        mark_epoch(dh_word_epoch_id(w));
    } else if (dh_word_is_set(w)) {
        uint32_t id = dh_word_set_id(w), count;
        if (store.marked[id / 64] >> id % 64 & 1) return;
        store.marked[id / 64] |= 1ul << id % 64;
        uint32_t const *words = dh_set_words(&dh_tables, w, &count);
        for (uint32_t i = 0; i < count; i++)
            mark_epoch(dh_word_epoch_id(words[i]));
    }
}

static void mark_cells(dh_cell *from, dh_cell *to) {
    for (dh_cell *c = from; c < to; c++) {
        dh_cell cell = *c;
        if (cell == 0 || dh_cell_is_record(cell)) continue;
        mark_word(dh_cell_write(cell));
        mark_word(dh_cell_read(cell));
    }
}

static void sweep_sets(void) {
    for (uint32_t b = 0; b < SET_BUCKETS; b++) {
        uint32_t *link = &store.buckets[b];
        while (*link != 0) {
            uint32_t id = *link;
            if (store.marked[id / 64] >> id % 64 & 1) {
                link = &store.chain[id];
                continue;
            }
            *link = store.chain[id];
            uint32_t count = DH_SETS[2 * id];
            DH_SETS[2 * id + 1] = store.free[count];
            store.free[count] = id;
            store.count--;
        }
    }
}

static void collect(void) {
    dh_collections++;
    dh_fill(used, 0, stock.high * sizeof *used);
    dh_fill(store.marked, 0, store.end / 2 / 8 + 8);
    used[0] = 1;
    for (struct dh_thread *t = dh_live_threads; t; t = t->next_live) {
        t->id_bits = 0; /* what was left of batches goes back */
        dh_fill(t->changes, 0, sizeof t->changes);
        if (!t->tls) continue;
        mark_word(t->tls->epoch);
        mark_word(t->tls->readset);
    }
    dh_shadow_each(mark_cells);
    sweep_sets();
    uint64_t live = 0;
    for (uint32_t i = 0; i < stock.high; i++)
        live += (uint64_t)__builtin_popcountl(used[i]);
    stock.next = 0;
    stock.handed_out = 0;
    stock.limit = live > COLLECT_LEAST ? live : COLLECT_LEAST;
    stock.dry = IDS - live < IDS / 8;
    if (dh_options.verbosity > 0)
        dh_message("collected epoch ids: %lu of %u in use, %u sets", live, (unsigned)IDS, store.count);
}
