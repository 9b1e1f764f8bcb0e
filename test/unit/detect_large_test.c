/* Events of all sizes anywhere in the address space: the detectors agree with the definition on the
 * racy bytes, byte for byte, and memory stays in proportion to the events. */
#include "detect/detector.h"
#include "detect/verdicts.h"
#include "trace/wellformed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static uint64_t state = 99;
static uint64_t draw(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static uint32_t below(uint32_t n) { return (uint32_t)(draw() % n); }

enum { THREADS = 4, EVENTS = 200 };

/* Few places, so that ranges meet; far apart, and at both ends. */
static uint64_t any_address(void) {
    static uint64_t const places[] = {0,          1ull << 31, 0x7f0000001000,
                                      1ull << 47, 1ull << 63, UINT64_MAX - (1ull << 33)};
    return places[below(6)] + (draw() & ((1ull << below(34)) - 1));
}

static struct dh_trace_event any_event(void) {
    struct dh_trace_event e = {.thread = below(THREADS)};
    switch (below(10)) {
    case 0:
        e.op = below(2) ? DH_OP_SIGNAL : DH_OP_WAIT;
        e.address = draw() & 1;
        return e;
    case 1:
        e.op = (uint8_t)(DH_OP_LOAD + below(4));
        e.size = 1u << below(5);
        e.address = any_address() & ~(e.size - 1);
        e.order = __ATOMIC_RELAXED;
        return e;
    case 2: e.op = DH_OP_ALLOC; break;
    case 3: e.op = DH_OP_FREE; break;
    default: e.op = below(3) ? DH_OP_READ : DH_OP_WRITE;
    }
    e.address = any_address();
    e.size = 1 + (draw() & ((1ull << below(32)) - 1));
    if (e.op == DH_OP_ALLOC) e.size <<= below(30);
    return e;
}

struct side {
    struct dh_verdicts *verdicts;
    unsigned number;
};
static void found(void *to, struct dh_finding const *f) {
    struct side *s = to;
    dh_verdicts_add(s->verdicts, s->number, f->address, f->size);
}

static void fork_all(struct dh_wellformed *rules, void **states) {
    for (uint32_t t = 1; t < THREADS; t++) {
        struct dh_trace_event fork = {.op = DH_OP_FORK, .address = t};
        assert_null(dh_wellformed_step(rules, &fork));
        for (unsigned d = 0; d < DH_DETECTORS; d++)
            dh_detectors[d]->step(states[d], t - 1, &fork);
    }
}

/* Frees what was allocated, some of the time: few guesses would be blocks. */
static void guess_block(struct dh_trace_event *e, struct dh_trace_event *last) {
    if (e->op == DH_OP_ALLOC) *last = *e;
    if (e->op != DH_OP_FREE || last->size == 0) return;
    e->address = last->address;
    e->size = last->size;
    last->size = 0;
}

static uint64_t racy_bytes;

static void one_trace(void) {
    struct dh_arena memory[DH_DETECTORS] = {{0}}, verdict_memory = {0};
    struct dh_verdicts verdicts;
    struct dh_wellformed rules;
    struct dh_trace_event last_block = {0};
    struct side sides[DH_DETECTORS];
    void *states[DH_DETECTORS];
    dh_verdicts_init(&verdicts, &verdict_memory);
    dh_wellformed_begin(&rules);
    for (unsigned d = 0; d < DH_DETECTORS; d++) {
        sides[d] = (struct side){&verdicts, d};
        states[d] = dh_detectors[d]->create(&memory[d], found, &sides[d]);
    }
    fork_all(&rules, states);
    for (uint64_t i = THREADS; i < EVENTS; i++) {
        struct dh_trace_event e = any_event();
        guess_block(&e, &last_block);
        if (dh_wellformed_step(&rules, &e)) continue;
        for (unsigned d = 0; d < DH_DETECTORS; d++)
            dh_detectors[d]->step(states[d], i, &e);
    }
    for (unsigned d = 0; d < DH_DETECTORS; d++) {
        if (dh_detectors[d]->precise) {
            assert_int_equal(dh_verdicts_only(&verdicts, 0, d, NULL, NULL), 0);
            assert_int_equal(dh_verdicts_only(&verdicts, d, 0, NULL, NULL), 0);
        }
        assert_true(memory[d].held < (uint64_t)EVENTS * (64 << 10));
        dh_arena_release(&memory[d]);
    }
    racy_bytes += dh_verdicts_only(&verdicts, 0, DH_VERDICT_SIDES, NULL, NULL);
    dh_arena_release(&verdict_memory);
    dh_wellformed_end(&rules);
}

static void events_of_all_sizes(void **unused) {
    for (int n = 0; n < 60; n++)
        one_trace();
    assert_true(racy_bytes > 1ull << 30);
}

int main(void) {
    struct CMUnitTest const tests[] = {cmocka_unit_test(events_of_all_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
