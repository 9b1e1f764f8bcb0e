/* An access that runs with a counted loop goes through a range if its stride is its size: of all
 * rounds together. From the loop's count (ir/loops.h), with the rounds that the test lets through:
 *
 *   bytes = size * rounds,   rounds >= (bound - start) / step, and one more for each of: the test
 *                            is of the variable before its step; it lets the bound itself through
 *
 * where integers are meant, read with sign or without as the test does. If the bound is on the
 * wrong side there is one round, if the loop is entered. With a test for equality there are as many
 * as it takes to get to the bound, wrapping round if need be, which is that or more.
 */
#include "ir/ranges.h"
#include "ir/flow.h"
#include "ir/forms.h"
#include "ir/loops.h"
#include "ir/objects.h"

static bool lets_bound_through(LLVMIntPredicate p) {
    return p == LLVMIntULE || p == LLVMIntUGE || p == LLVMIntSLE || p == LLVMIntSGE;
}

/* What the form is in the first round. */
static bool in_first_round(LLVMTargetDataRef layout, struct ir_loop const *loop,
                           struct ir_affine *form) {
    struct ir_affine first = {.constant = form->constant};
    for (uint32_t i = 0; i < form->count; i++) {
        struct ir_term const *t = &form->terms[i];
        if (dh_loop_invariant(loop, t->value)) {
            dh_affine_add(&first, t->value, t->sign, t->factor);
            continue;
        }
        LLVMValueRef value = LLVMIsAPHINode(t->value) ? dh_loop_start(loop, t->value) : NULL;
        if (!value) return false;
        struct ir_affine start;
        dh_form_of(layout, value, t->sign, &start);
        dh_affine_add_form(&first, &start, t->factor);
    }
    *form = first;
    return !form->overfull;
}

static bool run_range(LLVMTargetDataRef layout, struct ir_access const *a, struct ir_range *r) {
    struct ir_loop const *loop = a->run.loop;
    struct ir_count const *c = &loop->count;
    int64_t size = (int64_t)a->size;
    if (!loop->counted || a->run.times != 1) return false;
    if (a->run.stride != size && a->run.stride != -size) return false;
    int64_t step = c->step < 0 ? -c->step : c->step;
    unsigned width = dh_form_width(c->start);
    if (width == 0 || step <= 0 || step > size || size % step != 0) return false;
    /* With longer steps the last one may lead past the bound, unless it must be met. */
    if (step != 1 && c->goes_on != LLVMIntNE) return false;
    struct ir_affine part;
    enum ir_sign sign = c->goes_on >= LLVMIntSGT ? IR_SIGNED : IR_UNSIGNED;
    int64_t more = step * (!c->after_step + lets_bound_through(c->goes_on));
    r->count = (struct ir_affine){.constant = (uint64_t)more};
    dh_form_of(layout, c->bound, sign, &part);
    dh_affine_add_exact(&r->count, &part, c->step > 0 ? 1 : -1);
    dh_form_of(layout, c->start, sign, &part);
    dh_affine_add_exact(&r->count, &part, c->step > 0 ? -1 : 1);
    r->unit = (uint64_t)(size / step);
    r->loose = true;
    dh_form_of(layout, a->pointer, IR_WHOLE, &r->from);
    if (!in_first_round(layout, loop, &r->from)) return false;
    if (a->run.stride < 0) { /* the first round is at the end */
        dh_affine_add_form(&r->from, &r->count, 0 - r->unit);
        r->from.constant += (uint64_t)size;
    }
    return !r->count.overfull && !r->from.overfull;
}

static uint32_t later(uint32_t a, uint32_t b) {
    return a == IR_UNREACHED || (b != IR_UNREACHED && b > a) ? b : a;
}

/* The branch past the loop, if the loop would have no rounds there: nothing of it is left to check.
 * All that the count is computed from is known at that branch. */
static void find_skip(struct ir_entail *e, struct ir_loop const *loop, struct ir_swept *s) {
    struct ir_flow const *f = e->flow;
    uint32_t before = dh_flow_number(f, LLVMGetInstructionParent(loop->before));
    uint32_t from = f->dominators[before];
    if (before == 0 || f->pred_starts[before + 1] - f->pred_starts[before] != 1) return;
    if (s->block != IR_UNREACHED && !dh_flow_dominates(f, s->block, from)) return;
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(f->blocks[from]);
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) return;
    bool second = LLVMGetSuccessor(branch, 0) == f->blocks[before];
    uint32_t to = dh_flow_number(f, LLVMGetSuccessor(branch, second));
    if (!dh_entail_on_edge(e, from, to, &s->range.count)) return;
    s->skip_from = from;
    s->skip_to = to;
}

/* The block behind a loop with one way out, if nothing else leads there. */
static uint32_t own_exit(struct ir_flow const *f, struct ir_loop const *loop) {
    uint32_t to = loop->exits[0].to;
    bool alone = loop->exit_count == 1 && f->pred_starts[to + 1] - f->pred_starts[to] == 1;
    return alone ? to : IR_UNREACHED;
}

bool dh_range_of(struct ir_entail *e, struct ir_access const *a, struct ir_swept *s) {
    struct ir_range *r = &s->range;
    s->run = a->shape == IR_BYTES && a->run.loop && a->run.stride != 0;
    s->exit = s->skip_from = s->skip_to = IR_UNREACHED;
    if (s->run) {
        if (!run_range(e->layout, a, r)) return false;
        s->exit = own_exit(e->flow, a->run.loop);
    } else if (a->shape == IR_BYTES || a->shape == IR_RANGE) {
        dh_form_of(e->layout, a->pointer, IR_WHOLE, &r->from);
        r->count = (struct ir_affine){.constant = a->size};
        if (a->shape == IR_RANGE) dh_form_of(e->layout, a->length, IR_UNSIGNED, &r->count);
        r->unit = 1;
        r->loose = false;
    } else {
        return false;
    }
    s->block = later(dh_object_block(e->flow, &r->from), dh_object_block(e->flow, &r->count));
    if (s->exit != IR_UNREACHED) find_skip(e, a->run.loop, s);
    return true;
}

ir_value dh_range_base(struct ir_affine const *form) {
    ir_value base = NULL;
    for (uint32_t i = 0; i < form->count; i++) {
        if (LLVMGetTypeKind(LLVMTypeOf(form->terms[i].value)) != LLVMPointerTypeKind) continue;
        if (base || form->terms[i].factor != 1) return NULL;
        base = form->terms[i].value;
    }
    return base;
}
