/* Every well-formed trace up to a size, judged by every detector.
 *
 * An alphabet is a few events, a number of threads and a length. All traces over it are visited
 * depth-first; the detectors go along, and are put back when another branch is tried. A trace that
 * agrees is the beginning of others, so each event is judged once for all traces that begin with
 * it. Not tried are traces that say nothing new: those that differ from another in names only (of
 * locks, of separate bytes, of threads that nothing tells apart), and of the longest those that do
 * not end in an access, since only an access can race.
 *
 * Usage: exhaustive [more]: `more` adds so many events to the length of each alphabet.
 */
#include "agree.h"
#include "world.h"

#include "detect/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define R __ATOMIC_RELAXED
#define ACQ __ATOMIC_ACQUIRE
#define REL __ATOMIC_RELEASE
#define AR __ATOMIC_ACQ_REL
#define SC __ATOMIC_SEQ_CST

struct letter {
    uint8_t op, order, class,
        name; /* a name of a class comes after the one before it; class 0: none */
    uint64_t address, size;
};
enum { LETTERS = 24, CLASSES = 4, DEEPEST = 16 };

struct alphabet {
    char const *name;
    unsigned length;  /* beyond the forks at the beginning */
    unsigned threads; /* at most */
    unsigned forked;  /* of these, by thread 0 at the beginning */
    struct letter letters[LETTERS];
};

#define READ(a, n) \
    { DH_OP_READ, 0, 0, 0, a, n }
#define WRITE(a, n) \
    { DH_OP_WRITE, 0, 0, 0, a, n }
#define READ_AT(name, a, n) \
    { DH_OP_READ, 0, 1, name, a, n }
#define WRITE_AT(name, a, n) \
    { DH_OP_WRITE, 0, 1, name, a, n }
#define OBJECT(op, o) \
    { DH_OP_##op, 0, 2, o, o, 0 }
#define ATOMIC(op, a, n, order) \
    { DH_OP_##op, order, 0, 0, a, n }
#define FENCE(order) \
    { DH_OP_FENCE, order, 0, 0, 0, 0 }
#define BLOCK(op, a, n) \
    { DH_OP_##op, 0, 0, 0, a, n }
#define FORK \
    { DH_OP_FORK, 0, 0, 0, 0, 0 }
#define JOIN \
    { DH_OP_JOIN, 0, 0, 0, 0, 0 }
#define EXIT \
    { DH_OP_EXIT, 0, 0, 0, 0, 0 }
#define LAST \
    { DH_OP_COUNT, 0, 0, 0, 0, 0 }

/* clang-format off */
static struct alphabet const alphabets[] = {
    {"threads come and go", 8, 4, 0,
     {READ(0, 1), WRITE(0, 1), FORK, JOIN, EXIT, LAST}},
    {"a lock, two places", 6, 3, 2,
     {READ_AT(0, 0, 1), WRITE_AT(0, 0, 1), READ_AT(1, 16, 1), WRITE_AT(1, 16, 1),
      OBJECT(ACQUIRE, 0), OBJECT(RELEASE, 0), LAST}},
    {"two locks, one place", 8, 3, 2,
     {READ(0, 1), WRITE(0, 1), OBJECT(ACQUIRE, 0), OBJECT(RELEASE, 0), OBJECT(ACQUIRE, 1),
      OBJECT(RELEASE, 1), LAST}},
    {"overlapping bytes", 5, 3, 2,
     {READ(0, 2), WRITE(0, 2), READ(1, 2), WRITE(1, 2), WRITE(6, 4), READ(7, 2),
      OBJECT(ACQUIRE, 0), OBJECT(RELEASE, 0), LAST}},
    {"a shared lock", 7, 3, 2,
     {READ(0, 1), WRITE(0, 1), OBJECT(ACQUIRE, 0), OBJECT(RELEASE, 0), OBJECT(RDACQUIRE, 0),
      OBJECT(RDRELEASE, 0), LAST}},
    {"signals and waits", 6, 3, 2,
     {READ(0, 2), WRITE(1, 2), OBJECT(SIGNAL, 0), OBJECT(WAIT, 0), OBJECT(SIGNAL, 1),
      OBJECT(WAIT, 1), LAST}},
    {"rounds of a barrier", 7, 3, 2,
     {READ(0, 1), WRITE(0, 1), OBJECT(ARRIVE, 0), OBJECT(DEPART, 0), OBJECT(ARRIVE, 1),
      OBJECT(DEPART, 1), LAST}},
    {"plain and atomic", 5, 3, 2,
     {READ(0, 2), WRITE(0, 2), ATOMIC(LOAD, 0, 2, R), ATOMIC(STORE, 0, 2, R),
      ATOMIC(RMW, 0, 1, R), ATOMIC(COMPARE, 1, 1, ACQ), ATOMIC(STORE, 0, 1, REL), LAST}},
    {"release sequences", 5, 3, 2,
     {READ(0, 1), WRITE(0, 1), ATOMIC(LOAD, 8, 2, ACQ), ATOMIC(STORE, 8, 2, REL),
      ATOMIC(STORE, 8, 2, R), ATOMIC(STORE, 8, 2, R | DH_TRACE_CXX20), ATOMIC(RMW, 8, 2, R),
      ATOMIC(RMW, 8, 2, AR), LAST}},
    {"release sequences of two", 6, 2, 1,
     {WRITE(0, 1), ATOMIC(LOAD, 8, 2, ACQ), ATOMIC(STORE, 8, 2, REL), ATOMIC(STORE, 8, 2, R),
      ATOMIC(STORE, 8, 2, REL | DH_TRACE_CXX20), ATOMIC(RMW, 8, 2, R), FENCE(REL), LAST}},
    {"release sequences of halves", 5, 3, 2,
     {WRITE(0, 1), ATOMIC(LOAD, 8, 2, ACQ), ATOMIC(LOAD, 8, 1, ACQ), ATOMIC(STORE, 8, 2, REL),
      ATOMIC(STORE, 8, 1, R), ATOMIC(STORE, 9, 1, REL), ATOMIC(RMW, 9, 1, REL), LAST}},
    {"fences", 6, 3, 2,
     {WRITE(0, 1), ATOMIC(LOAD, 8, 1, R), ATOMIC(STORE, 8, 1, R), ATOMIC(RMW, 8, 1, R),
      FENCE(ACQ), FENCE(REL), FENCE(SC), LAST}},
    {"blocks", 6, 3, 2,
     {READ(0, 2), WRITE(1, 2), BLOCK(ALLOC, 0, 2), BLOCK(FREE, 0, 2), BLOCK(ALLOC, 1, 16),
      BLOCK(FREE, 1, 16), OBJECT(SIGNAL, 0), OBJECT(WAIT, 0), LAST}},
    {"atomics in blocks", 5, 3, 2,
     {WRITE(16, 1), BLOCK(ALLOC, 0, 2), BLOCK(FREE, 0, 2), ATOMIC(LOAD, 0, 1, ACQ),
      ATOMIC(STORE, 0, 1, REL), ATOMIC(RMW, 0, 2, R), ATOMIC(STORE, 1, 1, SC), LAST}},
    {"a bit of everything", 4, 3, 1,
     {READ(0, 4), WRITE(2, 4), OBJECT(ACQUIRE, 0), OBJECT(RELEASE, 0), OBJECT(RDACQUIRE, 0),
      OBJECT(RDRELEASE, 0), OBJECT(SIGNAL, 0), OBJECT(WAIT, 0), OBJECT(ARRIVE, 0),
      OBJECT(DEPART, 0), ATOMIC(LOAD, 4, 2, ACQ), ATOMIC(STORE, 4, 2, REL), ATOMIC(RMW, 4, 4, AR),
      FENCE(SC), BLOCK(ALLOC, 0, 8), BLOCK(FREE, 0, 8), FORK, JOIN, EXIT, LAST}},
};
/* clang-format on */
enum { ALPHABETS = sizeof alphabets / sizeof *alphabets };

static struct agree agree;
static struct agree_copy copies[DEEPEST];
static uint64_t traces, racy_traces;

struct names {
    uint8_t used[CLASSES]; /* by class: how many names so far */
    uint8_t acted;         /* threads; where all are forked at the beginning, they act in order */
};

static void disagreement(char const *wrong) {
    printf("disagreement: %s, at the last event of\n", wrong);
    world_print(agree.trace, agree.events);
    exit(1);
}

static void judge(struct dh_trace_event const *e) {
    char const *wrong = agree_step(&agree, e);
    if (wrong) disagreement(wrong);
}

static void explore(struct alphabet const *a, struct world const *w, struct names names,
                    unsigned left);

static bool is_access(uint8_t op) {
    return dh_event_kind(&(struct dh_trace_event){.op = op}) != DH_KINDS;
}

static void branch(struct alphabet const *a, struct world const *w, struct names names,
                   unsigned left, struct dh_trace_event const *e, bool *first) {
    struct world next = *w;
    if (!world_step(&next, e)) return;
    if (!*first) agree_restore(&agree, &copies[left]);
    *first = false;
    judge(e);
    traces++;
    racy_traces += agree.side[0].racy != 0;
    if (left > 1) explore(a, &next, names, left - 1);
}

static void explore(struct alphabet const *a, struct world const *w, struct names names,
                    unsigned left) {
    bool first = true;
    agree_save(&agree, &copies[left]);
    for (uint32_t t = 0; t < w->threads && t <= names.acted; t++)
        for (struct letter const *l = a->letters; l->op != DH_OP_COUNT; l++) {
            if (left == 1 && !is_access(l->op)) continue;
            struct names after = names;
            if (t == names.acted) after.acted++;
            struct dh_trace_event e = {
                .op = l->op,
                .order = l->order,
                .thread = t,
                .address = l->address,
                .size = l->size,
            };
            if (l->class != 0) {
                if (l->name > names.used[l->class]) continue;
                if (l->name == names.used[l->class]) after.used[l->class]++;
            }
            if (l->op == DH_OP_FORK) {
                if (w->threads == a->threads) continue;
                e.address = w->threads;
            }
            if (l->op != DH_OP_JOIN) {
                branch(a, w, after, left, &e, &first);
                continue;
            }
            for (e.address = 0; e.address < w->threads; e.address++)
                branch(a, w, after, left, &e, &first);
        }
}

static void run(struct alphabet const *a, unsigned more) {
    struct timespec began, ended;
    struct world w;
    agree_begin(&agree, dh_detectors, DH_DETECTORS, NULL, 32);
    world_begin(&w);
    for (uint32_t t = 1; t <= a->forked; t++) {
        struct dh_trace_event fork = {.op = DH_OP_FORK, .address = t};
        world_step(&w, &fork);
        judge(&fork);
    }
    traces = racy_traces = 0;
    clock_gettime(CLOCK_MONOTONIC, &began);
    explore(a, &w, (struct names){.acted = a->threads > a->forked + 1 ? WORLD_THREADS : 0},
            a->length + more);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double seconds =
        (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    printf("%-28s %2u events %10lu traces %10lu racy %10lu differ for eraser %6.1f s\n", a->name,
           a->length + more, traces, racy_traces, agree.differing, seconds);
    fflush(stdout);
    agree_end(&agree);
}

int main(int argc, char **argv) {
    unsigned more = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    uint64_t all = 0;
    for (unsigned i = 0; i < ALPHABETS; i++) {
        if (alphabets[i].length + more >= DEEPEST) return 2;
        run(&alphabets[i], more);
        all += traces;
    }
    printf("%lu traces, each judged by %d detectors: no disagreement\n", all, DH_DETECTORS);
}
