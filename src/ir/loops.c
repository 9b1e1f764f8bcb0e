/* Finds the loops that end, and of those the counted ones. What addresses do in them is
 * ir/progress.c's.
 *
 * A loop ends if in each round a variable that changes by a constant is compared with something,
 * and sooner or later that must say: leave. Where the variable cannot wrap, it does so whatever it
 * is compared with, at the end of its range if not before.
 */
#include "ir/loops.h"
#include "ir/effects.h"
#include "ir/nests.h"
#include "ir/progress.h"

#include <stdlib.h>
#include <string.h>

static LLVMValueRef terminator(struct ir_flow const *f, uint32_t block) {
    return LLVMGetBasicBlockTerminator(f->blocks[block]);
}

/* The two ways into a header: from before the loop, and from its latch. */
struct entries {
    uint32_t before, latch;
};

static bool find_entries(struct ir_flow const *f, uint32_t header, struct entries *e) {
    uint32_t start = f->pred_starts[header];
    if (f->pred_starts[header + 1] - start != 2) return false;
    uint32_t a = f->preds[start], b = f->preds[start + 1];
    bool a_back = dh_flow_dominates(f, header, a), b_back = dh_flow_dominates(f, header, b);
    if (a_back == b_back) return false;
    *e = a_back ? (struct entries){b, a} : (struct entries){a, b};
    return LLVMGetNumSuccessors(terminator(f, e->before)) == 1;
}

/* Blocks of the loop, found backwards from the latch. seen[b] becomes `mark` for them. */
static uint32_t find_members(struct ir_flow const *f, uint32_t header, uint32_t latch,
                             uint32_t *seen, uint32_t mark, uint32_t *members) {
    uint32_t count = 0;
    seen[header] = mark;
    members[count++] = header;
    if (latch != header) {
        seen[latch] = mark;
        members[count++] = latch;
    }
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t p = f->pred_starts[members[i]]; p < f->pred_starts[members[i] + 1]; p++) {
            uint32_t pred = f->preds[p];
            if (seen[pred] == mark) continue;
            seen[pred] = mark;
            members[count++] = pred;
        }
    return count;
}

/* What the search for loops needs beside its result. */
struct search {
    uint32_t *seen,
        *members;     /* as many as blocks; seen[b] is the header of the loop last looked at */
    uint32_t count;   /* of members */
    uint32_t *inmost; /* by block: the header of the innermost loop; 0: in none so far */
    LLVMTargetDataRef layout;
};

static bool is_inside(struct search const *s, struct ir_loop const *loop, uint32_t block) {
    return s->seen[block] == loop->header;
}

static bool is_fixed(struct search const *s, struct ir_loop const *loop, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v)) return true;
    uint32_t block = dh_flow_number(&loop->among->flow, LLVMGetInstructionParent(v));
    return block != IR_UNREACHED && !is_inside(s, loop, block);
}

/* A way out, of the loop's own: a loop within is not left by it, too. */
static bool add_exit(struct search const *s, struct ir_loops *loops, struct ir_loop *loop,
                     uint32_t from, uint32_t to) {
    struct ir_flow const *f = &loops->flow;
    LLVMValueRef end = terminator(f, from), after = LLVMGetFirstInstruction(f->blocks[to]);
    if (s->inmost[from] != loop->header || loop->exit_count == IR_EXITS_MAX) return false;
    if (!LLVMIsABranchInst(end) && !LLVMIsASwitchInst(end)) return false;
    while (LLVMIsAPHINode(after))
        after = LLVMGetNextInstruction(after);
    loops->exits[loops->exit_count + loop->exit_count++] = (struct ir_exit){from, to, after};
    return true;
}

/* Edges inside go forward, but for the latch's to the header and those of loops within that end.
 * Others lead outside. */
static bool is_simple(struct search const *s, struct ir_loops *loops, uint32_t block,
                      struct ir_loop *loop) {
    struct ir_flow const *f = &loops->flow;
    LLVMValueRef end = terminator(f, block);
    for (unsigned i = 0, n = LLVMGetNumSuccessors(end); i < n; i++) {
        uint32_t to = dh_flow_number(f, LLVMGetSuccessor(end, i));
        if (!is_inside(s, loop, to)) {
            if (!add_exit(s, loops, loop, block, to)) return false;
        } else if (to == loop->header ? block != loop->latch
                                      : to <= block && f->ends[to] != IR_ENDS) {
            return false;
        }
    }
    return true;
}

static bool is_signed(LLVMIntPredicate p) { return p >= LLVMIntSGT; }
static bool is_strict(LLVMIntPredicate p) {
    return p == LLVMIntULT || p == LLVMIntUGT || p == LLVMIntSLT || p == LLVMIntSGT;
}
static bool goes_up(LLVMIntPredicate p) {
    return p == LLVMIntULT || p == LLVMIntULE || p == LLVMIntSLT || p == LLVMIntSLE;
}

static LLVMIntPredicate opposite(LLVMIntPredicate p) {
    static LLVMIntPredicate const table[] = {
        [LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE] = LLVMIntEQ,   [LLVMIntUGT] = LLVMIntULE,
        [LLVMIntUGE] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGE, [LLVMIntULE] = LLVMIntUGT,
        [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSGE] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGE,
        [LLVMIntSLE] = LLVMIntSGT};
    return table[p];
}
static LLVMIntPredicate swapped(LLVMIntPredicate p) {
    static LLVMIntPredicate const table[] = {
        [LLVMIntEQ] = LLVMIntEQ,   [LLVMIntNE] = LLVMIntNE,   [LLVMIntUGT] = LLVMIntULT,
        [LLVMIntUGE] = LLVMIntULE, [LLVMIntULT] = LLVMIntUGT, [LLVMIntULE] = LLVMIntUGE,
        [LLVMIntSGT] = LLVMIntSLT, [LLVMIntSGE] = LLVMIntSLE, [LLVMIntSLT] = LLVMIntSGT,
        [LLVMIntSLE] = LLVMIntSGE};
    return table[p];
}

/* A test that may lead out of the loop: what it says of one of the loop's variables. */
struct test {
    struct ir_variable variable;
    LLVMValueRef tested, bound;
    LLVMIntPredicate goes_on; /* the loop goes on while `tested` `goes_on` bound */
    bool fixed;               /* the bound is */
};

static bool find_test(struct search const *s, struct ir_loop const *loop, uint32_t block,
                      struct test *t) {
    struct ir_flow const *f = &loop->among->flow;
    LLVMValueRef branch = terminator(f, block);
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) return false;
    LLVMValueRef test = LLVMGetCondition(branch);
    if (!LLVMIsAICmpInst(test)) return false;
    bool first_in = is_inside(s, loop, dh_flow_number(f, LLVMGetSuccessor(branch, 0)));
    bool second_in = is_inside(s, loop, dh_flow_number(f, LLVMGetSuccessor(branch, 1)));
    if (first_in == second_in) return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    t->goes_on = first_in ? p : opposite(p);
    t->tested = LLVMGetOperand(test, 0);
    t->bound = LLVMGetOperand(test, 1);
    if (!dh_progress_variable(loop, s->layout, t->tested, &t->variable)) {
        t->tested = LLVMGetOperand(test, 1);
        t->bound = LLVMGetOperand(test, 0);
        t->goes_on = swapped(t->goes_on);
        if (!dh_progress_variable(loop, s->layout, t->tested, &t->variable)) return false;
    }
    t->fixed = is_fixed(s, loop, t->bound);
    return t->variable.step != 0;
}

static bool must_leave(struct test const *t) {
    struct ir_variable const *v = &t->variable;
    LLVMIntPredicate p = t->goes_on;
    bool by_one = v->step == 1 || v->step == -1;
    if (p == LLVMIntNE) return t->fixed && (by_one || v->pointer);
    if (p == LLVMIntEQ || goes_up(p) != (v->step > 0)) return false;
    /* It must not jump over the bound and come round again. By one, it cannot. */
    return (by_one && !v->pointer && is_strict(p))
           || (is_signed(p) ? v->no_signed_wrap : v->no_unsigned_wrap);
}

static enum ir_end find_end(struct search const *s, struct ir_loop const *loop) {
    enum ir_end end = IR_ENDLESS;
    for (uint32_t i = 0; i < s->count && end != IR_ENDS; i++) {
        struct test t;
        if (find_test(s, loop, s->members[i], &t) && must_leave(&t)
            && dh_flow_dominates(&loop->among->flow, s->members[i], loop->latch))
            end = t.fixed ? IR_ENDS : IR_LASTS;
    }
    return end;
}

/* The test at the end of a round says how many rounds there are. */
static bool find_count(struct search const *s, struct ir_loop *loop) {
    struct test t;
    if (loop->exit_count != 1 || loop->exits[0].from != loop->latch) return false;
    if (!find_test(s, loop, loop->latch, &t) || !t.fixed || !must_leave(&t)) return false;
    loop->count = (struct ir_count){t.variable.start, t.bound, t.variable.step, t.goes_on,
                                    t.tested != t.variable.phi};
    return true;
}

/* Nothing else leads to where the loop's ways out do. */
static bool has_own_exits(struct search const *s, struct ir_loop const *loop) {
    struct ir_flow const *f = &loop->among->flow;
    for (uint32_t e = 0; e < loop->exit_count; e++) {
        uint32_t to = loop->exits[e].to;
        for (uint32_t p = f->pred_starts[to]; p < f->pred_starts[to + 1]; p++)
            if (!is_inside(s, loop, f->preds[p])) return false;
    }
    return loop->exit_count != 0;
}

/* It is counted or open. */
static bool is_quiet(struct search const *s, struct ir_loops *loops, struct ir_loop *loop) {
    struct ir_flow const *f = &loops->flow;
    loop->exits = &loops->exits[loops->exit_count];
    for (uint32_t i = 0; i < s->count; i++)
        if (f->effects[s->members[i]] != 0 || !is_simple(s, loops, s->members[i], loop))
            return false;
    loop->counted = find_count(s, loop);
    return loop->counted || has_own_exits(s, loop);
}

/* The loops within were found before: they are in this one, and so are blocks in no other. */
static void take_in(struct ir_loops *loops, struct ir_loop *loop, struct search const *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t *inner = &loops->loop_of[s->members[i]];
        if (*inner == 0) {
            *inner = loops->count + 1;
            continue;
        }
        struct ir_loop *top = &loops->list[*inner - 1];
        while (top->outer && top->outer != loop)
            top = top->outer;
        top->outer = loop;
    }
    loops->exit_count += loop->exit_count;
    loops->count++;
}

static bool is_header(struct ir_flow const *f, uint32_t block) {
    for (uint32_t p = f->pred_starts[block]; p < f->pred_starts[block + 1]; p++)
        if (f->preds[p] >= block) return true;
    return false;
}

static void find_loop(struct ir_loops *loops, uint32_t header, struct search *s) {
    struct ir_flow *f = &loops->flow;
    struct ir_loop *loop = &loops->list[loops->count];
    struct entries e;
    if (!is_header(f, header)) return;
    f->ends[header] = IR_ENDLESS;
    if (!find_entries(f, header, &e)) return;
    *loop = (struct ir_loop){loops, terminator(f, e.before), .header = header, .latch = e.latch};
    s->count = find_members(f, header, e.latch, s->seen, header, s->members);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->inmost[s->members[i]] == 0) s->inmost[s->members[i]] = header;
    f->ends[header] = (uint8_t)find_end(s, loop);
    if (is_quiet(s, loops, loop)) take_in(loops, loop, s);
}

/* Loops within others come first: their headers have larger numbers. */
static void find_loops(struct ir_loops *loops, LLVMTargetDataRef layout) {
    uint32_t blocks = loops->flow.count;
    struct search s = {.layout = layout};
    s.seen = calloc(blocks, sizeof *s.seen);
    s.members = calloc(blocks, sizeof *s.members);
    s.inmost = calloc(blocks, sizeof *s.inmost);
    loops->loop_of = calloc(blocks, sizeof *loops->loop_of);
    loops->list = calloc(blocks, sizeof *loops->list);
    /* An edge is a way out of one loop at most: the innermost that it comes from. */
    loops->exits = calloc((size_t)loops->flow.pred_starts[blocks] + 1, sizeof *loops->exits);
    if (!s.seen || !s.members || !s.inmost || !loops->loop_of || !loops->list || !loops->exits)
        abort();
    for (uint32_t b = blocks; b-- > 1;) /* the entry is no header */
        find_loop(loops, b, &s);
    free(s.seen);
    free(s.members);
    free(s.inmost);
}

static void find_effects(struct ir_flow *f, struct ir_effects const *effects) {
    for (uint32_t b = 0; b < f->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b]); i;
             i = LLVMGetNextInstruction(i))
            f->effects[b] |= (uint8_t)dh_effects_of(effects, i);
}

void dh_loops_open(struct ir_loops *loops, LLVMValueRef function, LLVMTargetDataRef layout,
                   struct ir_effects const *effects) {
    *loops = (struct ir_loops){0};
    dh_flow_open(&loops->flow, function);
    find_effects(&loops->flow, effects);
    find_loops(loops, layout);
}

void dh_loops_close(struct ir_loops *loops) {
    dh_flow_close(&loops->flow);
    free(loops->list);
    free(loops->loop_of);
    free(loops->exits);
    *loops = (struct ir_loops){0};
}

bool dh_loops_all_end(LLVMValueRef function, LLVMTargetDataRef layout) {
    struct ir_loops loops = {0};
    dh_flow_open(&loops.flow, function);
    find_loops(&loops, layout);
    bool all = true;
    for (uint32_t b = 0; b < loops.flow.count; b++)
        all &= loops.flow.ends[b] == IR_ENDS;
    dh_loops_close(&loops);
    return all;
}

struct ir_loop const *dh_loop_of(struct ir_loops const *loops, LLVMValueRef instruction) {
    uint32_t block = dh_flow_number(&loops->flow, LLVMGetInstructionParent(instruction));
    if (block == IR_UNREACHED || loops->loop_of[block] == 0) return NULL;
    return &loops->list[loops->loop_of[block] - 1];
}

bool dh_loop_invariant(struct ir_loop const *loop, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v)) return true;
    struct ir_loop const *in = dh_loop_of(loop->among, v);
    while (in && in != loop)
        in = in->outer;
    return !in;
}

uint32_t dh_loop_leaving(struct ir_loop const *loop, uint32_t block) {
    uint32_t set = 0;
    for (uint32_t e = 0; e < loop->exit_count; e++)
        if (dh_flow_dominates(&loop->among->flow, block, loop->exits[e].from))
            set |= (uint32_t)1 << e;
    return set;
}

bool dh_loop_always(struct ir_loop const *loop, uint32_t block) {
    return dh_flow_dominates(&loop->among->flow, block, loop->latch)
           && dh_loop_leaving(loop, block) == ((uint32_t)1 << loop->exit_count) - 1;
}

LLVMValueRef dh_loop_start(struct ir_loop const *loop, LLVMValueRef phi) {
    if (LLVMGetInstructionParent(phi) != loop->among->flow.blocks[loop->header]) return NULL;
    LLVMBasicBlockRef before = LLVMGetInstructionParent(loop->before);
    for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++)
        if (LLVMGetIncomingBlock(phi, i) == before) return LLVMGetIncomingValue(phi, i);
    return NULL;
}

/* Of numbers that are both zero-extended, or both sign-extended. */
static bool holds(LLVMIntPredicate p, uint64_t a, uint64_t b) {
    int64_t x = (int64_t)a, y = (int64_t)b;
    switch (p) {
    case LLVMIntNE: return a != b;
    case LLVMIntULT: return a < b;
    case LLVMIntULE: return a <= b;
    case LLVMIntUGT: return a > b;
    case LLVMIntUGE: return a >= b;
    case LLVMIntSLT: return x < y;
    case LLVMIntSLE: return x <= y;
    case LLVMIntSGT: return x > y;
    case LLVMIntSGE: return x >= y;
    default: return false;
    }
}

/* As emit/runs.c has it computed, but with numbers. */
uint64_t dh_loop_rounds(struct ir_loop const *loop) {
    struct ir_count const *c = &loop->count;
    if (!loop->counted || !LLVMIsAConstantInt(c->start) || !LLVMIsAConstantInt(c->bound)) return 0;
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(c->start));
    if (width > 64) return 0;
    unsigned unused = 64 - width;
    uint64_t start = LLVMConstIntGetZExtValue(c->start), bound = LLVMConstIntGetZExtValue(c->bound);
    uint64_t tested = (c->after_step ? start + (uint64_t)c->step : start) << unused >> unused;
    if (is_signed(c->goes_on)) {
        tested = (uint64_t)((int64_t)(tested << unused) >> unused);
        bound = (uint64_t)((int64_t)(bound << unused) >> unused);
    }
    if (!holds(c->goes_on, tested, bound)) return 1;
    uint64_t distance = c->step > 0 ? bound - tested : tested - bound;
    uint64_t stride = c->step > 0 ? (uint64_t)c->step : 0 - (uint64_t)c->step;
    distance = distance << unused >> unused;
    if (c->goes_on == LLVMIntNE) return distance / stride + 1;
    return (distance - is_strict(c->goes_on)) / stride + 2;
}

/* What is read from memory in each round of the loop, or computed from that. */
enum { COMPUTED_MAX = 4 }; /* steps that are looked back */
static bool is_from_memory(struct ir_loop const *loop, LLVMValueRef v, unsigned steps) {
    if (dh_loop_invariant(loop, v)) return false;
    if (LLVMIsALoadInst(v)) return true;
    if (steps == 0 || (!LLVMIsACastInst(v) && !LLVMIsABinaryOperator(v))) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        if (is_from_memory(loop, LLVMGetOperand(v, i), steps - 1)) return true;
    return false;
}

static bool is_gather(struct ir_loop const *loop, struct ir_access const *a) {
    if (!loop || a->kind != IR_READ || !LLVMIsAGetElementPtrInst(a->pointer)) return false;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(a->pointer); i++)
        if (is_from_memory(loop, LLVMGetOperand(a->pointer, i), COMPUTED_MAX)) return true;
    return false;
}

void dh_loops_find_runs(struct ir_loops const *loops, LLVMTargetDataRef layout,
                        struct ir_accesses *accesses) {
    if (loops->count == 0) return;
    for (size_t i = 0; i < accesses->count; i++) {
        struct ir_access *a = &accesses->list[i];
        if (a->exempt != IR_CHECKABLE || a->shape != IR_BYTES || a->kind > IR_WRITE) continue;
        struct ir_loop const *loop = dh_loop_of(loops, a->instruction);
        a->run = dh_nest_run(loop, layout, a);
        a->gathers = !a->run.loop && is_gather(loop, a);
    }
}
