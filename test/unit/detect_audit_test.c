/* The audit against the definitions of covering and legitimate checks, taken literally: all pairs,
 * on random small traces. And a few cases by hand. */
#include "detect/audit.h"
#include "detect/events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

enum { MOST = 40, BYTES = 24, NO_FLAW = DH_FLAW_CLASSES };

struct trace {
    uint32_t count;
    struct dh_trace_event events[MOST];
};

/* ---- by definition ---- */

static bool is_access(struct dh_trace_event const *e) { return dh_event_kind(e) != DH_KINDS; }
static bool is_check(struct dh_trace_event const *e) {
    return e->op == DH_OP_CHECK || (is_access(e) && e->op > DH_OP_WRITE);
}
static enum dh_kind kind_of(struct dh_trace_event const *e) {
    return e->op == DH_OP_CHECK ? (enum dh_kind)e->kind : dh_event_kind(e);
}
static bool touches(struct dh_trace_event const *e, uint64_t byte) {
    return byte - e->address < e->size;
}

/* Event i is both before its release and after its acquire: a releasing event stands between its
 * own access and later ones, an acquiring one between its access and earlier ones. */
static bool release_between(struct trace const *t, uint32_t a, uint32_t b) {
    for (uint32_t i = a; i < b; i++)
        if (t->events[i].thread == t->events[a].thread && dh_event_releases(&t->events[i]))
            return true;
    return false;
}
static bool acquire_between(struct trace const *t, uint32_t a, uint32_t b) {
    for (uint32_t i = a + 1; i <= b; i++)
        if (t->events[i].thread == t->events[a].thread && dh_event_acquires(&t->events[i]))
            return true;
    return false;
}
static bool same_life(struct trace const *t, uint32_t a, uint32_t b, uint64_t byte) {
    for (uint32_t i = a + 1; i <= b; i++)
        if (t->events[i].op == DH_OP_ALLOC && touches(&t->events[i], byte)) return false;
    return true;
}

static bool covers(struct trace const *t, uint32_t check, uint32_t access, uint64_t byte) {
    struct dh_trace_event const *c = &t->events[check], *a = &t->events[access];
    uint32_t first = check < access ? check : access, last = check < access ? access : check;
    if (c->thread != a->thread || !touches(c, byte) || !same_life(t, first, last, byte)
        || (dh_conflicts(kind_of(a)) & ~dh_conflicts(kind_of(c))) != 0)
        return false;
    return check <= access ? !release_between(t, check, access)
                           : !acquire_between(t, access, check);
}

static bool legitimate(struct trace const *t, uint32_t check, uint32_t access, uint64_t byte) {
    struct dh_trace_event const *c = &t->events[check], *a = &t->events[access];
    uint32_t first = check < access ? check : access, last = check < access ? access : check;
    if (c->thread != a->thread || !touches(a, byte) || !same_life(t, first, last, byte)
        || (dh_conflicts(kind_of(c)) & ~dh_conflicts(kind_of(a))) != 0)
        return false;
    return check <= access ? !acquire_between(t, check, access)
                           : !release_between(t, access, check);
}

static enum dh_flaw_class flaw_at(struct trace const *t, uint32_t i, uint64_t byte) {
    struct dh_trace_event const *e = &t->events[i];
    bool access = e->op <= DH_OP_WRITE, helped = false;
    if (!access && e->op != DH_OP_CHECK) return NO_FLAW;
    for (uint32_t j = 0; j < t->count && !helped; j++)
        helped = access ? is_check(&t->events[j]) && covers(t, j, i, byte)
                        : is_access(&t->events[j]) && legitimate(t, i, j, byte);
    if (helped) return NO_FLAW;
    uint32_t end = t->count - 1;
    bool open = same_life(t, i, end, byte) && !acquire_between(t, i, end);
    if (!access) return open ? DH_PENDING_CHECK : DH_ILLEGITIMATE;
    return open && !release_between(t, i, end + 1) ? DH_PENDING_ACCESS : DH_UNCOVERED;
}

/* Only the first of several accesses (or checks) of one kind that nothing decides between is told.
 */
static bool told_before(struct trace const *t, uint32_t i, uint64_t byte) {
    struct dh_trace_event const *e = &t->events[i];
    for (uint32_t j = 0; j < i; j++) {
        struct dh_trace_event const *f = &t->events[j];
        if (f->thread == e->thread && f->op == e->op && f->kind == e->kind && touches(f, byte)
            && same_life(t, j, i, byte) && !acquire_between(t, j, i) && !release_between(t, j, i)
            && flaw_at(t, j, byte) != NO_FLAW)
            return true;
    }
    return false;
}

/* ---- the audit's words ---- */

struct words {
    uint8_t class[MOST][BYTES];
};

static void found(void *to, struct dh_flaw const *flaw) {
    struct words *w = to;
    for (uint64_t b = flaw->address; b < flaw->address + flaw->size; b++) {
        assert_true(b < BYTES);
        assert_int_equal(w->class[flaw->event][b], NO_FLAW);
        w->class[flaw->event][b] = (uint8_t)flaw->class;
    }
}

static void audit(struct trace const *t, struct words *w) {
    struct dh_arena memory = {0};
    struct dh_audit *a = dh_audit_create(&memory, found, w);
    for (uint32_t i = 0; i < MOST; i++)
        for (uint32_t b = 0; b < BYTES; b++)
            w->class[i][b] = NO_FLAW;
    for (uint32_t i = 0; i < t->count; i++)
        dh_audit_step(a, i, &t->events[i]);
    dh_audit_end(a);
    dh_arena_release(&memory);
}

static uint64_t state = 1;
static uint32_t below(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

static struct dh_trace_event any_event(void) {
    static uint8_t const syncs[] = {DH_OP_ACQUIRE, DH_OP_RELEASE, DH_OP_FENCE, DH_OP_SIGNAL,
                                    DH_OP_WAIT,    DH_OP_JOIN,    DH_OP_FORK};
    struct dh_trace_event e = {.thread = below(2)};
    e.size = 1 + below(4);
    e.address = below((uint32_t)(BYTES - e.size + 1)) % (1 + below(BYTES - 4));
    switch (below(8)) {
    case 0:
    case 1: e.op = DH_OP_READ; break;
    case 2: e.op = DH_OP_WRITE; break;
    case 3:
    case 4:
        e.op = DH_OP_CHECK;
        e.kind = (uint8_t)below(3 + (below(8) == 0));
        break;
    case 5:
        e.op = (uint8_t)(DH_OP_LOAD + below(4));
        e.order = (uint8_t)below(6);
        break;
    case 6: e.op = below(2) ? DH_OP_ALLOC : DH_OP_FREE; break;
    default: e.op = syncs[below(sizeof syncs)]; e.order = (uint8_t)(__ATOMIC_ACQUIRE + below(4));
    }
    return e;
}

static void random_traces(void **unused) {
    uint64_t flaws = 0;
    for (int n = 0; n < 20000; n++) {
        struct trace t = {.count = 1 + below(MOST)};
        struct words w;
        for (uint32_t i = 0; i < t.count; i++)
            t.events[i] = any_event();
        audit(&t, &w);
        for (uint32_t i = 0; i < t.count; i++)
            for (uint64_t b = 0; b < BYTES; b++) {
                enum dh_flaw_class class = touches(&t.events[i], b) ? flaw_at(&t, i, b) : NO_FLAW;
                if (class != NO_FLAW && told_before(&t, i, b)) class = NO_FLAW;
                if (class != w.class[i][b])
                    print_error("trace %d event %u byte %lu: %u, not %u\n", n, i, b, w.class[i][b],
                                class);
                assert_int_equal(class, w.class[i][b]);
                flaws += class != NO_FLAW;
            }
    }
    assert_true(flaws > 10000);
}

/* ---- by hand ---- */

#define EVENT(op_, ...) \
    { .op = DH_OP_##op_, __VA_ARGS__ }
#define AT .address = 0, .size = 4
#define JUDGE(w, ...)                                           \
    struct words w;                                             \
    do {                                                        \
        struct dh_trace_event const list[] = {__VA_ARGS__};     \
        struct trace t = {.count = sizeof list / sizeof *list}; \
        for (uint32_t i = 0; i < t.count; i++)                  \
            t.events[i] = list[i];                              \
        audit(&t, &w);                                          \
    } while (0)

static void a_check_before_and_after(void **unused) {
    JUDGE(w, EVENT(ACQUIRE), EVENT(READ, AT), EVENT(CHECK, AT, .kind = DH_READ), EVENT(READ, AT),
          EVENT(RELEASE));
    assert_int_equal(w.class[1][0], NO_FLAW);
    assert_int_equal(w.class[2][0], NO_FLAW);
    assert_int_equal(w.class[3][3], NO_FLAW);
}

static void an_access_after_a_release_is_not_covered(void **unused) {
    JUDGE(w, EVENT(WRITE, AT), EVENT(CHECK, AT, .kind = DH_WRITE), EVENT(RELEASE), EVENT(WRITE, AT),
          EVENT(ACQUIRE));
    assert_int_equal(w.class[0][0], NO_FLAW);
    assert_int_equal(w.class[3][0], DH_UNCOVERED);
}

static void a_read_check_does_not_cover_a_write(void **unused) {
    JUDGE(w, EVENT(WRITE, AT), EVENT(CHECK, AT, .kind = DH_READ), EVENT(RELEASE), EVENT(ACQUIRE));
    assert_int_equal(w.class[0][0], DH_UNCOVERED);
    assert_int_equal(w.class[1][0], NO_FLAW); /* but it is legitimate for it */
}

static void a_write_check_is_not_legitimate_for_a_read(void **unused) {
    JUDGE(w, EVENT(READ, AT), EVENT(CHECK, AT, .kind = DH_WRITE), EVENT(ACQUIRE));
    assert_int_equal(w.class[0][0], NO_FLAW);
    assert_int_equal(w.class[1][0], DH_ILLEGITIMATE);
}

static void what_is_left_at_the_end(void **unused) {
    JUDGE(w, EVENT(READ, .address = 8, .size = 1), EVENT(EXIT), EVENT(READ, .thread = 1, AT),
          EVENT(CHECK, .thread = 1, .address = 16, .size = 1, .kind = DH_READ));
    assert_int_equal(w.class[0][8], DH_UNCOVERED); /* the thread's end is a release */
    assert_int_equal(w.class[2][0], DH_PENDING_ACCESS);
    assert_int_equal(w.class[3][16], DH_PENDING_CHECK);
}

/* A range of many cells is one value until a part of it is looked at. */
static uint64_t flawed[DH_FLAW_CLASSES];
static void count(void *to, struct dh_flaw const *flaw) { flawed[flaw->class] += flaw->size; }

static void large_ranges(void **unused) {
    struct dh_arena memory = {0};
    struct dh_audit *a = dh_audit_create(&memory, count, NULL);
    uint64_t const size = 1ull << 32;
    struct dh_trace_event const list[] = {
        EVENT(WRITE, .address = 4096, .size = size),
        EVENT(CHECK, .address = 5000, .size = 3, .kind = DH_WRITE),
        EVENT(CHECK, .address = 1 << 20, .size = 1 << 20, .kind = DH_WRITE),
        EVENT(ACQUIRE),
    };
    for (uint32_t i = 0; i < 4; i++)
        dh_audit_step(a, i, &list[i]);
    dh_audit_end(a);
    assert_int_equal(flawed[DH_UNCOVERED], size - 3 - (1 << 20));
    assert_int_equal(flawed[DH_ILLEGITIMATE], 0);
    assert_true(memory.held < 8 << 20);
    dh_arena_release(&memory);
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(random_traces),
        cmocka_unit_test(a_check_before_and_after),
        cmocka_unit_test(an_access_after_a_release_is_not_covered),
        cmocka_unit_test(a_read_check_does_not_cover_a_write),
        cmocka_unit_test(a_write_check_is_not_legitimate_for_a_read),
        cmocka_unit_test(what_is_left_at_the_end),
        cmocka_unit_test(large_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
