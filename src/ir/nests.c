/* Runs are carried out of the loops around their own, from the inside to the outside, as far as
 * what they access can be said by one run before the outer loop. Two ways:
 *
 *   the same     in each round of the outer loop the run has the same first address and the same
 *                number of accesses. The first round makes them all; what the others do is covered.
 *   one by one   the run has a number of rounds that the compiler knows, and in the next round of the
 *                outer loop it goes on where this round's would have: a matrix row by row.
 *
 * Loops that are listed (ir/loops.h) have no effects, and each of their rounds gets to its end or
 * to a way out: so what is in every round, and before all ways out, surely happens once the outer
 * loop is entered. An inner loop is often behind
 * a *guard*, which asks whether there is anything to do at all. Where that has the same answer in
 * all rounds of the outer loop it is asked before, and the run is there or empty.
 */
#include "ir/nests.h"
#include "ir/progress.h"

struct climb {
    LLVMTargetDataRef layout;
    struct ir_flow const *flow;
    struct ir_loop const *from; /* the innermost loop that the access is in */
    LLVMValueRef pointer;
};

/* The value does not change from round to round of `outer`. */
static bool is_same(struct climb const *c, struct ir_loop const *outer, LLVMValueRef v) {
    int64_t step;
    return dh_progress_step(outer, c->from, c->layout, v, &step) && step == 0;
}

static bool is_same_condition(struct climb const *c, struct ir_loop const *outer, LLVMValueRef v) {
    if (dh_loop_invariant(outer, v)) return true;
    return LLVMIsAICmpInst(v) && is_same(c, outer, LLVMGetOperand(v, 0))
           && is_same(c, outer, LLVMGetOperand(v, 1));
}

/* The block is in every round of `outer`, or in every round where the guards say so, which are
 * added to those of the run. */
static bool find_guards(struct climb const *c, struct ir_loop const *outer, uint32_t block,
                        struct ir_run *run) {
    struct ir_flow const *f = c->flow;
    while (!dh_loop_always(outer, block)) {
        /* One way leads here, by a branch. */
        uint32_t start = f->pred_starts[block];
        if (f->pred_starts[block + 1] - start != 1 || run->guard_count == IR_GUARDS_MAX)
            return false;
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(f->blocks[f->preds[start]]);
        if (!LLVMIsABranchInst(branch)) return false;
        if (LLVMIsConditional(branch))
            run->guards[run->guard_count++] = (struct ir_guard){
                LLVMGetCondition(branch), LLVMGetSuccessor(branch, 0) == f->blocks[block]};
        block = f->preds[start];
    }
    return true;
}

/* The run is the same in each round of `outer`. */
static bool stays(struct climb const *c, struct ir_loop const *outer, struct ir_run const *run) {
    if (c->flow->ends[outer->header] == IR_ENDLESS || !is_same(c, outer, c->pointer)) return false;
    if (run->stride != 0
        && (!is_same(c, outer, run->loop->count.start)
            || !is_same(c, outer, run->loop->count.bound)))
        return false;
    for (uint32_t i = 0; i < run->guard_count; i++)
        if (!is_same_condition(c, outer, run->guards[i].condition)) return false;
    return true;
}

/* The run goes on in the next round of `outer`; it begins behind the block `before`. An access that
 * is the same in all rounds of `loop` is a run of one. */
static bool goes_on(struct climb const *c, struct ir_loop const *outer, uint32_t before,
                    struct ir_run *run) {
    int64_t step;
    if (run->guard_count != 0 || !dh_flow_dominates(c->flow, before, outer->latch)
        || !dh_progress_step(outer, c->from, c->layout, c->pointer, &step) || step == 0)
        return false;
    if (run->stride == 0) {
        *run = dh_progress_run(outer, c->layout, c->pointer);
        run->leaving = dh_loop_leaving(outer, before);
        return run->loop;
    }
    uint64_t rounds = dh_loop_rounds(run->loop), times = rounds * run->times;
    if (run->loop != run->top || rounds == 0 || rounds > UINT32_MAX || times > UINT32_MAX
        || !outer->counted || (uint64_t)step != (uint64_t)run->stride * times)
        return false;
    run->loop = run->top = outer;
    run->times = times;
    run->leaving = dh_loop_leaving(outer, before);
    return true;
}

struct ir_run dh_nest_run(struct ir_loop const *loop, LLVMTargetDataRef layout,
                          struct ir_access const *a) {
    struct ir_run run = {0};
    if (!loop) return run;
    struct climb c = {layout, &loop->among->flow, loop, a->pointer};
    if (!dh_flow_dominates(c.flow, a->block, loop->latch)) return run;
    run = dh_progress_run(loop, layout, a->pointer);
    run.leaving = dh_loop_leaving(loop, a->block);
    /* While a thread waits for others each look is checked, and what may not happen is not checked
     * before. */
    if (run.stride == 0
        && (c.flow->ends[loop->header] == IR_ENDLESS || !dh_loop_always(loop, a->block)))
        run.loop = NULL;
    for (struct ir_loop const *outer = loop->outer; run.loop && outer; outer = outer->outer) {
        if (run.stride != 0 && !run.loop->counted) break; /* it is checked behind the loop */
        struct ir_run wider = run;
        uint32_t before = dh_flow_number(c.flow, LLVMGetInstructionParent(run.top->before));
        if (!goes_on(&c, outer, before, &wider)) {
            if (!find_guards(&c, outer, before, &wider) || !stays(&c, outer, &wider)) break;
            wider.top = outer;
        }
        run = wider;
    }
    return run;
}
