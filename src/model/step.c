/* What instructions do. A step is one visible instruction, then local ones up to the next. */
#include "model/machine.h"

#include "util/diag.h"

#include <stdlib.h>
#include <string.h>

/* Where the words in front of a frame's locals are. */
enum { CALLER_FRAME, CALLER_FUNCTION, CALLER_BLOCK, CALLER_INDEX, CALLER_TARGET };

struct run {
    struct dh_machine const *m;
    struct dh_state *s;
    uint32_t t;
    struct dh_step *step;
    bool quiet; /* only the footprint is wanted */
};

static struct dh_model_thread *thread_of(struct run *r) { return &r->s->threads[r->t]; }

static struct ir_block const *block_of(struct run *r) {
    struct dh_model_thread *thread = thread_of(r);
    return &r->m->program->functions[thread->function].blocks[thread->block];
}

static struct dh_evaluation evaluation(struct run *r) {
    return (struct dh_evaluation){.machine = r->m, .state = r->s, .thread = r->t};
}

static void stop(struct run *r, enum dh_status status, char const *error,
                 struct ir_position where) {
    thread_of(r)->status = status;
    thread_of(r)->error = error;
    thread_of(r)->stopped = where;
}

/* ---- What a step leaves behind ---- */

static void touch(struct run *r, enum dh_touch how, uint64_t where) {
    struct dh_footprint *f = &r->step->footprint;
    if (f->count < DH_FOOTPRINT) f->touched[f->count] = (struct dh_touched){where, how};
    f->count++;
}

static void event(struct run *r, struct dh_trace_event e) {
    struct dh_step *step = r->step;
    if (r->quiet) return;
    if (step->count == step->capacity) {
        step->capacity = step->capacity ? 2 * step->capacity : 64;
        step->events = reallocarray(step->events, step->capacity, sizeof *step->events);
        if (!step->events) dh_fail("out of memory");
    }
    e.thread = thread_of(r)->number;
    step->events[step->count++] = e;
}

static void access_event(struct run *r, enum dh_op plain, enum dh_op atomic, struct dh_spot spot,
                         struct ir_instruction const *i) {
    event(r, (struct dh_trace_event){.op = spot.atomic ? atomic : plain,
                                     .order = spot.atomic ? __ATOMIC_SEQ_CST : 0,
                                     .address = spot.address,
                                     .size = 8,
                                     .site = i->position.line});
}

/* ---- Local instructions ---- */

static int64_t *local(struct run *r, uint32_t which) {
    return &dh_machine_locals(r->m, r->s, r->t)[which];
}

static void give(struct run *r, uint32_t target, int64_t value) {
    if (target != IR_NONE) *local(r, target) = value;
}

/* A new frame on the thread's stack. False: there is no room. */
static bool enter(struct run *r, uint32_t function) {
    struct dh_model_thread *thread = thread_of(r);
    uint32_t size = DH_FRAME_WORDS + r->m->program->functions[function].local_count;
    if (size > r->m->stack_words - thread->top) return false;
    thread->frame = thread->top;
    thread->top += size;
    memset(dh_machine_locals(r->m, r->s, r->t) - DH_FRAME_WORDS, 0, size * sizeof(int64_t));
    thread->function = function;
    thread->block = thread->index = 0;
    return true;
}

static void call(struct run *r, struct ir_instruction const *i) {
    struct dh_model_thread *thread = thread_of(r), before = *thread;
    struct dh_evaluation e = evaluation(r);
    int64_t values[16];
    for (uint32_t a = 0; a < i->argument_count; a++)
        values[a] = dh_evaluate(&e, r->m->program->arguments[i->arguments + a]);
    if (e.error) return stop(r, DH_ERROR, e.error, i->position);
    if (!enter(r, i->callee))
        return stop(r, DH_OUT_OF_STEPS, "the calls are too deep", i->position);
    int64_t *locals = dh_machine_locals(r->m, r->s, r->t), *frame = locals - DH_FRAME_WORDS;
    frame[CALLER_FRAME] = before.frame;
    frame[CALLER_FUNCTION] = before.function;
    frame[CALLER_BLOCK] = before.block;
    frame[CALLER_INDEX] = before.index;
    frame[CALLER_TARGET] = i->target;
    memcpy(locals, values, i->argument_count * sizeof *values);
}

static void leave(struct run *r, int64_t value) {
    struct dh_model_thread *thread = thread_of(r);
    if (thread->frame == 0) {
        thread->status = DH_ENDED;
        event(r, (struct dh_trace_event){.op = DH_OP_EXIT});
        touch(r, DH_TOUCH_END, r->t);
        return;
    }
    int64_t *frame = dh_machine_locals(r->m, r->s, r->t) - DH_FRAME_WORDS;
    thread->top = thread->frame;
    thread->frame = (uint32_t)frame[CALLER_FRAME];
    thread->function = (uint32_t)frame[CALLER_FUNCTION];
    thread->block = (uint32_t)frame[CALLER_BLOCK];
    thread->index = (uint32_t)frame[CALLER_INDEX];
    give(r, (uint32_t)frame[CALLER_TARGET], value);
}

static void allocate(struct run *r, struct ir_instruction const *i, int64_t kind, int64_t length) {
    struct dh_model_thread *thread = thread_of(r);
    if (length < 0) return stop(r, DH_ERROR, "an array cannot have so few elements", i->position);
    int64_t room = (int64_t)r->m->heap_words - thread->heap - DH_HEADER;
    if (length > room) return stop(r, DH_OUT_OF_STEPS, "out of memory", i->position);
    int64_t *words = dh_state_region(r->m, r->s, 1 + r->t) + thread->heap;
    memset(words, 0, (DH_HEADER + (size_t)length) * sizeof *words);
    words[DH_HEADER_KIND] = kind;
    words[DH_HEADER_LENGTH] = length;
    give(r, i->target, (int64_t)dh_address(1 + r->t, thread->heap));
    thread->heap += DH_HEADER + (uint32_t)length;
}

/* A check looks at one field or at each element of a range in turn. */
static void check(struct run *r, struct ir_instruction const *i) {
    struct dh_evaluation e = evaluation(r);
    struct ir_place place = i->place;
    int64_t at = 0, end = 1, stride = 1;
    if (place.kind == IR_PLACE_ELEMENT) {
        at = dh_evaluate(&e, place.index);
        end = dh_evaluate(&e, i->end);
        stride = dh_evaluate(&e, i->stride);
        if (!e.error && stride <= 0) e.error = "the stride of a range is at least 1";
        struct dh_block_view block = dh_evaluate_block(&e, dh_evaluate(&e, place.base));
        bool inside = !e.error && (at >= end || (at >= 0 && end <= block.header[DH_HEADER_LENGTH]));
        if (!e.error && block.header[DH_HEADER_KIND] >= 0) e.error = "an object has no elements";
        if (!e.error && !inside) e.error = "the range is outside the array";
        if (e.error) return stop(r, DH_ERROR, e.error, i->position);
        for (; at < end; at += stride) {
            uint64_t where = block.address + 8u * (DH_HEADER + (uint64_t)at);
            event(r, (struct dh_trace_event){.op = DH_OP_CHECK,
                                             .kind = i->kind == IR_WRITE ? DH_WRITE : DH_READ,
                                             .address = where,
                                             .size = 8,
                                             .site = i->position.line});
        }
        return;
    }
    struct dh_spot spot = dh_evaluate_place(&e, place);
    if (e.error) return stop(r, DH_ERROR, e.error, i->position);
    event(r, (struct dh_trace_event){.op = DH_OP_CHECK,
                                     .kind = i->kind == IR_WRITE ? DH_WRITE : DH_READ,
                                     .address = spot.address,
                                     .size = 8,
                                     .site = i->position.line});
}

static void run_instruction(struct run *r, struct ir_instruction const *i) {
    struct dh_evaluation e = evaluation(r);
    int64_t value = 0;
    if (i->op == IR_OP_CALL) return call(r, i);
    if (i->op == IR_OP_CHECK) return check(r, i);
    if (i->op == IR_OP_END_ATOMIC) return;
    if (i->op != IR_OP_NEW) value = dh_evaluate(&e, i->value);
    if (e.error) return stop(r, DH_ERROR, e.error, i->position);
    if (i->op == IR_OP_NEW)
        allocate(r, i, i->which, r->m->program->classes[i->which].field_count);
    else if (i->op == IR_OP_NEW_ARRAY)
        allocate(r, i, DH_KIND_ARRAY, value);
    else if (i->op == IR_OP_ASSERT && !value)
        stop(r, DH_FAILED, "the assertion fails", i->position);
    else
        give(r, i->target, value);
}

static void run_terminator(struct run *r, struct ir_terminator const *end) {
    struct dh_evaluation e = evaluation(r);
    int64_t value = end->kind == IR_JUMP ? 0 : dh_evaluate(&e, end->value);
    if (e.error) return stop(r, DH_ERROR, e.error, end->position);
    if (end->kind == IR_RETURN) return leave(r, value);
    thread_of(r)->block = end->to[end->kind == IR_BRANCH && !value];
    thread_of(r)->index = 0;
}

static bool is_local(enum ir_opcode op) {
    switch (op) {
    case IR_OP_ASSIGN:
    case IR_OP_RENAME:
    case IR_OP_NEW:
    case IR_OP_NEW_ARRAY:
    case IR_OP_CALL:
    case IR_OP_CHECK:
    case IR_OP_ASSERT:
    case IR_OP_END_ATOMIC: return true;
    default: return false;
    }
}

static bool count_step(struct run *r) {
    struct dh_model_thread *thread = thread_of(r);
    if (thread->steps == r->m->limits.steps) {
        stop(r, DH_OUT_OF_STEPS, "out of steps", (struct ir_position){0});
        return false;
    }
    thread->steps++;
    return true;
}

/* Up to the next visible instruction, or the end of the atomic block. */
static void run_local(struct run *r) {
    struct dh_model_thread *thread = thread_of(r);
    while (thread->status == DH_RUNS) {
        struct ir_block const *block = block_of(r);
        if (thread->index == block->count) {
            if (count_step(r)) run_terminator(r, &block->end);
            continue;
        }
        struct ir_instruction const *i = &block->instructions[thread->index];
        if (!is_local(i->op) || !count_step(r)) return;
        thread->index++;
        run_instruction(r, i);
        if (i->op == IR_OP_END_ATOMIC) return;
    }
}

/* ---- Visible instructions ---- */

static void read_modify_write(struct run *r, struct ir_instruction const *i, struct dh_spot spot,
                              int64_t value) {
    struct dh_evaluation e = evaluation(r);
    if (!spot.atomic)
        return stop(r, DH_ERROR, "an atomic operation on what is not atomic", i->position);
    int64_t old = *spot.word, result = old;
    bool write = true;
    if (i->op == IR_OP_COMPARE) {
        int64_t expected = dh_evaluate(&e, i->expected);
        if (e.error) return stop(r, DH_ERROR, e.error, i->position);
        write = result = old == expected;
    }
    if (i->op == IR_OP_FETCH_ADD) value = (int64_t)((uint64_t)old + (uint64_t)value);
    if (write) *spot.word = value;
    touch(r, write ? DH_TOUCH_WRITE : DH_TOUCH_READ, spot.address);
    access_event(r, DH_OP_RMW, write ? DH_OP_RMW : DH_OP_COMPARE, spot, i);
    give(r, i->target, result);
}

static void access_memory(struct run *r, struct ir_instruction const *i) {
    struct dh_evaluation e = evaluation(r);
    struct dh_spot spot = dh_evaluate_place(&e, i->place);
    int64_t value = i->op == IR_OP_READ || i->op == IR_OP_AWAIT ? 0 : dh_evaluate(&e, i->value);
    if (e.error) return stop(r, DH_ERROR, e.error, i->position);
    if (i->op == IR_OP_READ || i->op == IR_OP_AWAIT) {
        touch(r, DH_TOUCH_READ, spot.address);
        access_event(r, DH_OP_READ, DH_OP_LOAD, spot, i);
        give(r, i->target, *spot.word);
    } else if (i->op == IR_OP_WRITE) {
        touch(r, DH_TOUCH_WRITE, spot.address);
        access_event(r, DH_OP_WRITE, DH_OP_STORE, spot, i);
        *spot.word = value;
    } else {
        read_modify_write(r, i, spot, value);
    }
}

static void lock(struct run *r, struct ir_instruction const *i) {
    struct dh_evaluation e = evaluation(r);
    struct dh_block_view block = dh_evaluate_block(&e, dh_evaluate(&e, i->value));
    if (e.error) return stop(r, DH_ERROR, e.error, i->position);
    bool take = i->op == IR_OP_ACQUIRE;
    if (!take && block.header[DH_HEADER_OWNER] != r->t + 1)
        return stop(r, DH_ERROR, "this thread does not hold the lock", i->position);
    block.header[DH_HEADER_OWNER] = take ? r->t + 1 : 0;
    touch(r, take ? DH_TOUCH_ACQUIRE : DH_TOUCH_RELEASE, block.address);
    event(r, (struct dh_trace_event){.op = take ? DH_OP_ACQUIRE : DH_OP_RELEASE,
                                     .address = block.address,
                                     .site = i->position.line});
}

static void start(struct run *r, uint32_t child, uint32_t function, uint32_t site) {
    struct dh_model_thread *thread = &r->s->threads[child];
    *thread = (struct dh_model_thread){.status = DH_RUNS, .number = ++r->s->forks};
    event(r, (struct dh_trace_event){.op = DH_OP_FORK, .address = thread->number, .site = site});
    struct run of_child = *r;
    of_child.t = child;
    enter(&of_child, function); /* there is room for any one function */
}

static void spawn(struct run *r, struct ir_instruction const *i) {
    struct dh_evaluation e = evaluation(r);
    uint32_t child = (uint32_t)dh_evaluate(&e, i->value);
    int64_t values[16];
    for (uint32_t a = 0; a < i->argument_count; a++)
        values[a] = dh_evaluate(&e, r->m->program->arguments[i->arguments + a]);
    if (e.error) return stop(r, DH_ERROR, e.error, i->position);
    touch(r, DH_TOUCH_START, child);
    if (r->s->threads[child].status != DH_WAITS_FOR_SPAWN)
        return stop(r, DH_ERROR, "this thread was spawned before", i->position);
    start(r, child, i->callee, i->position.line);
    memcpy(dh_machine_locals(r->m, r->s, child), values, i->argument_count * sizeof *values);
    struct run of_child = *r;
    of_child.t = child;
    run_local(&of_child);
}

static void wait_for(struct run *r, struct ir_instruction const *i) {
    struct dh_evaluation e = evaluation(r);
    uint32_t other = (uint32_t)dh_evaluate(&e, i->value);
    if (e.error) return stop(r, DH_ERROR, e.error, i->position);
    touch(r, DH_TOUCH_WAIT, other);
    event(r, (struct dh_trace_event){.op = DH_OP_JOIN,
                                     .address = r->s->threads[other].number,
                                     .site = i->position.line});
}

static void atomic_block(struct run *r);

static void run_visible(struct run *r, bool in_atomic) {
    struct dh_model_thread *thread = thread_of(r);
    struct ir_instruction const *i = &block_of(r)->instructions[thread->index];
    if (!count_step(r)) return;
    thread->index++;
    switch (i->op) {
    case IR_OP_READ:
    case IR_OP_WRITE:
    case IR_OP_EXCHANGE:
    case IR_OP_FETCH_ADD:
    case IR_OP_COMPARE: return access_memory(r, i);
    default: break;
    }
    if (in_atomic) return stop(r, DH_ERROR, "an atomic block does not synchronise", i->position);
    switch (i->op) {
    case IR_OP_AWAIT: return access_memory(r, i);
    case IR_OP_ACQUIRE:
    case IR_OP_RELEASE: return lock(r, i);
    case IR_OP_SPAWN: return spawn(r, i);
    case IR_OP_WAIT: return wait_for(r, i);
    default: return atomic_block(r);
    }
}

/* Whatever it does, up to its end, in one step. Calls return in between; the block does not. */
static void atomic_block(struct run *r) {
    struct dh_model_thread *thread = thread_of(r);
    for (;;) {
        uint32_t steps = thread->steps;
        run_local(r);
        if (thread->status != DH_RUNS) return;
        struct ir_block const *block = block_of(r);
        bool ended = thread->steps > steps && thread->index > 0
                     && block->instructions[thread->index - 1].op == IR_OP_END_ATOMIC;
        if (ended) return;
        run_visible(r, true);
    }
}

/* ---- Steps ---- */

static struct ir_instruction const *next_instruction(struct run *r) {
    return &block_of(r)->instructions[thread_of(r)->index];
}

bool dh_machine_enabled(struct dh_machine const *m, struct dh_state *state, uint32_t thread) {
    struct run r = {.m = m, .s = state, .t = thread};
    if (state->threads[thread].status != DH_RUNS) return false;
    struct ir_instruction const *i = next_instruction(&r);
    struct dh_evaluation e = evaluation(&r);
    if (i->op == IR_OP_ACQUIRE) {
        struct dh_block_view block = dh_evaluate_block(&e, dh_evaluate(&e, i->value));
        return e.error || block.header[DH_HEADER_OWNER] == 0;
    }
    if (i->op == IR_OP_WAIT) {
        int64_t other = dh_evaluate(&e, i->value);
        return e.error || state->threads[other].status == DH_ENDED;
    }
    if (i->op == IR_OP_AWAIT) {
        struct dh_spot spot = dh_evaluate_place(&e, i->place);
        if (e.error) return true;
        int64_t *target = local(&r, i->target), before = *target;
        *target = *spot.word;
        bool holds = dh_evaluate(&e, i->value) != 0;
        *target = before;
        return e.error || holds;
    }
    return true;
}

void dh_machine_step(struct dh_machine const *m, struct dh_state *state, uint32_t thread,
                     struct dh_step *step) {
    struct run r = {.m = m, .s = state, .t = thread, .step = step};
    step->footprint.count = 0;
    run_visible(&r, false);
    run_local(&r);
}

void dh_machine_next(struct dh_machine const *m, struct dh_state *state, uint32_t thread,
                     struct dh_footprint *footprint) {
    struct dh_step step = {.footprint = {0}};
    struct run r = {.m = m, .s = state, .t = thread, .step = &step, .quiet = true};
    struct ir_instruction const *i = next_instruction(&r);
    struct dh_evaluation e = evaluation(&r);
    uint64_t where;
    switch (i->op) {
    case IR_OP_READ:
    case IR_OP_AWAIT:
    case IR_OP_WRITE:
        where = dh_evaluate_place(&e, i->place).address;
        if (!e.error) touch(&r, i->op == IR_OP_WRITE ? DH_TOUCH_WRITE : DH_TOUCH_READ, where);
        break;
    case IR_OP_ACQUIRE:
        where = dh_evaluate_block(&e, dh_evaluate(&e, i->value)).address;
        if (!e.error) touch(&r, DH_TOUCH_ACQUIRE, where);
        break;
    case IR_OP_SPAWN:
    case IR_OP_WAIT:
        where = (uint64_t)dh_evaluate(&e, i->value);
        if (!e.error) touch(&r, i->op == IR_OP_SPAWN ? DH_TOUCH_START : DH_TOUCH_WAIT, where);
        break;
    default: /* it depends on what is found on the way: try it */
        dh_state_copy(m, m->scratch, state);
        r.s = m->scratch;
        run_visible(&r, false);
    }
    *footprint = step.footprint;
}

void dh_machine_begin(struct dh_machine const *m, struct dh_state *state, struct dh_step *step) {
    struct ir_program const *program = m->program;
    struct run r = {.m = m, .s = state, .t = 0, .step = step};
    step->footprint.count = 0;
    state->threads[0].status = DH_RUNS;
    enter(&r, program->threads[0].function);
    for (uint32_t d = 1; d < program->thread_count; d++)
        for (uint32_t k = 0; k < program->threads[d].count && program->threads[d].at_start; k++)
            start(&r, program->threads[d].first + k, program->threads[d].function, 0);
    for (uint32_t t = 0; t < m->threads; t++) {
        r.t = t;
        run_local(&r);
    }
}
