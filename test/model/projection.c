#include "projection.h"

#include "model/instrument.h"
#include "util/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Projection ---- */

static uint32_t declared(struct dh_run const *run, uint64_t number) {
    uint32_t t = 0; /* main has number 0, and so have threads that were never spawned */
    while (run->state->threads[t].number != number)
        t++;
    return t;
}

/* Threads come and go in both; other events are the original's if they have a line. */
static bool is_original(struct dh_trace_event const *e) {
    if (e->op == DH_OP_FORK || e->op == DH_OP_JOIN || e->op == DH_OP_EXIT) return true;
    return e->site != 0 && e->op != DH_OP_CHECK;
}

static void put(struct dh_run const *run, struct projection *p, struct dh_trace_event e) {
    if (p->count == JUDGE_EVENTS) dh_fail("a trace is too long");
    e.thread = declared(run, e.thread);
    if (e.op == DH_OP_FORK || e.op == DH_OP_JOIN) e.address = declared(run, e.address);
    p->events[p->count++] = e;
}

void project(struct dh_run const *run, struct projection *p) {
    p->count = 0;
    for (size_t i = 0; i < run->event_count; i++)
        if (is_original(&run->events[i])) put(run, p, run->events[i]);
}

/* ---- Signatures ---- */

static bool writes(struct dh_trace_event const *e) { return e->op == DH_OP_WRITE; }
static bool accesses(struct dh_trace_event const *e) { return e->op == DH_OP_READ || writes(e); }
static bool locks(struct dh_trace_event const *e) {
    return e->op == DH_OP_ACQUIRE || e->op == DH_OP_RELEASE;
}

static bool dependent(struct dh_trace_event const *a, struct dh_trace_event const *b) {
    if (a->thread == b->thread) return true;
    if (accesses(a) && accesses(b)) return a->address == b->address && (writes(a) || writes(b));
    if (locks(a) && locks(b)) return a->address == b->address;
    if (a->op == DH_OP_FORK) return a->address == b->thread;
    return a->op == DH_OP_EXIT && b->op == DH_OP_JOIN && b->address == a->thread;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 32;
}

struct pair signature(struct projection const *p) {
    static uint32_t clocks[JUDGE_EVENTS][DH_MODEL_THREADS];
    struct pair result = {0, 0};
    for (size_t b = 0; b < p->count; b++) {
        struct dh_trace_event const *e = &p->events[b];
        memset(clocks[b], 0, sizeof clocks[b]);
        for (size_t a = 0; a < b; a++)
            for (uint32_t t = 0; dependent(&p->events[a], e) && t < DH_MODEL_THREADS; t++)
                if (clocks[a][t] > clocks[b][t]) clocks[b][t] = clocks[a][t];
        clocks[b][e->thread]++;
        uint64_t hash = mix(mix(mix(e->thread + 1, e->op), e->address), e->site);
        for (uint32_t t = 0; t < DH_MODEL_THREADS; t++)
            hash = mix(hash, clocks[b][t] + UINT64_C(1));
        result.a += mix(hash, 3);
        result.b += mix(~hash, 5);
    }
    return result;
}

uint64_t original_outcome(struct dh_run const *run, uint32_t words) {
    uint64_t hash = 7;
    for (uint32_t w = 0; w < words; w++)
        hash = mix(hash, (uint64_t)run->state->words[w]);
    for (uint32_t t = 0; t < run->machine->threads; t++)
        hash = mix(mix(hash, run->state->threads[t].status), run->state->threads[t].stopped.line);
    return hash;
}

bool found_race(struct dh_machine const *machine, struct dh_state const *state) {
    for (uint32_t t = 0; t < machine->threads; t++)
        if (state->threads[t].status == DH_FAILED && state->threads[t].stopped.line == 0)
            return true;
    return false;
}

/* ---- Comparison ---- */

struct both {
    struct comparison *result;
    struct dh_machine machine; /* of the instrumented program */
    struct dh_state *first, *state;
    uint32_t words; /* of the original's globals */
    struct pairs
        quiet[2]; /* race-free signatures with their outcomes, of the original, of the other */
    uint64_t racy, found; /* runs of each */
    bool erroneous;
};

static int wrong(struct both *both, char const *what) {
    snprintf(both->result->wrong, sizeof both->result->wrong, "%s", what);
    return 1;
}

static struct ir_instruction const *next_of(struct both *both, uint32_t thread) {
    struct dh_model_thread const *t = &both->state->threads[thread];
    return &both->machine.program->functions[t->function].blocks[t->block].instructions[t->index];
}

/* Who must finish what its last event began before `thread` can go on: who holds the location's
 * lock, or who is waited for. */
static bool is_in_the_way(struct both *both, uint32_t thread, uint32_t other) {
    if (other == thread || both->state->threads[other].status != DH_RUNS) return false;
    struct dh_evaluation e = {.machine = &both->machine, .state = both->state, .thread = thread};
    if (next_of(both, thread)->op == IR_OP_WAIT)
        return dh_evaluate(&e, next_of(both, thread)->value) == other;
    struct ir_instruction const *i = next_of(both, other);
    return i->op == IR_OP_RELEASE && i->position.line == 0;
}

/* One more step of the instrumented thread. */
static bool advance(struct both *both, uint32_t thread, struct dh_step *step) {
    while (!dh_machine_enabled(&both->machine, both->state, thread)) {
        uint32_t other = 0;
        if (both->state->threads[thread].status != DH_RUNS) return false;
        while (other < both->machine.threads && !is_in_the_way(both, thread, other))
            other++;
        if (other == both->machine.threads
            || !dh_machine_enabled(&both->machine, both->state, other))
            return false;
        dh_machine_step(&both->machine, both->state, other, step);
    }
    dh_machine_step(&both->machine, both->state, thread, step);
    return true;
}

/* One interleaving of the original, followed by the instrumented program event by event: it fails
 * an assertion at the access that completes the first race, or it ends in the same memory. */
static int follow(struct both *both, struct dh_run const *run, struct verdict const *verdict) {
    static struct dh_step step;
    static struct projection original;
    step.count = 0;
    project(run, &original);
    dh_state_copy(&both->machine, both->state, both->first);
    dh_machine_begin(&both->machine, both->state, &step);
    for (size_t i = 0; i < run->event_count; i++) {
        struct dh_trace_event const *e = &original.events[i];
        if (e->op == DH_OP_EXIT || (e->op == DH_OP_FORK && e->site == 0)) continue;
        for (bool seen = false; !seen;) {
            size_t before = step.count;
            if (found_race(&both->machine, both->state))
                return verdict->count > 0 && i == verdict->first
                           ? 0
                           : wrong(both, "the assertion fails at another access");
            if (!advance(both, e->thread, &step))
                return wrong(both, "the instrumented program cannot follow");
            for (size_t k = before; k < step.count; k++)
                seen |= step.events[k].site == e->site && step.events[k].op == e->op;
        }
    }
    if (verdict->count > 0) return wrong(both, "a race is missed");
    /* What is left is the instrumentation after the last event of each thread. */
    for (uint32_t t = 0; t < both->machine.threads; t++)
        while (both->state->threads[t].status == DH_RUNS
               && dh_machine_enabled(&both->machine, both->state, t))
            dh_machine_step(&both->machine, both->state, t, &step);
    struct dh_run end = {.machine = &both->machine, .state = both->state};
    if (original_outcome(&end, both->words) != original_outcome(run, both->words))
        return wrong(both, "another memory at the end");
    return 0;
}

static int visit_original(void *context, struct dh_run const *run) {
    struct both *both = context;
    static struct projection p;
    struct verdict verdict = judge(run->events, run->event_count, JUDGE_ACCESSES);
    both->erroneous |= run->error;
    if (run->error) return 1; /* the rules say nothing about such programs */
    both->result->interleavings++;
    both->racy += verdict.count > 0;
    project(run, &p);
    if (p.count != run->event_count) return wrong(both, "the original has events of no line");
    if (verdict.count == 0) {
        struct pair s = signature(&p);
        pairs_add(&both->quiet[0], s.a ^ s.b, original_outcome(run, both->words));
    }
    return follow(both, run, &verdict);
}

/* The access that a thread was about to make when its assertion failed: the last one checked. */
static void add_pending(struct dh_run const *run, struct projection *p) {
    for (uint32_t t = 0; t < run->machine->threads; t++) {
        struct dh_model_thread const *thread = &run->state->threads[t];
        if (thread->status != DH_FAILED || thread->stopped.line != 0) continue;
        struct dh_trace_event pending = {0};
        for (size_t i = 0; i < run->event_count; i++)
            if (run->events[i].op == DH_OP_CHECK && run->events[i].site == 0
                && run->events[i].thread == thread->number)
                pending = run->events[i];
        pending.op = pending.kind == DH_WRITE ? DH_OP_WRITE : DH_OP_READ;
        put(run, p, pending);
    }
}

/* Any interleaving of the instrumented program: if an assertion fails, the accesses so far and the
 * pending ones have a race; else the accesses have none. */
static int visit_instrumented(void *context, struct dh_run const *run) {
    struct both *both = context;
    static struct projection p;
    both->result->runs++;
    project(run, &p);
    bool found = found_race(run->machine, run->state);
    both->found += found;
    struct pair s = signature(&p);
    if (found) add_pending(run, &p);
    bool racy = judge(p.events, p.count, JUDGE_ACCESSES).count > 0;
    if (found && !racy) return wrong(both, "an assertion fails without a race");
    if (!found && racy) return wrong(both, "a race and no failed assertion");
    if (!found) pairs_add(&both->quiet[1], s.a ^ s.b, original_outcome(run, both->words));
    return 0;
}

bool compare_instrumented(struct ir_program const *original, uint64_t most_runs,
                          struct comparison *comparison) {
    char const *why;
    struct ir_position where;
    struct ir_program *instrumented = dh_instrument(original, DH_WITH_LOCKS, &why, &where);
    if (!instrumented) dh_fail("%s:%u: not in the language: %s", where.file, where.line, why);
    struct both both = {.result = comparison};
    struct dh_explore_options options = {.limits = DH_LIMITS_DEFAULT, .most_runs = most_runs};
    dh_machine_init(&both.machine, original, options.limits);
    both.words = both.machine.global_words;
    dh_machine_free(&both.machine);
    dh_machine_init(&both.machine, instrumented, options.limits);
    both.first = dh_state_new(&both.machine);
    both.state = dh_state_new(&both.machine);

    comparison->wrong[0] = '\0';
    comparison->programs++;
    struct dh_explore_stats stats = dh_explore(original, options, visit_original, &both);
    if (stats.complete) {
        options.reduce = true;
        stats = dh_explore(instrumented, options, visit_instrumented, &both);
    }
    pairs_settle(&both.quiet[0]);
    pairs_settle(&both.quiet[1]);
    if (stats.complete && !comparison->wrong[0]) {
        if (!both.racy != !both.found) wrong(&both, "only one of the programs shows a race");
        if (!pairs_equal(&both.quiet[0], &both.quiet[1]))
            wrong(&both, "other race-free traces, or other memories after them");
    }
    comparison->erroneous += both.erroneous;
    comparison->skipped += !stats.complete && !both.erroneous;
    comparison->racy += both.racy > 0;
    pairs_free(&both.quiet[0]);
    pairs_free(&both.quiet[1]);
    free(both.first);
    free(both.state);
    dh_machine_free(&both.machine);
    dh_program_free(instrumented);
    return comparison->wrong[0] == '\0';
}
