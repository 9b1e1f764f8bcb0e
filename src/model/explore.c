#include "model/explore.h"

#include "util/diag.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MEMORY (UINT64_C(2) << 30)

/* How many steps of each thread are ordered before something, itself included. */
typedef uint32_t order[DH_MODEL_THREADS];

/* A state of the current run, and the step taken from it. Sets of threads are a bit a thread. */
struct frame {
    struct dh_state *state;
    size_t events; /* in the trace so far */
    uint32_t enabled;
    uint32_t wanted;               /* to be tried from here: the source set as far as it is known */
    uint32_t asleep;               /* tried from here, or not to be tried */
    order known[DH_MODEL_THREADS]; /* what is ordered before the next step of each thread */
    bool stepped;
    uint32_t thread;               /* who stepped */
    order before;                  /* what is ordered before that step, itself included */
    struct dh_footprint footprint; /* of that step */
};

struct search {
    struct dh_machine machine;
    struct dh_explore_options options;
    struct dh_explore_stats stats;
    struct frame *frames;
    uint8_t *schedule;
    uint32_t depth, capacity;
    struct dh_step step; /* its events are the trace */
    dh_run_visit *visit;
    void *context;
};

static uint32_t bit(uint32_t thread) { return UINT32_C(1) << thread; }

static void join(order to, order const from) {
    for (uint32_t t = 0; t < DH_MODEL_THREADS; t++)
        if (from[t] > to[t]) to[t] = from[t];
}

/* The step of this frame is ordered before whatever `o` belongs to. */
static bool is_before(struct frame const *frame, order const o) {
    return o[frame->thread] >= frame->before[frame->thread];
}

/* ---- Ends of runs ---- */

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t outcome_of(struct search *s, struct dh_state const *state) {
    uint64_t hash = 1;
    struct dh_machine const *m = &s->machine;
    for (uint32_t w = 0; w < m->global_words; w++)
        hash = mix(hash, (uint64_t)state->words[w]);
    for (uint32_t t = 0; t < m->threads; t++) {
        struct dh_model_thread const *thread = &state->threads[t];
        int64_t const *heap = dh_state_region(m, state, 1 + t);
        for (uint32_t w = 0; w < thread->heap; w++)
            hash = mix(hash, (uint64_t)heap[w]);
        hash = mix(hash, thread->status);
        hash = mix(hash, (uint64_t)thread->stopped.line << 32 | thread->stopped.column);
        if (thread->status == DH_RUNS)
            hash = mix(mix(mix(hash, thread->function), thread->block), thread->index);
    }
    return hash;
}

/* A class is the set of its steps, each with what is ordered before it: a sum does not depend on
 * the order in which they came. */
static void class_of(struct search *s, uint64_t class_id[2]) {
    class_id[0] = class_id[1] = 0;
    for (uint32_t i = 0; i < s->depth; i++) {
        uint64_t hash = mix(s->frames[i].thread + 1, s->frames[i].before[s->frames[i].thread]);
        for (uint32_t t = 0; t < s->machine.threads; t++)
            hash = mix(hash, s->frames[i].before[t] + UINT64_C(1));
        class_id[0] += mix(hash, 17);
        class_id[1] += mix(hash ^ UINT64_C(0xc2b2ae3d27d4eb4f), 71);
    }
}

static int end_of_run(struct search *s) {
    struct frame *top = &s->frames[s->depth];
    struct dh_run run = {.machine = &s->machine,
                         .state = top->state,
                         .events = s->step.events,
                         .event_count = s->step.count,
                         .schedule = s->schedule,
                         .steps = s->depth};
    bool waits = false;
    for (uint32_t t = 0; t < s->machine.threads; t++) {
        enum dh_status status = top->state->threads[t].status;
        run.failed |= status == DH_FAILED;
        run.error |= status == DH_ERROR;
        run.out_of_steps |= status == DH_OUT_OF_STEPS;
        waits |= status == DH_RUNS;
    }
    run.deadlock = waits && !run.failed && !run.error && !run.out_of_steps;
    run.outcome = outcome_of(s, top->state);
    class_of(s, run.class_id);
    s->stats.runs++;
    s->stats.out_of_steps += run.out_of_steps;
    if (s->depth > s->stats.longest) s->stats.longest = s->depth;
    int stop = s->visit ? s->visit(s->context, &run) : 0;
    return stop || s->stats.runs == s->options.most_runs;
}

/* ---- The order of steps ---- */

/* What will be ordered before a step of `thread` with this footprint, itself not included. */
static void order_of(struct search *s, uint32_t thread, struct dh_footprint const *footprint,
                     order result) {
    memcpy(result, s->frames[s->depth].known[thread], sizeof(order));
    for (uint32_t i = s->depth; i-- > 0;) {
        struct frame const *f = &s->frames[i];
        if (is_before(f, result)) continue;
        if (dh_dependence(&f->footprint, footprint) != DH_INDEPENDENT) join(result, f->before);
    }
}

/* The threads that can make the first step of: the steps after frame i that are not ordered after
 * its step, then the next step of `thread`, before which `o` is ordered. */
static uint32_t initials(struct search *s, uint32_t i, uint32_t thread, order const o) {
    uint32_t seen = 0, result = 0;
    for (uint32_t k = i + 1; k <= s->depth; k++) {
        bool last = k == s->depth;
        uint32_t who = last ? thread : s->frames[k].thread;
        uint32_t const *before = last ? o : s->frames[k].before;
        if (!last && is_before(&s->frames[i], before)) continue;
        if (seen & bit(who)) continue;
        seen |= bit(who);
        bool first = true;
        for (uint32_t j = i + 1; j < k && first; j++)
            first =
                is_before(&s->frames[i], s->frames[j].before) || !is_before(&s->frames[j], before);
        if (first) result |= bit(who);
    }
    return result;
}

/* Where none of them can step at frame i, the only one is `thread` itself: it waits for a condition
 * that the step at i changes, and which did not hold before. Then there is no reversed order. */
static void want_reversal(struct search *s, uint32_t i, uint32_t thread, order const o) {
    struct frame *f = &s->frames[i];
    uint32_t first = initials(s, i, thread, o), able = first & f->enabled;
    if (first & f->wanted) return;
    f->wanted |= able & bit(thread) ? bit(thread) : able & -able;
}

/* The next step of `thread` against all steps so far: the last ones that it conflicts with, and
 * that are not ordered before it by others, could have come after it. */
static void look_back(struct search *s, uint32_t thread, struct dh_footprint const *footprint) {
    order all, so_far;
    order_of(s, thread, footprint, all);
    memcpy(so_far, s->frames[s->depth].known[thread], sizeof so_far);
    for (uint32_t i = s->depth; i-- > 0;) {
        struct frame const *f = &s->frames[i];
        if (f->thread == thread || is_before(f, so_far)) continue;
        enum dh_dependence d = dh_dependence(&f->footprint, footprint);
        if (d == DH_INDEPENDENT || d == DH_HANDOVER) continue;
        if (d == DH_CONFLICT) want_reversal(s, i, thread, all);
        join(so_far, f->before);
    }
}

/* ---- Depth first ---- */

static void make_room(struct search *s) {
    if (s->depth + 2 <= s->capacity) return;
    /* A state for every step of a run. */
    if (s->depth * (uint64_t)s->machine.state_size > MOST_MEMORY)
        dh_fail("%s: the runs are too long: over %u steps of states of %zu bytes",
                s->machine.program->file, s->depth, s->machine.state_size);
    uint32_t capacity = s->capacity ? 2 * s->capacity : 64;
    s->frames = reallocarray(s->frames, capacity, sizeof *s->frames);
    s->schedule = reallocarray(s->schedule, capacity, sizeof *s->schedule);
    if (!s->frames || !s->schedule) dh_fail("out of memory");
    memset(s->frames + s->capacity, 0, (capacity - s->capacity) * sizeof *s->frames);
    s->capacity = capacity;
}

/* The frame at s->depth has its state; what can be done from there? */
static void arrive(struct search *s) {
    struct frame *top = &s->frames[s->depth];
    top->events = s->step.count;
    top->stepped = false;
    top->enabled = 0;
    for (uint32_t t = 0; t < s->machine.threads; t++)
        if (dh_machine_enabled(&s->machine, top->state, t)) top->enabled |= bit(t);
    if (!s->options.reduce) {
        top->wanted = top->enabled;
        return;
    }
    uint32_t awake = top->enabled & ~top->asleep;
    top->wanted = awake & -awake;
    for (uint32_t t = 0; t < s->machine.threads; t++) {
        if (top->state->threads[t].status != DH_RUNS || top->enabled & bit(t)) continue;
        struct dh_footprint footprint;
        dh_machine_next(&s->machine, top->state, t, &footprint);
        look_back(s, t, &footprint);
    }
}

/* Who of those asleep stays so after a step: their own next steps are independent of it. */
static uint32_t still_asleep(struct search *s, struct frame *from) {
    uint32_t result = 0;
    for (uint32_t t = 0; t < s->machine.threads; t++) {
        if (!(from->asleep & from->enabled & bit(t)) || t == from->thread) continue;
        struct dh_footprint next;
        dh_machine_next(&s->machine, from->state, t, &next);
        if (dh_dependence(&from->footprint, &next) == DH_INDEPENDENT) result |= bit(t);
    }
    return result;
}

static void take_step(struct search *s, uint32_t thread) {
    make_room(s);
    struct frame *from = &s->frames[s->depth], *to = from + 1;
    if (!to->state) to->state = dh_state_new(&s->machine);
    dh_state_copy(&s->machine, to->state, from->state);
    dh_machine_step(&s->machine, to->state, thread, &s->step);
    s->stats.steps++;

    if (s->options.reduce) look_back(s, thread, &s->step.footprint);
    order_of(s, thread, &s->step.footprint, from->before);
    from->before[thread]++;
    from->stepped = true;
    from->thread = thread;
    from->footprint = s->step.footprint;
    s->schedule[s->depth] = (uint8_t)thread;

    memcpy(to->known, from->known, sizeof to->known);
    memcpy(to->known[thread], from->before, sizeof(order));
    for (uint32_t t = 0; t < s->machine.threads; t++)
        if (from->state->threads[t].status == DH_WAITS_FOR_SPAWN
            && to->state->threads[t].status != DH_WAITS_FOR_SPAWN)
            memcpy(to->known[t], from->before, sizeof(order));
    to->asleep = s->options.reduce ? still_asleep(s, from) : 0;
    from->asleep |= bit(thread);
    s->depth++;
    arrive(s);
}

static void search_all(struct search *s) {
    make_room(s);
    s->frames[0].state = dh_state_new(&s->machine);
    dh_machine_begin(&s->machine, s->frames[0].state, &s->step);
    arrive(s);
    for (;;) {
        struct frame *top = &s->frames[s->depth];
        uint32_t next = top->wanted & top->enabled & ~top->asleep;
        if (next) {
            take_step(s, (uint32_t)__builtin_ctz(next));
            continue;
        }
        if (top->enabled == 0) {
            if (end_of_run(s)) return;
        } else if (!top->stepped) {
            s->stats.abandoned++;
        }
        if (s->depth == 0) break;
        s->depth--;
        s->step.count = s->frames[s->depth].events;
    }
    s->stats.complete = true;
}

struct dh_explore_stats dh_explore(struct ir_program const *program,
                                   struct dh_explore_options options, dh_run_visit *visit,
                                   void *context) {
    struct search s = {.options = options, .visit = visit, .context = context};
    dh_machine_init(&s.machine, program, options.limits);
    search_all(&s);
    for (uint32_t i = 0; i < s.capacity; i++)
        free(s.frames[i].state);
    free(s.frames);
    free(s.schedule);
    free(s.step.events);
    dh_machine_free(&s.machine);
    return s.stats;
}
