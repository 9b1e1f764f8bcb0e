/* Does src/core give the answers of the proved detectors? Judges the traces of traces.c with the C code; the
 * Makefile compares with the extracted judge.
 *
 *   agree entries < traces   judged by dh_entries_step alone; clocks tick at each release, as in the proofs
 *   agree cells < traces     judged by dh_cell_step, and the general form where it does not decide; clocks tick as
 *                            the runtime's do, before the next access or the next thing learnt
 *
 * Both keep release sequences by core/heads.h. For each trace a line as judge.ml writes it.
 */
#include "core/heads.h"
#include "core/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 6,
    OBJECTS = 4,
    CELLS = 2,
    MEMORY = 8 * CELLS,
    ENTRIES = 512,
    IDS = 1 << 14,
    SETS = 1 << 16,
    HEADS = 64,
    SNAPSHOTS = 256,
};

static bool packed; /* cells, and clocks that tick late */

/* ---- clocks ---- */

typedef dh_tick ticks[THREADS];
static ticks clocks[THREADS], writers[OBJECTS], readers[OBJECTS], signals[OBJECTS],
    barriers[OBJECTS];
static bool released[THREADS];       /* since then nothing was accessed or learnt */
static dh_epoch_id current[THREADS]; /* the id of a thread's epoch, 0 none yet */

static void tick(unsigned t) {
    clocks[t][t]++;
    current[t] = 0;
    released[t] = false;
}

static void before_access(unsigned t) {
    if (released[t]) tick(t);
}

static void after_release(unsigned t) {
    released[t] = true;
    if (!packed) tick(t);
}

static void learn(unsigned t, ticks what) {
    if (dh_ticks_within(what, clocks[t], THREADS)) return;
    before_access(t);
    dh_ticks_join(clocks[t], what, THREADS);
}

static void release_set(unsigned t, ticks object) {
    memcpy(object, clocks[t], sizeof(ticks));
    after_release(t);
}

static void release_join(unsigned t, ticks object) {
    dh_ticks_join(object, clocks[t], THREADS);
    after_release(t);
}

/* ---- atomics ---- */

static _Alignas(struct dh_vc) char snapshots[SNAPSHOTS][sizeof(struct dh_vc) + sizeof(ticks)];
static unsigned snapshot_count;
static struct {
    uint32_t count;
    struct dh_snapshot list[HEADS];
} heads[CELLS];
static ticks fence_acquire[THREADS];
static struct dh_snapshot fence_release[THREADS];

static struct dh_snapshot snapshot(unsigned t) {
    struct dh_vc *vc = (struct dh_vc *)snapshots[snapshot_count++];
    vc->size = THREADS;
    memcpy(vc->ticks, clocks[t], sizeof(ticks));
    return (struct dh_snapshot){vc, {t, clocks[t][t]}, t, 0};
}

struct order {
    bool acquires, releases, cxx20;
};

static uint8_t bytes_of(unsigned cell, unsigned x, unsigned size) {
    unsigned mask = 0;
    for (unsigned b = 0; b < 8; b++)
        if (8 * cell + b >= x && 8 * cell + b < x + size) mask |= 1u << b;
    return (uint8_t)mask;
}

static void loads(unsigned t, unsigned x, unsigned size, struct order order) {
    for (unsigned c = 0; c < CELLS; c++)
        for (uint32_t i = 0; i < heads[c].count; i++) {
            struct dh_snapshot *head = &heads[c].list[i];
            if ((head->bytes & bytes_of(c, x, size)) == 0) continue;
            /* The runtime does not look into a snapshot whose own tick is known. */
            struct dh_view view = {clocks[t], THREADS, t, clocks[t][t]};
            if (packed
                && (dh_epoch_before(head->at, &view)
                    || (!order.acquires && fence_acquire[t][head->at.slot] >= head->at.tick)))
                continue;
            if (order.acquires)
                learn(t, head->vc->ticks);
            else
                dh_ticks_join(fence_acquire[t], head->vc->ticks, THREADS);
        }
}

static void publishes(unsigned t, unsigned x, unsigned size, struct order order) {
    struct dh_snapshot head = order.releases ? snapshot(t) : fence_release[t];
    for (unsigned c = 0; head.vc && c < CELLS; c++) {
        head.bytes = bytes_of(c, x, size);
        if (head.bytes != 0) heads[c].count = dh_heads_publish(heads[c].list, heads[c].count, head);
    }
}

static void stores(unsigned t, unsigned x, unsigned size, struct order order) {
    for (unsigned c = 0; c < CELLS; c++)
        heads[c].count = dh_heads_overwrite(heads[c].list, heads[c].count, bytes_of(c, x, size),
                                            order.cxx20 ? DH_NO_THREAD : t);
    publishes(t, x, size, order);
}

static void fence(unsigned t, struct order order) {
    if (order.acquires) {
        learn(t, fence_acquire[t]);
        memset(fence_acquire[t], 0, sizeof(ticks));
    }
    if (order.releases) {
        fence_release[t] = snapshot(t);
        after_release(t);
    }
}

/* ---- memory ---- */

static struct dh_epoch epochs[IDS];
static uint32_t sets[DH_SET_UNIT * SETS], ids, set_end; /* set_end: the next set id */
static struct dh_tables const tables = {epochs, sets};

static struct list {
    uint32_t count;
    struct dh_entry at[ENTRIES];
} lists[CELLS]; /* what entries mode keeps, and the records of cells mode */
static dh_cell cells[CELLS];
static uint8_t told[CELLS];

static unsigned long state;
static unsigned pick(unsigned n) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

/* Now and then an epoch gets a second id, as after an ignore region. */
static dh_epoch_id name(unsigned t) {
    if (current[t] == 0 || pick(8) == 0) {
        current[t] = ++ids;
        epochs[ids] = (struct dh_epoch){t, clocks[t][t]};
    }
    return current[t];
}

static dh_word set_make(dh_word const *words, uint32_t count) {
    if (count <= 1) return count == 0 ? 0 : words[0];
    uint32_t id = set_end, *at = sets + DH_SET_UNIT * id;
    unsigned common = DH_WORD_BYTES_MASK;
    *at++ = count;
    for (uint32_t i = 0; i < count; i++) {
        *at++ = words[i];
        common &= words[i];
    }
    set_end += (count + DH_SET_UNIT) / DH_SET_UNIT;
    return DH_WORD_OBJECT | id << DH_WORD_ID_SHIFT | common;
}

static uint8_t general(unsigned c, struct dh_access a, struct dh_view const *view) {
    struct dh_verdict verdict;
    struct list *l = &lists[c];
    if (!dh_cell_is_record(cells[c])) l->count = dh_cell_entries(cells[c], &tables, l->at);
    l->count = dh_entries_step(l->at, l->count, a, view, &verdict);
    struct dh_words words;
    if (dh_entries_words(l->at, l->count, &words))
        cells[c] =
            dh_cell_of(set_make(words.write, words.writes), set_make(words.read, words.reads));
    else
        cells[c] = dh_cell_of_record(c);
    return verdict.racy;
}

static uint8_t cell_races(unsigned t, enum dh_kind kind, unsigned c, uint8_t mask) {
    struct dh_view view = {clocks[t], THREADS, t, clocks[t][t]};
    struct dh_access a = {{t, clocks[t][t]}, packed ? name(t) : 0, mask, (uint8_t)kind};
    struct dh_verdict verdict;
    if (!packed)
        lists[c].count = dh_entries_step(lists[c].at, lists[c].count, a, &view, &verdict);
    else if (kind > DH_WRITE || !dh_cell_step(&cells[c], a, &view, &tables, &verdict))
        return general(c, a, &view);
    return verdict.racy;
}

/* ---- judging ---- */

static char const *gap;

static void access_bytes(unsigned at, unsigned t, enum dh_kind kind, unsigned x, unsigned size) {
    bool named = false;
    before_access(t);
    for (unsigned c = 0; c < CELLS; c++) {
        uint8_t mask = bytes_of(c, x, size);
        if (mask == 0) continue;
        unsigned news = cell_races(t, kind, c, mask) & (unsigned)~told[c];
        told[c] |= (uint8_t)news;
        for (unsigned b = 0; b < 8; b++) {
            if ((news >> b & 1) == 0) continue;
            if (named)
                printf(",0x%x", 8 * c + b);
            else
                printf("%s%u:0x%x", gap, at, 8 * c + b);
            named = true;
            gap = " ";
        }
    }
}

/* What an atomic operation acquired is ordered before it; what it releases is not yet another epoch. */
static void atomic(unsigned at, unsigned t, char const *op, unsigned x, unsigned size,
                   struct order order) {
    bool writes = strcmp(op, "store") == 0 || strcmp(op, "rmw") == 0;
    if (strcmp(op, "store") != 0) loads(t, x, size, order);
    access_bytes(at, t, writes ? DH_ATOMIC_WRITE : DH_ATOMIC_READ, x, size);
    if (strcmp(op, "store") == 0) stores(t, x, size, order);
    if (strcmp(op, "rmw") == 0) publishes(t, x, size, order);
    if (writes && order.releases) after_release(t);
}

static struct order order_of(char const *order, char const *dialect) {
    bool all = strcmp(order, "acq_rel") == 0 || strcmp(order, "seq_cst") == 0;
    return (struct order){
        .acquires = all || strcmp(order, "acquire") == 0 || strcmp(order, "consume") == 0,
        .releases = all || strcmp(order, "release") == 0,
        .cxx20 = strcmp(dialect, "c++20") == 0,
    };
}

static void event(unsigned at, unsigned t, char const *op, char const *one, char const *two,
                  char const *three, char const *four) {
    unsigned x = (unsigned)strtoul(one, 0, 0), size = (unsigned)strtoul(two, 0, 0);
    if (strcmp(op, "read") == 0)
        access_bytes(at, t, DH_READ, x, size);
    else if (strcmp(op, "write") == 0)
        access_bytes(at, t, DH_WRITE, x, size);
    else if (strcmp(op, "fence") == 0)
        fence(t, order_of(one, two));
    else if (*three != 0)
        atomic(at, t, op, x, size, order_of(three, four));
    else if (strcmp(op, "acquire") == 0)
        learn(t, writers[x]), learn(t, readers[x]);
    else if (strcmp(op, "release") == 0)
        release_set(t, writers[x]);
    else if (strcmp(op, "rdacquire") == 0)
        learn(t, writers[x]);
    else if (strcmp(op, "rdrelease") == 0)
        release_join(t, readers[x]);
    else if (strcmp(op, "signal") == 0)
        release_join(t, signals[x]);
    else if (strcmp(op, "wait") == 0)
        learn(t, signals[x]);
    else if (strcmp(op, "arrive") == 0)
        release_join(t, barriers[x]);
    else if (strcmp(op, "depart") == 0)
        learn(t, barriers[x]);
    else if (strcmp(op, "fork") == 0)
        release_join(t, clocks[x]);
    else if (strcmp(op, "join") == 0)
        learn(t, clocks[x]);
}

static void reset(void) {
    memset(clocks, 0, sizeof clocks);
    memset(writers, 0, sizeof writers);
    memset(readers, 0, sizeof readers);
    memset(signals, 0, sizeof signals);
    memset(barriers, 0, sizeof barriers);
    memset(released, 0, sizeof released);
    memset(current, 0, sizeof current);
    memset(fence_acquire, 0, sizeof fence_acquire);
    memset(fence_release, 0, sizeof fence_release);
    memset(cells, 0, sizeof cells);
    memset(told, 0, sizeof told);
    for (unsigned c = 0; c < CELLS; c++)
        lists[c].count = heads[c].count = 0;
    for (unsigned t = 0; t < THREADS; t++)
        clocks[t][t] = 1;
    ids = snapshot_count = 0;
    set_end = 1;
    gap = "";
}

int main(int argc, char **argv) {
    char line[96], op[16], one[16], two[16], three[16], four[16];
    unsigned t, at = 0;
    bool first = true;
    if (argc != 2) return 2;
    packed = strcmp(argv[1], "cells") == 0;
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "deadheat trace 1\n") == 0) {
            if (!first) puts("");
            first = false;
            reset();
            at = 0;
            continue;
        }
        *one = *two = *three = *four = 0;
        sscanf(line, "%u %15s %15s %15s %15s %15s", &t, op, one, two, three, four);
        event(at++, t, op, one, two, three, four);
    }
    puts("");
    return 0;
}
