/* Finds counted loops. What addresses do in them is ir/progress.c's. */
#include "ir/loops.h"
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

/* Edges inside go forward, but for the latch's to the header; only the latch leads outside. */
static bool is_simple(struct ir_flow const *f, uint32_t block, struct ir_loop const *loop,
                      uint32_t const *seen, uint32_t mark) {
    LLVMValueRef end = terminator(f, block);
    for (unsigned i = 0, n = LLVMGetNumSuccessors(end); i < n; i++) {
        uint32_t to = dh_flow_number(f, LLVMGetSuccessor(end, i));
        bool inside = seen[to] == mark;
        if (inside && to > block) continue;
        if (block != loop->latch || (inside && to != loop->header)) return false;
    }
    return true;
}

/* memory(none): it computes something from its arguments. */
static bool only_computes(LLVMValueRef callee) {
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(callee, (unsigned)LLVMAttributeFunctionIndex, kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static bool is_quiet_call(LLVMValueRef call) {
    static char const *const copies[] = {"llvm.memcpy.", "llvm.memmove.", "llvm.memset.",
                                         "llvm.dbg.", "llvm.assume"};
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) == 0) return false;
    size_t length;
    char const *name = LLVMGetValueName2(callee, &length);
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        if (strncmp(name, copies[i], strlen(copies[i])) == 0) return true;
    return only_computes(callee);
}

bool dh_ir_quiet(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall: return is_quiet_call(i);
    case LLVMLoad:
    case LLVMStore: return LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMVAArg: return false;
    default: return true;
    }
}

static bool is_quiet_block(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!dh_ir_quiet(i)) return false;
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

/* The test at the end of a round, if it says how many rounds there are. */
static bool find_count(struct ir_loop *loop, LLVMTargetDataRef layout) {
    struct ir_flow const *f = &loop->among->flow;
    LLVMValueRef branch = terminator(f, loop->latch);
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) return false;
    LLVMValueRef test = LLVMGetCondition(branch);
    if (!LLVMIsAICmpInst(test)) return false;
    LLVMValueRef tested = LLVMGetOperand(test, 0), bound = LLVMGetOperand(test, 1);
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    if (dh_loop_invariant(loop, tested)) {
        LLVMValueRef other = tested;
        tested = bound;
        bound = other;
        p = swapped(p);
    }
    if (!dh_loop_invariant(loop, bound)) return false;
    if (LLVMGetSuccessor(branch, 0) != f->blocks[loop->header]) p = opposite(p);

    struct ir_variable v;
    if (!dh_progress_variable(loop, layout, tested, &v) || v.step == 0) return false;
    loop->count = (struct ir_count){v.start, bound, v.step, p, tested != v.phi};
    bool by_one = v.step == 1 || v.step == -1;
    if (p == LLVMIntNE) return by_one || v.pointer;
    if (p == LLVMIntEQ || v.pointer || goes_up(p) != (v.step > 0)) return false;
    /* It must not jump over the bound and come round again. By one, it cannot. */
    return (by_one && is_strict(p)) || (is_signed(p) ? v.no_signed_wrap : v.no_unsigned_wrap);
}

/* What the search for loops needs beside its result. */
struct search {
    uint32_t *seen, *members; /* as many as blocks */
    LLVMTargetDataRef layout;
};

static void find_loop(struct ir_loops *loops, uint32_t header, struct search const *s) {
    struct ir_flow const *f = &loops->flow;
    struct ir_loop *loop = &loops->list[loops->count];
    struct entries e;
    if (!find_entries(f, header, &e)) return;
    *loop = (struct ir_loop){loops, terminator(f, e.before), .header = header, .latch = e.latch};
    uint32_t count = find_members(f, header, e.latch, s->seen, header, s->members);
    for (uint32_t i = 0; i < count; i++)
        if (!is_simple(f, s->members[i], loop, s->seen, header)
            || !is_quiet_block(f->blocks[s->members[i]]))
            return;
    for (uint32_t i = 0; i < count; i++)
        loops->loop_of[s->members[i]] = loops->count + 1;
    if (find_count(loop, s->layout)) {
        loops->count++;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        loops->loop_of[s->members[i]] = 0;
}

void dh_loops_open(struct ir_loops *loops, LLVMValueRef function, LLVMTargetDataRef layout) {
    *loops = (struct ir_loops){0};
    dh_flow_open(&loops->flow, function);
    uint32_t blocks = loops->flow.count;
    struct search s = {calloc(blocks, sizeof *s.seen), calloc(blocks, sizeof *s.members), layout};
    loops->loop_of = calloc(blocks, sizeof *loops->loop_of);
    loops->list = calloc(blocks, sizeof *loops->list);
    if (!s.seen || !s.members || !loops->loop_of || !loops->list) abort();
    for (uint32_t b = 1; b < blocks; b++) /* the entry is no header */
        find_loop(loops, b, &s);
    free(s.seen);
    free(s.members);
}

void dh_loops_close(struct ir_loops *loops) {
    dh_flow_close(&loops->flow);
    free(loops->list);
    free(loops->loop_of);
    *loops = (struct ir_loops){0};
}

struct ir_loop const *dh_loop_of(struct ir_loops const *loops, LLVMValueRef instruction) {
    uint32_t block = dh_flow_number(&loops->flow, LLVMGetInstructionParent(instruction));
    if (block == IR_UNREACHED || loops->loop_of[block] == 0) return NULL;
    return &loops->list[loops->loop_of[block] - 1];
}

bool dh_loop_invariant(struct ir_loop const *loop, LLVMValueRef v) {
    return !LLVMIsAInstruction(v) || dh_loop_of(loop->among, v) != loop;
}

void dh_loops_find_runs(struct ir_loops const *loops, LLVMTargetDataRef layout,
                        struct ir_accesses *accesses) {
    if (loops->count == 0) return;
    struct ir_flow const *f = &loops->flow;
    for (size_t i = 0; i < accesses->count; i++) {
        struct ir_access *a = &accesses->list[i];
        if (a->exempt != IR_CHECKABLE || a->shape != IR_BYTES || a->kind > IR_WRITE) continue;
        struct ir_loop const *loop = dh_loop_of(loops, a->instruction);
        if (!loop) continue;
        uint32_t block = dh_flow_number(f, LLVMGetInstructionParent(a->instruction));
        if (dh_flow_dominates(f, block, loop->latch))
            a->run = dh_progress_run(loop, layout, a->pointer);
    }
}
