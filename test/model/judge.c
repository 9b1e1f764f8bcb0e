#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = JUDGE_EVENTS / 64 };
typedef uint64_t events_set[WORDS];

static events_set before[JUDGE_EVENTS]; /* what is ordered before each event, itself included */

static void include(events_set to, events_set const from) {
    for (size_t w = 0; w < WORDS; w++)
        to[w] |= from[w];
}

static bool has(events_set const set, size_t event) { return set[event / 64] >> event % 64 & 1; }

static bool stores(uint8_t op) { return op == DH_OP_STORE || op == DH_OP_RMW; }
static bool loads(uint8_t op) { return op == DH_OP_LOAD || op == DH_OP_RMW || op == DH_OP_COMPARE; }

/* An earlier event that this one is ordered after, whoever made it. Atomics are sequentially
 * consistent: a load is ordered after the store that it reads. */
static bool synchronises(struct dh_trace_event const *events, size_t a, size_t b) {
    struct dh_trace_event const *first = &events[a], *second = &events[b];
    if (first->thread == second->thread) return true;
    if (first->op == DH_OP_RELEASE && second->op == DH_OP_ACQUIRE)
        return first->address == second->address;
    if (first->op == DH_OP_FORK) return first->address == second->thread;
    if (first->op == DH_OP_EXIT && second->op == DH_OP_JOIN)
        return second->address == first->thread;
    if (!stores(first->op) || !loads(second->op) || first->address != second->address) return false;
    for (size_t between = a + 1; between < b; between++)
        if (stores(events[between].op) && events[between].address == first->address) return false;
    return true;
}

static bool judged_kind(struct dh_trace_event const *e, enum judged judged, enum dh_kind *kind) {
    if (judged == JUDGE_CHECKS) {
        *kind = e->kind;
        return e->op == DH_OP_CHECK;
    }
    switch (e->op) {
    case DH_OP_READ: *kind = DH_READ; return true;
    case DH_OP_WRITE: *kind = DH_WRITE; return true;
    case DH_OP_LOAD:
    case DH_OP_COMPARE: *kind = DH_ATOMIC_READ; return true;
    case DH_OP_STORE:
    case DH_OP_RMW: *kind = DH_ATOMIC_WRITE; return true;
    default: return false;
    }
}

static void note(struct verdict *verdict, uint64_t address, size_t event) {
    size_t at = 0;
    if (verdict->count == 0) verdict->first = event;
    while (at < verdict->count && verdict->racy[at] < address)
        at++;
    if (at < verdict->count && verdict->racy[at] == address) return;
    if (verdict->count == JUDGE_RACY) {
        fputs("judge: too many racy addresses\n", stderr);
        abort();
    }
    memmove(verdict->racy + at + 1, verdict->racy + at,
            (verdict->count - at) * sizeof *verdict->racy);
    verdict->racy[at] = address;
    verdict->count++;
}

struct verdict judge(struct dh_trace_event const *events, size_t count, enum judged judged) {
    struct verdict verdict = {0};
    if (count > JUDGE_EVENTS) {
        fprintf(stderr, "judge: a trace of %zu events is too long\n", count);
        abort();
    }
    for (size_t b = 0; b < count; b++) {
        memset(before[b], 0, sizeof before[b]);
        before[b][b / 64] |= UINT64_C(1) << b % 64;
        for (size_t a = 0; a < b; a++)
            if (synchronises(events, a, b)) include(before[b], before[a]);
        enum dh_kind kind, other;
        if (!judged_kind(&events[b], judged, &kind)) continue;
        for (size_t a = 0; a < b; a++) {
            if (!judged_kind(&events[a], judged, &other) || has(before[b], a)) continue;
            bool conflict =
                events[a].address == events[b].address && (dh_conflicts(kind) >> other & 1);
            if (conflict) note(&verdict, events[b].address, b);
        }
    }
    return verdict;
}

bool same_races(struct verdict const *a, struct verdict const *b) {
    return a->count == b->count && memcmp(a->racy, b->racy, a->count * sizeof *a->racy) == 0;
}
