/* Random traces, larger than all can be tried, judged by every detector. A seed is a trace: what
 * fails can be had again, and is made smaller until nothing can be taken away from it.
 *
 * Usage: random SEED COUNT    the traces of so many seeds, and no detector may disagree
 *        random mutants SEED  detectors that are wrong on purpose: each must be found out soon
 */
#include "agree.h"
#include "mutants.h"
#include "world.h"

#include "detect/events.h"
#include "trace/wellformed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400 };

/* ---- numbers that look random (splitmix64) ---- */

static uint64_t state;
static uint64_t draw(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static uint32_t below(uint32_t n) { return (uint32_t)((draw() >> 32) * n >> 32); }
static bool chance(uint32_t percent) { return below(100) < percent; }

/* ---- the memory of a trace ---- */

/* A small area, where bytes are close to each other; and a large block far above, which is watched
 * at its ends and in its middle. */
enum { AREA = 40, LARGE = 1 << 20, SPOTS = 3, SPOT = 8 };
#define FAR UINT64_C(0x7f12345ff9c)
static uint64_t const spots[SPOTS] = {FAR, FAR + LARGE / 2, FAR + LARGE - SPOT};

static uint64_t watched[AGREE_WATCHED];
_Static_assert(AREA + SPOTS * SPOT <= AGREE_WATCHED, "");

static void watch(void) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < AREA; i++)
        watched[n++] = i;
    for (uint32_t s = 0; s < SPOTS; s++)
        for (uint32_t i = 0; i < SPOT; i++)
            watched[n++] = spots[s] + i;
}

/* Each trace has a taste of its own: with everything in it, long chains of one thing are rare. */
enum taste { ACCESS, ATOMIC, FENCE, LOCK, RWLOCK, SIGNAL, BARRIER, BLOCK, THREAD, TASTES };
static struct {
    uint32_t weight[TASTES], sum;
    uint32_t threads, length, span, locks, atomics;
    bool cxx20, large;
} taste;

static void choose_taste(void) {
    static uint32_t const most[TASTES] = {8, 6, 3, 4, 3, 3, 2, 2, 2};
    static uint32_t const lengths[] = {8, 16, 40, 120, LONGEST};
    taste.sum = 0;
    for (uint32_t i = 0; i < TASTES; i++) {
        taste.weight[i] = i == ACCESS || i == THREAD ? 2 + below(most[i])
                          : chance(50)               ? 0
                                                     : 1 + below(most[i]);
        taste.sum += taste.weight[i];
    }
    taste.threads = 2 + below(chance(10) ? WORLD_THREADS - 2 : 4);
    taste.length = lengths[below(5)];
    taste.span = 1u << below(6);
    taste.locks = 1 + below(3);
    taste.atomics = 1 + below(4);
    taste.cxx20 = chance(30);
    taste.large = chance(30);
}

static void place(struct dh_trace_event *e) {
    static uint8_t const sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 3, 5, 12, 16, 33};
    if (taste.large && chance(30)) {
        e->size = 1 + below(SPOT);
        e->address = spots[below(SPOTS)] + below((uint32_t)(SPOT - e->size + 1));
        if (chance(10)) e->address = FAR, e->size = LARGE;
        return;
    }
    uint32_t span = taste.span < AREA ? taste.span : AREA;
    e->size = sizes[below(sizeof sizes)];
    if (e->size > span) e->size = span;
    e->address = below((uint32_t)(span - e->size + 1));
    if (chance(50)) e->address -= e->address % (e->size & -e->size);
}

static void atomic(struct dh_trace_event *e) {
    static uint8_t const ops[] = {DH_OP_LOAD,  DH_OP_LOAD, DH_OP_STORE,
                                  DH_OP_STORE, DH_OP_RMW,  DH_OP_COMPARE};
    static uint8_t const loads[] = {__ATOMIC_RELAXED, __ATOMIC_CONSUME, __ATOMIC_ACQUIRE,
                                    __ATOMIC_SEQ_CST};
    static uint8_t const stores[] = {__ATOMIC_RELAXED, __ATOMIC_RELAXED, __ATOMIC_RELEASE,
                                     __ATOMIC_SEQ_CST};
    static struct {
        uint8_t at, size;
    } const places[] = {{32, 4}, {32, 2}, {34, 1}, {16, 16}, {24, 8}, {0, 1}, {1, 1}, {36, 2}};
    uint32_t i = below(taste.atomics * 2);
    e->op = ops[below(sizeof ops)];
    e->address = places[i].at;
    e->size = places[i].size;
    if (taste.large && chance(20)) e->address = (FAR + 15) & ~15ull;
    if (e->op == DH_OP_STORE)
        e->order = stores[below(4)];
    else if (e->op == DH_OP_RMW)
        e->order = (uint8_t)below(6);
    else
        e->order = loads[below(4)];
    if (taste.cxx20 && chance(50)) e->order |= DH_TRACE_CXX20;
}

static void block(struct dh_trace_event *e) {
    static struct {
        uint64_t address, size;
    } const blocks[] = {{0, 8}, {8, 5}, {13, 20}, {3, 30}, {FAR, LARGE}, {FAR - 4096, 5000}};
    uint32_t i = below(taste.large ? 6 : 4);
    e->op = chance(50) ? DH_OP_ALLOC : DH_OP_FREE;
    e->address = blocks[i].address;
    e->size = blocks[i].size;
}

/* An event that may or may not be possible. */
static struct dh_trace_event any_event(struct world const *w) {
    struct dh_trace_event e = {.thread = below(w->threads)};
    uint32_t pick = below(taste.sum), kind = 0;
    for (; pick >= taste.weight[kind]; kind++)
        pick -= taste.weight[kind];
    switch ((enum taste)kind) {
    case ACCESS:
        e.op = chance(60) ? DH_OP_READ : DH_OP_WRITE;
        place(&e);
        break;
    case ATOMIC: atomic(&e); break;
    case FENCE:
        e.op = DH_OP_FENCE;
        e.order = (uint8_t)(__ATOMIC_ACQUIRE + below(4));
        break;
    case LOCK:
        e.op = chance(50) ? DH_OP_ACQUIRE : DH_OP_RELEASE;
        e.address = below(taste.locks);
        break;
    case RWLOCK:
        e.op = (uint8_t)(DH_OP_ACQUIRE + below(4));
        e.address = 4 + below(taste.locks);
        break;
    case SIGNAL:
        e.op = chance(50) ? DH_OP_SIGNAL : DH_OP_WAIT;
        e.address = below(taste.locks);
        break;
    case BARRIER:
        e.op = chance(50) ? DH_OP_ARRIVE : DH_OP_DEPART;
        e.address = below(WORLD_NAMES);
        break;
    case BLOCK: block(&e); break;
    case THREAD:
        e.op = chance(70) ? DH_OP_FORK : chance(60) ? DH_OP_JOIN : DH_OP_EXIT;
        e.address = e.op == DH_OP_FORK ? w->threads : e.op == DH_OP_JOIN ? below(w->threads) : 0;
        break;
    case TASTES: break;
    }
    return e;
}

static uint32_t make(uint64_t seed, struct dh_trace_event *trace) {
    struct world w;
    struct dh_wellformed rules;
    uint32_t count = 0;
    state = seed * 0x2545f4914f6cdd1du;
    choose_taste();
    world_begin(&w);
    dh_wellformed_begin(&rules);
    for (uint32_t tries = 0; count < taste.length && tries < 20 * LONGEST; tries++) {
        struct dh_trace_event e = any_event(&w);
        if (e.op == DH_OP_FORK && w.threads >= taste.threads) continue;
        bool possible = world_step(&w, &e);
        /* A trace may free and allocate anything, as programs that map memory do; here blocks come
         * and go one after the other. */
        if (!possible && (e.op == DH_OP_ALLOC || e.op == DH_OP_FREE)) continue;
        char const *wrong = dh_wellformed_step(&rules, &e);
        if (possible != !wrong) {
            printf("seed %lu: is this well-formed or not? (%s)\n", seed, wrong ? wrong : "yes");
            trace[count++] = e;
            world_print(trace, count);
            exit(1);
        }
        if (possible) trace[count++] = e;
    }
    dh_wellformed_end(&rules);
    return count;
}

/* ---- judging and shrinking ---- */

static struct agree agree;

/* What is wrong with a trace, if anything; impossible events are left out of it. */
static char const *judge(struct dh_detector const *const *detectors, uint32_t detector_count,
                         struct dh_trace_event *trace, uint32_t *count) {
    struct world w;
    char const *wrong = NULL;
    uint32_t kept = 0;
    world_begin(&w);
    agree_begin(&agree, detectors, detector_count, watched, AREA + SPOTS * SPOT);
    for (uint32_t i = 0; i < *count && !wrong; i++) {
        if (!world_step(&w, &trace[i])) continue;
        trace[kept++] = trace[i];
        wrong = agree_step(&agree, &trace[i]);
    }
    agree_end(&agree);
    *count = kept;
    return wrong;
}

struct failure {
    struct dh_detector const *const *detectors;
    uint32_t detector_count;
    struct dh_trace_event *trace;
    uint32_t count;
};

/* A smaller trace takes the place of the failing one if it fails as well. */
static bool try_smaller(struct failure *f, struct dh_trace_event *smaller, uint32_t count) {
    if (!judge(f->detectors, f->detector_count, smaller, &count) || count >= f->count) return false;
    memcpy(f->trace, smaller, count * sizeof *smaller);
    f->count = count;
    return true;
}

/* Without `length` events from `at` on. */
static bool cut(struct failure *f, uint32_t at, uint32_t length) {
    struct dh_trace_event smaller[LONGEST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->count; i++)
        if (i - at >= length) smaller[n++] = f->trace[i];
    return try_smaller(f, smaller, n);
}

/* Without thread `old`, whose events are done by `by`. */
static bool merge(struct failure *f, uint32_t old, uint32_t by) {
    struct dh_trace_event smaller[LONGEST];
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        struct dh_trace_event e = f->trace[i];
        bool names = e.op == DH_OP_FORK || e.op == DH_OP_JOIN;
        if ((names && e.address == old) || (e.op == DH_OP_EXIT && e.thread == old)) continue;
        if (e.thread == old) e.thread = by;
        if (e.thread > old) e.thread--;
        if (names && e.address > old) e.address--;
        smaller[n++] = e;
    }
    return try_smaller(f, smaller, n);
}

/* Takes away what can be taken away, first in large pieces, until nothing is left to take. */
static uint32_t shrink(struct dh_detector const *const *detectors, uint32_t detector_count,
                       struct dh_trace_event *trace, uint32_t count) {
    struct failure f = {detectors, detector_count, trace, count};
    for (uint32_t length = count / 2; length > 1; length /= 2)
        for (uint32_t at = f.count; at-- > 0;)
            cut(&f, at, length);
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (uint32_t at = f.count; at-- > 0;)
            smaller |= cut(&f, at, 1);
        for (uint32_t old = WORLD_THREADS - 1; old > 0; old--)
            for (uint32_t by = 0; by < old; by++)
                smaller |= merge(&f, old, by);
    }
    return f.count;
}

static int run(uint64_t seed, uint64_t count) {
    static struct dh_trace_event trace[LONGEST];
    uint64_t events = 0, racy = 0, differing = 0;
    for (uint64_t s = seed; s < seed + count; s++) {
        uint32_t length = make(s, trace);
        char const *wrong = judge(dh_detectors, DH_DETECTORS, trace, &length);
        events += length;
        racy += agree.side[0].racy != 0;
        differing += agree.differing != 0;
        if (!wrong) continue;
        length = shrink(dh_detectors, DH_DETECTORS, trace, length);
        printf("seed %lu: %s, at the last event of\n", s,
               judge(dh_detectors, DH_DETECTORS, trace, &length));
        world_print(trace, length);
        return 1;
    }
    printf("seeds %lu to %lu: %lu events, %lu traces racy, %lu differ for eraser; "
           "no disagreement of the %d detectors\n",
           seed, seed + count - 1, events, racy, differing, DH_DETECTORS);
    return 0;
}

/* ---- mutants ---- */

enum { PATIENCE = 20000, SMALL = 8 };

static int find_out(struct dh_detector const *mutant, uint64_t seed) {
    static struct dh_trace_event trace[LONGEST];
    for (uint64_t s = seed; s < seed + PATIENCE; s++) {
        uint32_t length = make(s, trace);
        if (!judge(&mutant, 1, trace, &length)) continue;
        length = shrink(&mutant, 1, trace, length);
        printf("%s: %s\nfound out by the trace of seed %lu, made smaller: %s\n", mutant->name,
               mutant->about, s, judge(&mutant, 1, trace, &length));
        world_print(trace, length);
        if (length <= SMALL) return 0;
        printf("%u events: that is not small\n", length);
        return 1;
    }
    printf("%s: %s, and %d traces do not show it\n", mutant->name, mutant->about, PATIENCE);
    return 1;
}

int main(int argc, char **argv) {
    int status = 0;
    watch();
    if (argc != 3) {
        fprintf(stderr, "usage: random SEED COUNT | random mutants SEED\n");
        return 2;
    }
    if (strcmp(argv[1], "mutants") != 0)
        return run(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
    for (unsigned i = 0; i < mutant_count; i++)
        status |= find_out(&mutants[i], strtoull(argv[2], NULL, 10));
    return status;
}
