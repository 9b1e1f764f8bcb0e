/* Checks of runs: of all that an access does in a counted loop, before the loop, or before one
 * around it in which the run is the same in all rounds; or in an open one, behind it, where it is
 * known how many rounds there were.
 *
 * The address in the first round is what the access's own address is with the loops' variables at
 * their start: the computation is copied to before the loop. How many rounds there are follows from
 * the test at the end of each: see struct ir_count. Both may overflow only where the loop itself
 * would, with the same result. An open loop has a counter of its own, and which way out was taken
 * says whether the access was in the last round, too. Where guards say that there is no run, both
 * may be nonsense; the number of accesses is then 0.
 *
 * Runs side by side are checked together. Each of them has a call of its own behind that, with its
 * own place in the source, for what is left to do; mostly nothing is, and the call is jumped over.
 */
#include "emit/emitter.h"
#include "ir/llvm.h"
#include "place/place.h"

#include <stdio.h>
#include <stdlib.h>

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

LLVMValueRef dh_emit_first(struct emitter *e, struct ir_access const *a) {
    return first_value(e, a->run.top, a->pointer);
}

/* Counted on the way, for all runs of the loop. */
struct emit_round dh_emit_round(struct emitter *e, struct ir_loop const *loop) {
    struct ir_flow const *f = &loop->among->flow;
    LLVMBasicBlockRef from[] = {LLVMGetInstructionParent(loop->before), f->blocks[loop->latch]};
    for (uint32_t i = 0; i < e->round_count; i++)
        if (e->rounds[i].loop == loop) return e->rounds[i];
    LLVMValueRef first = LLVMGetFirstInstruction(f->blocks[loop->header]), after = first;
    while (LLVMIsAPHINode(after))
        after = LLVMGetNextInstruction(after);
    LLVMPositionBuilderBefore(e->builder, first);
    LLVMValueRef round = LLVMBuildPhi(e->builder, e->i64, "");
    LLVMPositionBuilderBeforeInstrAndDbgRecords(e->builder, after);
    LLVMValueRef next = LLVMBuildNUWAdd(e->builder, round, dh_emit_i64(e, 1), "");
    LLVMAddIncoming(round, (LLVMValueRef[]){dh_emit_i64(e, 0), next}, from, 2);
    e->rounds = realloc(e->rounds, (e->round_count + 1) * sizeof *e->rounds);
    if (!e->rounds) abort();
    return e->rounds[e->round_count++] = (struct emit_round){loop, round, next};
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
    LLVMPositionBuilderBeforeInstrAndDbgRecords(e->builder,
                                                LLVMGetFirstInstruction(f->blocks[block]));
    LLVMValueRef phi = LLVMBuildPhi(e->builder, e->i64, "");
    for (uint32_t i = 0; i < loop->exit_count; i++) {
        LLVMValueRef value = dh_emit_i64(e, is_leaving(a, i));
        LLVMBasicBlockRef from = f->blocks[loop->exits[i].from];
        if (loop->exits[i].to == block) LLVMAddIncoming(phi, &value, &from, 1);
    }
    return phi;
}

bool dh_emit_first_to(struct ir_loop const *loop, uint32_t exit) {
    uint32_t i = 0;
    while (loop->exits[i].to != loop->exits[exit].to)
        i++;
    return i == exit;
}

/* A run being emitted: its first address and number of rounds, inner ones included. */
struct emission {
    struct ir_run const *run;
    LLVMValueRef at;    /* where the check is: before this */
    LLVMValueRef first; /* address of the leader */
    LLVMValueRef rounds;
    LLVMValueRef there; /* null: it is for certain */
};

/* The inner guards are asked only where the outer ones let them. */
static LLVMValueRef guards_say(struct emitter *e, struct ir_run const *run) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef there = NULL;
    for (uint32_t i = 0; i < run->guard_count; i++) {
        LLVMValueRef say = first_value(e, run->top, run->guards[i].condition);
        if (!run->guards[i].wanted) say = LLVMBuildNot(b, say, "");
        there = there ? LLVMBuildSelect(b, say, there, LLVMConstNull(LLVMTypeOf(say)), "") : say;
    }
    return there;
}

static struct emission begin(struct emitter *e, struct ir_access const *a) {
    struct ir_run const *run = &a->run;
    struct emission r = {.run = run, .at = run->top->before, .rounds = dh_emit_i64(e, 1)};
    dh_emit_before_for(e, r.at, a->instruction);
    r.first = dh_emit_first(e, a);
    r.there = guards_say(e, run);
    if (run->stride == 0) return r;
    if (!run->loop->counted) return r; /* that is said behind it */
    r.rounds = LLVMBuildAdd(e->builder, further_rounds(e, run), r.rounds, "");
    if (run->times != 1)
        r.rounds = LLVMBuildMul(e->builder, r.rounds, dh_emit_i64(e, run->times), "");
    return r;
}

/* The run of an open loop, where one of its exits leads. */
static struct emission leave(struct emitter *e, struct ir_access const *a, struct emission r,
                             struct ir_exit const *exit) {
    bool always;
    struct emit_round round = dh_emit_round(e, r.run->loop);
    LLVMValueRef last = last_round(e, a, exit->to, &always);
    r.at = exit->after;
    dh_emit_before_for(e, r.at, a->instruction);
    r.rounds = always ? round.next : LLVMBuildNUWAdd(e->builder, round.round, last, "");
    if (!always) r.there = LLVMBuildICmp(e->builder, LLVMIntNE, r.rounds, dh_emit_i64(e, 0), "");
    return r;
}

/* Only the last rounds of the run, or the first, as far as there are so many. */
static struct emission some_rounds(struct emitter *e, struct emission r, int64_t only) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef most = dh_emit_i64(e, only < 0 ? 0 - (uint64_t)only : (uint64_t)only);
    LLVMValueRef fewer = LLVMBuildICmp(b, LLVMIntULT, r.rounds, most, "");
    LLVMValueRef rounds = LLVMBuildSelect(b, fewer, r.rounds, most, "");
    if (only > 0) {
        LLVMValueRef others = LLVMBuildSub(b, r.rounds, rounds, "");
        LLVMValueRef stride = dh_emit_i64(e, (uint64_t)r.run->stride);
        r.first = dh_emit_offset(e, r.first, LLVMBuildMul(b, others, stride, ""));
    }
    r.rounds = rounds;
    return r;
}

/* A call for the run, at `offset` bytes from the leader, of so many bytes each; `left` null:
 * none. */
static LLVMValueRef call(struct emitter *e, struct emission const *r, char const *name,
                         LLVMTypeRef result, int64_t offset, uint64_t size, uint64_t more,
                         LLVMValueRef left) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef first = r->first, count = r->rounds;
    if (offset != 0) first = dh_emit_offset(e, first, dh_emit_i64(e, (uint64_t)offset));
    if (more != 0) count = LLVMBuildAdd(b, count, dh_emit_i64(e, more), "");
    if (r->there) count = LLVMBuildSelect(b, r->there, count, dh_emit_i64(e, 0), "");
    uint64_t stride = r->run->stride ? (uint64_t)r->run->stride : size;
    LLVMValueRef arguments[] = {first, dh_emit_i64(e, size), dh_emit_i64(e, stride), count, left};
    return dh_emit_call(e, name, result, EFFECTS_NONE, arguments, left ? 5 : 4);
}

/* Strands side by side: all together, and then what is left for each. */
static void emit_sheaf(struct emitter *e, struct emission const *r,
                       struct place_sheaf const *sheaf) {
    struct ir_access const *leader = sheaf->strands[0].access;
    bool write = leader->kind == IR_WRITE;
    LLVMValueRef left = call(e, r, write ? "__dh_check_write_runs" : "__dh_check_read_runs", e->i32,
                             sheaf->from - leader->run.offset, (uint64_t)(sheaf->to - sheaf->from),
                             sheaf->more, NULL);
    for (uint32_t i = 0; i < sheaf->count; i++) {
        struct ir_access const *a = sheaf->strands[i].access;
        dh_emit_before_for(e, r->at, a->instruction);
        call(e, r, write ? "__dh_missed_write_run" : "__dh_missed_read_run", e->none,
             a->run.offset - leader->run.offset, a->size, sheaf->strands[i].more, left);
    }
}

/* One access, for certain: the inlined test will do. */
static void emit_single(struct emitter *e, struct ir_access const *a, LLVMValueRef address) {
    dh_emit_audit_check(e, a, address, a->size);
    dh_emit_bytes(e, a, address);
    dh_emit_audit_checked(e);
}

/* A run alone. Behind a loop it may be a short one, for which there is an inlined test. On a tape
 * of checks the runtime says what it looked at, so it is asked. */
static void emit_strand(struct emitter *e, struct emission const *r,
                        struct place_strand const *strand) {
    struct ir_access const *a = strand->access;
    char const *kind = a->kind == IR_WRITE ? "write" : "read";
    bool behind = a->run.stride != 0 && !a->run.loop->counted;
    bool fits = a->size <= 8 && (a->size & (a->size - 1)) == 0 && a->align >= a->size;
    char name[48];
    if (behind && fits && !e->audit)
        snprintf(name, sizeof name, "__dh_check_%s_few%u", kind, (unsigned)a->size);
    else
        snprintf(name, sizeof name, "__dh_check_%s_run", kind);
    call(e, r, name, e->none, 0, a->size, strand->more, NULL);
}

static void emit_there(struct emitter *e, struct place_check const *check, struct emission r) {
    struct ir_access const *a = check->access;
    struct place_sheaf const *sheaf = check->sheaf;
    int64_t only = sheaf->strands[0].only;
    dh_emit_before_for(e, r.at, a->instruction);
    if (only != 0) r = some_rounds(e, r, only);
    if ((a->run.stride == 0 || only == 1 || only == -1) && !r.there) {
        emit_single(e, a, r.first);
        return;
    }
    if (e->audit) dh_emit_call(e, "__dh_audit_check_run", e->none, EFFECTS_NONE, NULL, 0);
    if (sheaf->count > 1)
        emit_sheaf(e, &r, sheaf);
    else
        emit_strand(e, &r, &sheaf->strands[0]);
    dh_emit_audit_checked(e);
}

void dh_emit_run(struct emitter *e, struct place_check const *check) {
    struct ir_access const *a = check->access;
    struct ir_loop const *loop = a->run.loop;
    struct emission r = begin(e, a);
    if (a->run.stride == 0 || loop->counted) {
        emit_there(e, check, r);
        return;
    }
    for (uint32_t i = 0; i < loop->exit_count; i++)
        if (dh_emit_first_to(loop, i)) emit_there(e, check, leave(e, a, r, &loop->exits[i]));
}
