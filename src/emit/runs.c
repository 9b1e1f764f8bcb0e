/* Checks of runs: of all that an access does in a counted loop, before the loop, or before one around
 * it in which the run is the same in all rounds; or in an open one, behind it, where it is known how
 * many rounds there were.
 *
 * The address in the first round is what the access's own address is with the loops' variables at
 * their start: the computation is copied to before the loop. How many rounds there are follows from
 * the test at the end of each: see struct ir_count. Both may overflow only where the loop itself
 * would, with the same result. Where guards say that there is no run, both may be nonsense; the
 * number of accesses is then 0.
 */
#include "emit/emitter.h"
#include "ir/llvm.h"
#include "place/place.h"

/* The value in the first round of the loop, and of those within it that it is computed in. */
static LLVMValueRef first_value(struct emitter *e, struct ir_loop const *loop, LLVMValueRef v) {
    if (dh_loop_invariant(loop, v)) return v;
    if (LLVMIsAPHINode(v)) /* a loop variable: nothing else was followed */
        return first_value(e, loop, dh_loop_start(dh_loop_of(loop->among, v), v));
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(v); i < n; i++)
        LLVMSetOperand(copy, i, first_value(e, loop, LLVMGetOperand(v, i)));
    LLVMInsertIntoBuilderWithName(e->builder, copy, "");
    return copy;
}

/* How many rounds follow the first, as a number of 64 bits. */
static LLVMValueRef further_rounds(struct emitter *e, struct ir_run const *run) {
    LLVMBuilderRef b = e->builder;
    struct ir_count const *c = &run->loop->count;
    LLVMValueRef start = first_value(e, run->top, c->start);
    LLVMValueRef bound = first_value(e, run->top, c->bound);
    if (LLVMGetTypeKind(LLVMTypeOf(start)) == LLVMPointerTypeKind) {
        start = LLVMBuildPtrToInt(b, start, e->i64, "");
        bound = LLVMBuildPtrToInt(b, bound, e->i64, "");
    }
    LLVMTypeRef type = LLVMTypeOf(start);
    LLVMValueRef one = LLVMConstInt(type, 1, 0);
    LLVMValueRef step = LLVMConstInt(type, (uint64_t)c->step, 1);
    LLVMValueRef stride = c->step > 0 ? step : LLVMConstNeg(step);
    LLVMValueRef tested = c->after_step ? LLVMBuildAdd(b, start, step, "") : start;
    LLVMValueRef distance =
        c->step > 0 ? LLVMBuildSub(b, bound, tested, "") : LLVMBuildSub(b, tested, bound, "");
    LLVMValueRef rounds;
    switch (c->goes_on) {
    case LLVMIntNE:
        return LLVMBuildIntCast2(b, LLVMBuildUDiv(b, distance, stride, ""), e->i64, 0, "");
    case LLVMIntULE:
    case LLVMIntUGE:
    case LLVMIntSLE:
    case LLVMIntSGE: rounds = distance; break;
    default: rounds = LLVMBuildSub(b, distance, one, ""); break;
    }
    rounds = LLVMBuildIntCast2(b, LLVMBuildUDiv(b, rounds, stride, ""), e->i64, 0, "");
    rounds = LLVMBuildAdd(b, rounds, dh_emit_i64(e, 1), "");
    LLVMValueRef goes_on = LLVMBuildICmp(b, c->goes_on, tested, bound, "");
    return LLVMBuildSelect(b, goes_on, rounds, dh_emit_i64(e, 0), "");
}

/* How many rounds there were, behind an open loop: counted on the way. */
static LLVMValueRef count_rounds(struct emitter *e, struct ir_loop const *loop) {
    struct ir_flow const *f = &loop->among->flow;
    LLVMBasicBlockRef from[] = {LLVMGetInstructionParent(loop->before), f->blocks[loop->latch]};
    LLVMPositionBuilderBefore(e->builder, LLVMGetFirstInstruction(f->blocks[loop->header]));
    LLVMValueRef round = LLVMBuildPhi(e->builder, e->i64, "");
    LLVMPositionBuilderBefore(e->builder, LLVMGetBasicBlockTerminator(from[1]));
    LLVMValueRef next = LLVMBuildNUWAdd(e->builder, round, dh_emit_i64(e, 1), "");
    LLVMAddIncoming(round, (LLVMValueRef[]){dh_emit_i64(e, 0), next}, from, 2);
    return next;
}

/* How many accesses there are, before a counted loop, and `more`. */
static LLVMValueRef count_accesses(struct emitter *e, struct ir_run const *run, uint64_t more) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef count = dh_emit_i64(e, 1);
    if (run->stride != 0) {
        count = LLVMBuildAdd(b, further_rounds(e, run), count, "");
        if (run->times != 1) count = LLVMBuildMul(b, count, dh_emit_i64(e, run->times), "");
        count = LLVMBuildAdd(b, count, dh_emit_i64(e, more), "");
    }
    /* The inner guards are asked only where the outer ones let them. */
    for (uint32_t i = 0; i < run->guard_count; i++) {
        LLVMValueRef condition = first_value(e, run->top, run->guards[i].condition);
        LLVMValueRef none = dh_emit_i64(e, 0);
        count = run->guards[i].wanted ? LLVMBuildSelect(b, condition, count, none, "")
                                      : LLVMBuildSelect(b, condition, none, count, "");
    }
    return count;
}

void dh_emit_run(struct emitter *e, struct place_check const *check) {
    struct ir_access const *a = check->access;
    struct ir_run const *run = &a->run;
    dh_emit_before_for(e, run->top->before, a->instruction);
    LLVMValueRef first = first_value(e, run->top, a->pointer);
    if (run->stride == 0 && run->guard_count == 0) {
        dh_emit_audit_check(e, a, first, a->size);
        dh_emit_bytes(e, a, first);
        dh_emit_audit_checked(e);
        return;
    }
    LLVMValueRef count;
    if (run->loop->counted || run->stride == 0) {
        count = count_accesses(e, run, check->more);
    } else {
        count = count_rounds(e, run->loop);
        LLVMPositionBuilderBefore(e->builder, run->loop->after);
        count = LLVMBuildAdd(e->builder, count, dh_emit_i64(e, check->more), "");
    }
    uint64_t stride = run->stride ? (uint64_t)run->stride : a->size;
    LLVMValueRef arguments[] = {first, dh_emit_i64(e, a->size), dh_emit_i64(e, stride), count};
    if (e->audit) dh_emit_call(e, "__dh_audit_check_run", e->none, EFFECTS_NONE, NULL, 0);
    dh_emit_call(e, a->kind == IR_WRITE ? "__dh_check_write_run" : "__dh_check_read_run", e->none,
                 EFFECTS_NONE, arguments, 4);
    dh_emit_audit_checked(e);
}
