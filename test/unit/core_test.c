/* The state of a location, against the definition of a race.
 *
 * Every sequence of events up to a length, by three threads on one cell and one lock, is walked
 * depth first. At each step three things must agree on the racy bytes: the definition (the
 * happens-before relation as sets of events, all pairs compared), the list of entries, and the
 * packed cell, whose quicker ways must say the same as its entries; so must a split cell, wherever there
 * can be one.
 */
#include "core/split.h"
#include "core/step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 3, EVENTS = 16, LISTED = 64, RECORDED = 8 };

struct op {
    enum { ACCESS, ACQUIRE, RELEASE } what;
    enum dh_kind kind;
    uint8_t mask;
    bool locked; /* acquired before it, released after it: three events */
};

/* ---- by definition ---- */

struct definition {
    int events;
    struct {
        int thread;
        struct op op;
        uint32_t before; /* the events ordered before this one, a bit each */
    } event[EVENTS];
    uint32_t seen[THREADS]; /* what is ordered before each thread's next event */
    uint32_t lock;
    uint8_t racy;
};

static void define(struct definition *d, int thread, struct op op) {
    int e = d->events++;
    if (op.what == ACQUIRE) d->seen[thread] |= d->lock;
    d->event[e].thread = thread;
    d->event[e].op = op;
    d->event[e].before = d->seen[thread];
    d->seen[thread] |= 1u << e;
    if (op.what == RELEASE) d->lock = d->seen[thread];
    for (int f = 0; op.what == ACCESS && f < e; f++) {
        struct op other = d->event[f].op;
        if (other.what != ACCESS || d->event[e].before >> f & 1) continue;
        bool conflict = dh_conflicts(op.kind) >> other.kind & 1;
        if (conflict) d->racy |= op.mask & other.mask;
    }
}

/* ---- by clocks ---- */

struct clocks {
    dh_tick tick[THREADS][THREADS], lock[THREADS];
};

static struct dh_view view_of(struct clocks const *c, int thread) {
    return (struct dh_view){c->tick[thread], THREADS, (dh_slot)thread, c->tick[thread][thread]};
}

static void synchronise(struct clocks *c, int thread, struct op op) {
    if (op.what == ACQUIRE) dh_ticks_join(c->tick[thread], c->lock, THREADS);
    if (op.what == RELEASE) {
        memcpy(c->lock, c->tick[thread], sizeof c->lock);
        c->tick[thread][thread]++;
    }
}

/* Ids and sets for packed cells: the id of tick c of thread t is fixed; sets are found by looking.
 */
enum { TICKS = 16, SET_STORE = 1 << 16 };
static struct dh_epoch epochs[THREADS * TICKS + 1];
static uint32_t sets[SET_STORE];
static uint32_t sets_end = DH_SET_UNIT;
static struct dh_tables const tables = {epochs, sets};

static dh_epoch_id id_of(int thread, dh_tick tick) {
    dh_epoch_id id = 1 + (dh_epoch_id)thread * TICKS + tick;
    epochs[id] = (struct dh_epoch){(dh_slot)thread, tick};
    return id;
}

static dh_word set_of(dh_word const *words, uint32_t count) {
    if (count <= 1) return count ? words[0] : 0;
    uint32_t at = DH_SET_UNIT;
    while (at < sets_end
           && (sets[at] != count || memcmp(sets + at + 1, words, count * sizeof *words)))
        at += (sets[at] + DH_SET_UNIT) / DH_SET_UNIT * DH_SET_UNIT;
    if (at == sets_end) {
        sets_end += (count + DH_SET_UNIT) / DH_SET_UNIT * DH_SET_UNIT;
        assert_true(sets_end < SET_STORE);
        sets[at] = count;
        memcpy(sets + at + 1, words, count * sizeof *words);
    }
    unsigned common = DH_WORD_BYTES_MASK;
    for (uint32_t i = 0; i < count; i++)
        common &= words[i];
    return DH_WORD_OBJECT | at / DH_SET_UNIT << DH_WORD_ID_SHIFT | common;
}

struct state {
    struct definition definition;
    struct clocks clocks;
    struct dh_entry entries[LISTED];
    uint32_t count;
    uint8_t entries_racy;
    struct dh_entry
        records[RECORDED]; /* the same, but for atomics by their short way, where it is one */
    uint32_t record_count;
    uint8_t records_racy;
    dh_cell cell;
    uint8_t cell_racy;
};

static dh_word const split_word = DH_WORD_SPLIT | DH_SPLIT_NUMBER_MASK;

/* A cell for these words, split if it has to be; false if that cannot be. What the split does not use is
 * rubbish, and the byte that is for a lock is in use. */
static bool split_of(struct dh_split *split, struct dh_words const *words, dh_cell *cell) {
    memset(split, 0x5a, sizeof *split);
    if (!dh_split_fits(words->write, words->writes) || !dh_split_fits(words->read, words->reads))
        return false;
    if (words->writes > 1) dh_split_fill(split->write, words->write, words->writes);
    if (words->reads > 1) dh_split_fill(split->read, words->read, words->reads);
    *cell = dh_cell_of(words->writes > 1    ? split_word
                       : words->writes == 1 ? words->write[0]
                                            : 0,
                       words->reads > 1    ? split_word
                       : words->reads == 1 ? words->read[0]
                                           : 0);
    return true;
}

/* It stands for these words, and nothing was stored to the byte that is for a lock. */
static void split_is(dh_cell cell, struct dh_split const *split, struct dh_words const *words) {
    dh_word list[DH_SET_MAX];
    assert_int_equal(split->write[0] & DH_WORD_BYTES_MASK, 0x5a);
    assert_int_equal(dh_split_list(dh_cell_write(cell), split->write, list), words->writes);
    assert_memory_equal(list, words->write, words->writes * sizeof *list);
    assert_int_equal(dh_split_list(dh_cell_read(cell), split->read, list), words->reads);
    assert_memory_equal(list, words->read, words->reads * sizeof *list);
}

static unsigned long splits_stepped, splits_begun;

/* The same access to the same state, split, or about to be. */
static void step_split(struct dh_words const *before, struct dh_words const *after,
                       struct dh_access a, struct dh_verdict const *v, struct dh_view const *view) {
    struct dh_split split, other;
    dh_cell cell, old, unused;
    bool changed = false;
    if (!split_of(&split, before, &cell)) return;
    struct dh_split const had = split;
    old = cell;
    splits_stepped += dh_cell_is_split(cell);
    splits_begun += !dh_cell_is_split(cell);
    if (!dh_split_step(&cell, &split, split_word, dh_word_of_epoch(a.id, a.mask), a.kind, view,
                       &tables, &changed)) {
        assert_true(v->racy != 0 || !split_of(&other, after, &unused));
        assert_int_equal(cell, old);
        assert_memory_equal(&split, &had, sizeof split);
        return;
    }
    assert_int_equal(v->racy, 0);
    assert_int_equal(changed, v->changed);
    split_is(cell, &split, after);
}

static unsigned long splits_shortly;

/* The same by the shortest of the steps, where it is one. */
static void step_split_shortly(struct dh_words const *before, struct dh_words const *after,
                               struct dh_access a, struct dh_verdict const *v,
                               struct dh_view const *view) {
    struct dh_split split;
    struct dh_split_epochs found;
    dh_cell cell;
    unsigned const at = (unsigned)__builtin_ctz(a.mask),
                   size = (unsigned)__builtin_popcount(a.mask);
    if ((size != 1 && size != 2 && size != 4) || dh_split_mask(at, size) != a.mask) return;
    if (!split_of(&split, before, &cell) || !dh_cell_is_split(cell)) return;
    if (!dh_split_find(cell, &split, at, size, a.kind, &found)) return;
    splits_shortly++;
    dh_word const id = dh_word_of_epoch(a.id, 0);
    assert_int_equal(found.same_kind != id, v->changed);
    if (found.same_kind == id) return;
    bool ordered = dh_word_ordered(found.same_kind, view, &tables)
                   && dh_word_ordered(found.other_kind, view, &tables);
    if (!ordered) return;
    assert_int_equal(v->racy, 0);
    dh_split_take(&cell, &split, at, size, a.kind, found, id);
    split_is(cell, &split, after);
}

static void step_cell(struct state *s, struct dh_access a, struct dh_view const *view) {
    struct dh_verdict quick, v;
    struct dh_entry list[2 * DH_SET_MAX + 1];
    struct dh_words before, words;
    memset(&before, 0, sizeof before);
    dh_cell next = s->cell;
    bool quickly = dh_cell_step(&next, a, view, &tables, &quick);
    uint32_t count = dh_cell_entries(s->cell, &tables, list);
    assert_true(dh_entries_words(list, count, &before));
    count = dh_entries_step(list, count, a, view, &v);
    assert_true(dh_entries_words(list, count, &words));
    step_split(&before, &words, a, &v, view);
    step_split_shortly(&before, &words, a, &v, view);
    dh_cell slowly = dh_cell_of(set_of(words.write, words.writes), set_of(words.read, words.reads));
    if (quickly) {
        assert_int_equal(next, slowly);
        assert_int_equal(quick.racy, v.racy);
        assert_int_equal(quick.changed, v.changed);
    }
    dh_word mine = dh_word_of_epoch(a.id, a.mask);
    struct dh_words parts;
    bool reads = a.kind == DH_READ;
    if (v.changed
        && (reads ? dh_parts_read : dh_parts_write)(s->cell, mine, view, &tables, &parts)) {
        assert_int_equal(v.racy, 0);
        assert_int_equal(
            slowly, dh_cell_of(set_of(parts.write, parts.writes), set_of(parts.read, parts.reads)));
    } else if (v.changed) {
        assert_int_not_equal(v.racy, 0);
    }
    dh_word same_kind = a.kind == DH_READ ? dh_cell_read(s->cell) : dh_cell_write(s->cell);
    dh_word const *had = dh_word_list(&same_kind, &tables, &count);
    assert_int_equal(dh_words_have(had, count, mine), !v.changed);
    s->cell = slowly;
    s->cell_racy |= v.racy;
}

/* No entry is subsumed by another, and no mask is empty. */
static void check_valid(struct state const *s) {
    for (uint32_t i = 0; i < s->count; i++)
        assert_int_not_equal(s->entries[i].mask, 0);
    for (unsigned byte = 0; byte < DH_CELL_BYTES; byte++) {
        unsigned writes = 0;
        for (uint32_t i = 0; i < s->count; i++)
            writes += s->entries[i].kind == DH_WRITE && s->entries[i].mask >> byte & 1;
        assert_true(writes <= 1);
    }
}

static unsigned long atomics_shortly, atomics_in_turn;

static void step_record(struct state *s, struct dh_access a, struct dh_view const *view) {
    struct dh_verdict v;
    bool changed;
    if (a.kind >= DH_ATOMIC_READ && dh_entries_alike(s->records, s->record_count) == a.mask) {
        struct dh_entry list[RECORDED];
        memcpy(list, s->records, sizeof list);
        dh_entries_step(list, s->record_count, a, view, &v);
        assert_int_equal(v.racy, 0);
        bool in_turn = dh_entries_in_turn(s->records, &s->record_count, a, view, &changed);
        atomics_in_turn += in_turn;
        if (in_turn || dh_entries_atomic(s->records, &s->record_count, a, view, &changed)) {
            atomics_shortly++;
            if (changed) assert_true(v.changed); /* what is not, a stronger one may be there for */
            assert_true(s->record_count <= s->count); /* it keeps no more */
            return;
        }
    }
    s->record_count = dh_entries_step(s->records, s->record_count, a, view, &v);
    s->records_racy |= v.racy;
}

static void step(struct state *s, int thread, struct op op, bool packed) {
    define(&s->definition, thread, op);
    synchronise(&s->clocks, thread, op);
    if (op.what != ACCESS) return;
    struct dh_view view = view_of(&s->clocks, thread);
    struct dh_access a = {
        .epoch = {(dh_slot)thread, view.now},
        .id = id_of(thread, view.now),
        .mask = op.mask,
        .kind = (uint8_t)op.kind,
    };
    struct dh_verdict v;
    s->count = dh_entries_step(s->entries, s->count, a, &view, &v);
    s->entries_racy |= v.racy;
    check_valid(s);
    if (!packed) step_record(s, a, &view);
    if (packed) step_cell(s, a, &view);
}

static unsigned long walked;

static void explain(struct state const *s) {
    static char const *const kinds[] = {"read", "write", "atomic read", "atomic write"};
    for (int e = 0; e < s->definition.events; e++) {
        struct op op = s->definition.event[e].op;
        printf("  thread %d: %s", s->definition.event[e].thread,
               op.what == ACQUIRE   ? "acquire"
               : op.what == RELEASE ? "release"
                                    : kinds[op.kind]);
        printf(op.what == ACCESS ? " bytes %x\n" : "\n", op.mask);
    }
    printf("definition %x, entries %x, records %x, cell %x\n", s->definition.racy, s->entries_racy,
           s->records_racy, s->cell_racy);
}

static void walk(struct state const *s, struct op const *ops, int count, int depth, bool packed) {
    walked++;
    if (s->definition.racy != s->entries_racy || (!packed && s->definition.racy != s->records_racy)
        || (packed && s->definition.racy != s->cell_racy)) {
        explain(s);
        fail();
    }
    if (depth == 0) return;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < count; i++) {
            struct state next = *s;
            struct op op = ops[i];
            op.locked = false;
            if (ops[i].locked) step(&next, t, (struct op){.what = ACQUIRE}, packed);
            step(&next, t, op, packed);
            if (ops[i].locked) step(&next, t, (struct op){.what = RELEASE}, packed);
            walk(&next, ops, count, depth - 1, packed);
        }
}

static struct state const start = {
    .clocks.tick = {[0][0] = 1, [1][1] = 1, [2][2] = 1},
};

static void plain_accesses_of_parts_of_a_cell(void **unused) {
    (void)unused;
    struct op const ops[] = {
        {.what = ACQUIRE},
        {.what = RELEASE},
        {ACCESS, DH_READ, 0xff, false},
        {ACCESS, DH_WRITE, 0xff, false},
        {ACCESS, DH_READ, 0x0f, false},
        {ACCESS, DH_WRITE, 0x0f, false},
        {ACCESS, DH_READ, 0x3c, false},
        {ACCESS, DH_WRITE, 0x3c, false},
        {ACCESS, DH_WRITE, 0x80, false},
    };
    walk(&start, ops, sizeof ops / sizeof *ops, 4, true);
}

/* What fields are for: mostly ordered, so that epochs of many accesses are in a cell at a time. */
static void parts_under_a_lock(void **unused) {
    (void)unused;
    struct op const ops[] = {
        {ACCESS, DH_READ, 0x03, true},  {ACCESS, DH_WRITE, 0x03, true},
        {ACCESS, DH_READ, 0xf0, true},  {ACCESS, DH_WRITE, 0x3f, true},
        {ACCESS, DH_READ, 0xff, true},  {ACCESS, DH_WRITE, 0x80, true},
        {ACCESS, DH_READ, 0x0e, false}, {ACCESS, DH_WRITE, 0x18, false},
    };
    unsigned long stepped = splits_stepped, begun = splits_begun, shortly = splits_shortly;
    walk(&start, ops, sizeof ops / sizeof *ops, 4, true);
    assert_true(splits_stepped - stepped > 10000);
    assert_true(splits_begun - begun > 10000);
    assert_true(splits_shortly - shortly > 10000);
}

static void whole_cells_longer(void **unused) {
    (void)unused;
    struct op const ops[] = {
        {.what = ACQUIRE},
        {.what = RELEASE},
        {ACCESS, DH_READ, 0xff, false},
        {ACCESS, DH_WRITE, 0xff, false},
    };
    walk(&start, ops, sizeof ops / sizeof *ops, 6, true);
}

static void atomics_and_plain(void **unused) {
    (void)unused;
    struct op const ops[] = {
        {.what = ACQUIRE},
        {.what = RELEASE},
        {ACCESS, DH_READ, 0x0f, false},
        {ACCESS, DH_WRITE, 0x0f, false},
        {ACCESS, DH_ATOMIC_READ, 0x3c, false},
        {ACCESS, DH_ATOMIC_WRITE, 0x3c, false},
    };
    walk(&start, ops, sizeof ops / sizeof *ops, 5, false);
}

/* Records of atomics, with a plain access now and then. */
static void atomics_longer(void **unused) {
    (void)unused;
    struct op const ops[] = {
        {.what = ACQUIRE},
        {.what = RELEASE},
        {ACCESS, DH_WRITE, 0xff, false},
        {ACCESS, DH_ATOMIC_READ, 0xff, false},
        {ACCESS, DH_ATOMIC_WRITE, 0xff, false},
    };
    unsigned long shortly = atomics_shortly;
    walk(&start, ops, sizeof ops / sizeof *ops, 5, false);
    assert_true(atomics_shortly - shortly > 10000);
}

static void conflicts_are_symmetric(void **unused) {
    (void)unused;
    for (int a = 0; a < DH_KINDS; a++)
        for (int b = 0; b < DH_KINDS; b++)
            assert_int_equal(dh_conflicts(a) >> b & 1, dh_conflicts(b) >> a & 1);
}

static void many_readers_need_a_record(void **unused) {
    (void)unused;
    struct dh_entry list[DH_SET_MAX + 1];
    struct dh_words words;
    for (uint32_t i = 0; i <= DH_SET_MAX; i++)
        list[i] = (struct dh_entry){{i, 1}, i + 1, 0xff, DH_READ};
    assert_true(dh_entries_words(list, DH_SET_MAX, &words));
    assert_false(dh_entries_words(list, DH_SET_MAX + 1, &words));
    list[0].id = 0;
    assert_false(dh_entries_words(list, 1, &words));
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(conflicts_are_symmetric),
        cmocka_unit_test(many_readers_need_a_record),
        cmocka_unit_test(plain_accesses_of_parts_of_a_cell),
        cmocka_unit_test(parts_under_a_lock),
        cmocka_unit_test(whole_cells_longer),
        cmocka_unit_test(atomics_and_plain),
        cmocka_unit_test(atomics_longer),
    };
    int failed = cmocka_run_group_tests(tests, 0, 0);
    printf("%lu prefixes of executions compared, %lu steps of split cells, %lu of them short, %lu "
           "of others\n",
           walked, splits_stepped, splits_shortly, splits_begun);
    return failed;
}
