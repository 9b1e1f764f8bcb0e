/* Checks of runs: of all that an access does in a counted loop, before the loop; or in an open one,
 * behind it, where it is known how many rounds there were.
 *
 * The address in the first round is what the access's own address is with the loop's variables at
 * their start: the computation is copied to before the loop. How many rounds there are follows from
 * the test at the end of each: see struct ir_count. Both may overflow only where the loop itself
 * would, with the same result. An open loop has a counter of its own, and which way out was taken
 * says whether the access was in the last round, too.
 */
#include "emit/emitter.h"
#include "ir/llvm.h"
#include "place/place.h"

/* The value in the first round. */
static LLVMValueRef first_value(struct emitter *e, struct ir_loop const *loop, LLVMValueRef v) {
    if (dh_loop_invariant(loop, v)) return v;
    if (LLVMIsAPHINode(v)) { /* a loop variable: nothing else was followed */
        unsigned i = 0;
        while (LLVMGetIncomingBlock(v, i) != LLVMGetInstructionParent(loop->before))
            i++;
        return LLVMGetIncomingValue(v, i);
    }
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(v); i < n; i++)
        LLVMSetOperand(copy, i, first_value(e, loop, LLVMGetOperand(v, i)));
    LLVMInsertIntoBuilderWithName(e->builder, copy, "");
    return copy;
}

/* How many rounds follow the first, as a number of 64 bits. */
static LLVMValueRef further_rounds(struct emitter *e, struct ir_count const *c) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef start = c->start, bound = c->bound;
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

/* The number of the round, from 0, in an open loop: counted on the way, for all runs of the loop. */
static LLVMValueRef round_of(struct emitter *e, struct ir_loop const *loop) {
    struct ir_flow const *f = &loop->among->flow;
    LLVMBasicBlockRef from[] = {LLVMGetInstructionParent(loop->before), f->blocks[loop->latch]};
    if (e->loop == loop) return e->round;
    LLVMPositionBuilderBefore(e->builder, LLVMGetFirstInstruction(f->blocks[loop->header]));
    LLVMValueRef round = LLVMBuildPhi(e->builder, e->i64, "");
    LLVMPositionBuilderBefore(e->builder, LLVMGetBasicBlockTerminator(from[1]));
    LLVMValueRef next = LLVMBuildNUWAdd(e->builder, round, dh_emit_i64(e, 1), "");
    LLVMAddIncoming(round, (LLVMValueRef[]){dh_emit_i64(e, 0), next}, from, 2);
    e->loop = loop;
    e->round = round;
    return round;
}

/* The access, and what shares its check, happened in the round that led here. */
static bool is_leaving(struct ir_access const *a, uint32_t exit) {
    return a->run.leaving >> exit & 1;
}

/* Whether that was so, as 1 or 0, in a block to which the loop's exits lead; both of them if it
 * depends on the exit. */
static LLVMValueRef last_round(struct emitter *e, struct ir_access const *a, uint32_t block,
                               bool *always) {
    struct ir_loop const *loop = a->run.loop;
    struct ir_flow const *f = &loop->among->flow;
    bool ever = false;
    *always = true;
    for (uint32_t i = 0; i < loop->exit_count; i++) {
        if (loop->exits[i].to != block) continue;
        ever |= is_leaving(a, i);
        *always &= is_leaving(a, i);
    }
    if (ever == *always) return dh_emit_i64(e, ever);
    LLVMPositionBuilderBefore(e->builder, LLVMGetFirstInstruction(f->blocks[block]));
    LLVMValueRef phi = LLVMBuildPhi(e->builder, e->i64, "");
    for (uint32_t i = 0; i < loop->exit_count; i++) {
        LLVMValueRef value = dh_emit_i64(e, is_leaving(a, i));
        LLVMBasicBlockRef from = f->blocks[loop->exits[i].from];
        if (loop->exits[i].to == block) LLVMAddIncoming(phi, &value, &from, 1);
    }
    return phi;
}

/* How many rounds a run has that begins with this access, behind an exit. None if the access was in
 * none: then neither was what shares its check. */
static LLVMValueRef past_rounds(struct emitter *e, struct place_check const *check,
                                struct ir_exit const *exit) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef round = round_of(e, check->access->run.loop);
    bool always;
    LLVMValueRef last = last_round(e, check->access, exit->to, &always);
    dh_emit_before_for(e, exit->after, check->access->instruction);
    LLVMValueRef rounds = LLVMBuildNUWAdd(b, round, last, "");
    LLVMValueRef more = dh_emit_i64(e, check->more), none = dh_emit_i64(e, 0);
    if (!always && check->more != 0) {
        LLVMValueRef empty = LLVMBuildICmp(b, LLVMIntEQ, rounds, none, "");
        more = LLVMBuildSelect(b, empty, none, more, "");
    }
    return LLVMBuildAdd(b, rounds, more, "");
}

/* Where the builder is. */
static void check_run(struct emitter *e, struct ir_access const *a, LLVMValueRef first,
                      LLVMValueRef rounds) {
    LLVMValueRef arguments[] = {first, dh_emit_i64(e, a->size),
                                dh_emit_i64(e, (uint64_t)a->run.stride), rounds};
    if (e->audit) dh_emit_call(e, "__dh_audit_check_run", e->none, EFFECTS_NONE, NULL, 0);
    dh_emit_call(e, a->kind == IR_WRITE ? "__dh_check_write_run" : "__dh_check_read_run", e->none,
                 EFFECTS_NONE, arguments, 4);
    dh_emit_audit_checked(e);
}

/* The exit is the first of those that lead to where it does: one check there is for all. */
static bool is_first_to(struct ir_loop const *loop, uint32_t exit) {
    uint32_t i = 0;
    while (loop->exits[i].to != loop->exits[exit].to)
        i++;
    return i == exit;
}

void dh_emit_run(struct emitter *e, struct place_check const *check) {
    struct ir_access const *a = check->access;
    struct ir_loop const *loop = a->run.loop;
    dh_emit_before_for(e, loop->before, a->instruction);
    LLVMValueRef first = first_value(e, loop, a->pointer);
    if (a->run.stride == 0) {
        dh_emit_audit_check(e, a, first, a->size);
        dh_emit_bytes(e, a, first);
        dh_emit_audit_checked(e);
        return;
    }
    if (loop->counted) {
        LLVMValueRef further = further_rounds(e, &loop->count);
        check_run(e, a, first,
                  LLVMBuildAdd(e->builder, further, dh_emit_i64(e, 1 + check->more), ""));
        return;
    }
    for (uint32_t i = 0; i < loop->exit_count; i++)
        if (is_first_to(loop, i)) check_run(e, a, first, past_rounds(e, check, &loop->exits[i]));
}
