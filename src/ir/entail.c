/* A question becomes bounds between the integers that it is about. To these come, as far as they
 * have to do with them:
 *
 *   conditions   of branches that must have gone this way: exact sums that are not positive
 *   definitions  of values that are computed by what is no sum: a mask, a remainder, a minimum
 *   variables    of loops: from where they start on, and as far as the test at the end of a round
 *                lets them, if they start within that
 *
 * All of them hold only for values that are not poison. Those of a condition are not, for the
 * program has branched on it; those of an address, for it is accessed; nor then is anything that
 * these are computed from.
 */
#include "ir/entail.h"
#include "ir/bounds.h"
#include "ir/flow.h"
#include "ir/forms.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONDITIONS_MAX = 4,  /* of one branch */
    DOMINATORS_MAX = 48, /* blocks that are looked at, upwards */
    DEPTH_MAX = 3,       /* of conditions made of others */
    VARIABLES_MAX = 4,   /* of loops */
};

/* Sums that are not positive in a block because of the branch into it. */
struct ir_condition {
    uint32_t count;
    struct ir_affine sums[CONDITIONS_MAX];
};

void dh_entail_open(struct ir_entail *e, LLVMTargetDataRef layout, struct ir_flow const *flow) {
    *e = (struct ir_entail){.layout = layout, .flow = flow, .blocks = flow->count};
}

void dh_entail_close(struct ir_entail *e) {
    for (uint32_t b = 0; e->conditions && b < e->blocks; b++)
        free(e->conditions[b]);
    free(e->conditions);
    *e = (struct ir_entail){0};
}

/* ---- conditions ---- */

static void add_sum(struct ir_condition *c, struct ir_affine const *sum) {
    if (!sum->overfull && sum->count > 0 && c->count < CONDITIONS_MAX) c->sums[c->count++] = *sum;
}

/* a - b + by, both read alike. */
static struct ir_affine difference(struct ir_entail const *e, LLVMValueRef a, LLVMValueRef b,
                                   enum ir_sign sign, int64_t by) {
    struct ir_affine sum = {.constant = (uint64_t)by}, part;
    dh_form_of(e->layout, a, sign, &part);
    dh_affine_add_exact(&sum, &part, 1);
    dh_form_of(e->layout, b, sign, &part);
    dh_affine_add_exact(&sum, &part, -1);
    return sum;
}

static void add_difference(struct ir_entail const *e, struct ir_condition *c, LLVMValueRef a,
                           LLVMValueRef b, enum ir_sign sign, int64_t by) {
    struct ir_affine sum = difference(e, a, b, sign, by);
    add_sum(c, &sum);
}

static bool is_strict(LLVMIntPredicate p) {
    return p == LLVMIntULT || p == LLVMIntUGT || p == LLVMIntSLT || p == LLVMIntSGT;
}
static bool is_greater(LLVMIntPredicate p) {
    return p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE;
}

/* An order: less <= more, or less < more. */
struct order {
    LLVMValueRef less, more;
    enum ir_sign sign;
    bool strict;
};

static struct order order_of(LLVMIntPredicate p, bool holds, LLVMValueRef a, LLVMValueRef b) {
    bool swap = is_greater(p) == holds;
    return (struct order){swap ? b : a, swap ? a : b, p >= LLVMIntSGT ? IR_SIGNED : IR_UNSIGNED,
                          is_strict(p) == holds};
}

static bool is_equality(LLVMIntPredicate p) { return p == LLVMIntEQ || p == LLVMIntNE; }

static void add_comparison(struct ir_entail const *e, struct ir_condition *c, LLVMIntPredicate p,
                           bool holds, LLVMValueRef a, LLVMValueRef b) {
    if (!is_equality(p)) {
        struct order o = order_of(p, holds, a, b);
        add_difference(e, c, o.less, o.more, o.sign, o.strict);
    } else if ((p == LLVMIntEQ) == holds) {
        add_difference(e, c, a, b, IR_UNSIGNED, 0);
        add_difference(e, c, b, a, IR_UNSIGNED, 0);
        add_difference(e, c, a, b, IR_SIGNED, 0);
        add_difference(e, c, b, a, IR_SIGNED, 0);
    } else if (LLVMIsAConstantInt(b) && LLVMIsNull(b)) { /* of use at the end of the range only */
        add_difference(e, c, b, a, IR_UNSIGNED, 1);
    }
}

/* What follows if the condition is so. */
static void add_condition(struct ir_entail const *e, struct ir_condition *c, LLVMValueRef v,
                          bool holds, unsigned depth) {
    if (!LLVMIsAInstruction(v)) return;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    if (opcode == LLVMICmp) {
        LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
        if (dh_form_width(a) != 0) add_comparison(e, c, LLVMGetICmpPredicate(v), holds, a, b);
        return;
    }
    if (depth == 0) return;
    /* Both of an and that holds, and of an or that does not. */
    if (opcode == (holds ? LLVMAnd : LLVMOr)) {
        add_condition(e, c, LLVMGetOperand(v, 0), holds, depth - 1);
        add_condition(e, c, LLVMGetOperand(v, 1), holds, depth - 1);
    } else if (opcode == LLVMSelect && LLVMTypeOf(v) == LLVMTypeOf(LLVMGetOperand(v, 0))) {
        LLVMValueRef other = LLVMGetOperand(v, holds ? 2 : 1);
        bool both = LLVMIsAConstantInt(other) && LLVMConstIntGetZExtValue(other) != holds;
        if (!both) return;
        add_condition(e, c, LLVMGetOperand(v, 0), holds, depth - 1);
        add_condition(e, c, LLVMGetOperand(v, holds ? 1 : 2), holds, depth - 1);
    }
}

/* What holds if a block is left for this one. */
static void find_conditions(struct ir_entail const *e, uint32_t from, uint32_t to,
                            struct ir_condition *found) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(e->flow->blocks[from]);
    LLVMBasicBlockRef target = e->flow->blocks[to];
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) return;
    bool holds = LLVMGetSuccessor(branch, 0) == target;
    if (holds != (LLVMGetSuccessor(branch, 1) == target))
        add_condition(e, found, LLVMGetCondition(branch), holds, DEPTH_MAX);
}

static struct ir_condition const *conditions_in(struct ir_entail *e, uint32_t block) {
    struct ir_flow const *f = e->flow;
    if (!e->conditions) e->conditions = calloc(e->blocks, sizeof *e->conditions);
    if (!e->conditions) abort();
    if (e->conditions[block]) return e->conditions[block];
    struct ir_condition found = {0};
    if (f->pred_starts[block + 1] - f->pred_starts[block] == 1)
        find_conditions(e, f->preds[f->pred_starts[block]], block, &found);
    size_t size = offsetof(struct ir_condition, sums) + found.count * sizeof *found.sums;
    e->conditions[block] = malloc(size);
    if (!e->conditions[block]) abort();
    memcpy(e->conditions[block], &found, size);
    return e->conditions[block];
}

/* ---- bounds ---- */

static bool is_pointer(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

static void add_knots(struct ir_bounds *b, struct ir_affine const *sum) {
    for (uint32_t i = 0; i < sum->count; i++) {
        struct ir_term const *t = &sum->terms[i];
        unsigned width = dh_form_width(t->value);
        if (t->sign != IR_UNSIGNED) dh_bounds_knot(b, t->value, IR_SIGNED, width);
        if (t->sign != IR_SIGNED) dh_bounds_knot(b, t->value, IR_UNSIGNED, width);
    }
}

static int64_t floor_divide(int64_t n, int64_t by) { return n / by - (n % by < 0); }

/* An exact sum that is not positive: of one term, or a multiple of the difference of two. Others
 * say nothing here. */
static void add_bound(struct ir_bounds *b, struct ir_affine const *sum) {
    uint32_t knots[2] = {0, 0}; /* to be added, and subtracted */
    int64_t factor = 0;
    if (sum->overfull || sum->count == 0 || sum->count > 2 || sum->constant == (uint64_t)INT64_MIN)
        return;
    for (uint32_t i = 0; i < sum->count; i++) {
        struct ir_term const *t = &sum->terms[i];
        bool minus = (int64_t)t->factor < 0;
        int64_t size = minus ? (int64_t)(0 - t->factor) : (int64_t)t->factor;
        if (size <= 0 || size > IR_FACTOR_MAX || (factor != 0 && size != factor) || knots[minus])
            return;
        factor = size;
        knots[minus] = dh_bounds_knot(b, t->value, t->sign, dh_form_width(t->value));
        if (knots[minus] == 0) return;
    }
    dh_bounds_add(b, knots[0], knots[1], floor_divide(-(int64_t)sum->constant, factor));
}

static bool is_about(struct ir_bounds const *b, struct ir_affine const *sum) {
    for (uint32_t i = 0; i < sum->count; i++)
        if (dh_bounds_find(b, sum->terms[i].value, sum->terms[i].sign)) return true;
    return false;
}

static void add_related(struct ir_bounds *b, struct ir_condition const *c) {
    for (uint32_t i = 0; i < c->count; i++)
        if (is_about(b, &c->sums[i])) add_bound(b, &c->sums[i]);
}

static void add_conditions(struct ir_entail *e, struct ir_bounds *b, uint32_t block) {
    for (unsigned steps = 0; steps < DOMINATORS_MAX; steps++) {
        add_related(b, conditions_in(e, block));
        if (block == 0) return;
        block = e->flow->dominators[block];
    }
}

/* ---- definitions ---- */

/* The value is less than the limit, or not more; or with `below`, more or not less. Only of use if
 * no other integers come into it. */
static void add_limit(struct ir_entail const *e, struct ir_bounds *b, LLVMValueRef v,
                      LLVMValueRef limit, enum ir_sign sign, bool strict, bool below) {
    struct ir_affine sum = difference(e, below ? limit : v, below ? v : limit, sign, strict);
    for (uint32_t i = 0; i < sum.count; i++)
        if (sum.terms[i].value != v && !dh_bounds_find(b, sum.terms[i].value, sum.terms[i].sign))
            return;
    add_bound(b, &sum);
}

static bool is_named(LLVMValueRef call, char const *prefix) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) == 0) return false;
    return strncmp(LLVMGetValueName2(callee, &length), prefix, strlen(prefix)) == 0;
}

static void add_extremum(struct ir_entail const *e, struct ir_bounds *b, LLVMValueRef v) {
    static struct {
        char const *name;
        enum ir_sign sign;
        bool below;
    } const extrema[] = {{"llvm.umin.", IR_UNSIGNED, false},
                         {"llvm.umax.", IR_UNSIGNED, true},
                         {"llvm.smin.", IR_SIGNED, false},
                         {"llvm.smax.", IR_SIGNED, true}};
    for (size_t i = 0; i < sizeof extrema / sizeof *extrema; i++)
        if (is_named(v, extrema[i].name))
            for (unsigned o = 0; o < 2; o++)
                add_limit(e, b, v, LLVMGetOperand(v, o), extrema[i].sign, false, extrema[i].below);
}

static void add_definition(struct ir_entail const *e, struct ir_bounds *b, uint32_t knot) {
    LLVMValueRef v = b->knots[knot].value;
    unsigned width = b->knots[knot].width;
    if (!LLVMIsAInstruction(v)) return;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
    case LLVMUDiv:
        for (unsigned o = 0; o < (LLVMGetInstructionOpcode(v) == LLVMAnd ? 2 : 1); o++)
            add_limit(e, b, v, LLVMGetOperand(v, o), IR_UNSIGNED, false, false);
        break;
    case LLVMURem:
        add_limit(e, b, v, LLVMGetOperand(v, 0), IR_UNSIGNED, false, false);
        add_limit(e, b, v, LLVMGetOperand(v, 1), IR_UNSIGNED, true, false);
        break;
    case LLVMLShr: {
        LLVMValueRef by = LLVMGetOperand(v, 1);
        uint64_t bits = LLVMIsAConstantInt(by) ? LLVMConstIntGetZExtValue(by) : 0;
        add_limit(e, b, v, LLVMGetOperand(v, 0), IR_UNSIGNED, false, false);
        if (bits > 1 && bits < width)
            dh_bounds_add(b, dh_bounds_knot(b, v, IR_UNSIGNED, width), 0,
                          ((int64_t)1 << (width - bits)) - 1);
        break;
    }
    case LLVMCall: add_extremum(e, b, v); break;
    default: break;
    }
}

/* ---- variables of loops ---- */

struct variable {
    LLVMValueRef phi, start, next, end; /* `next` is for the next round; `end` ends the round */
    int64_t step;
};

static bool find_variable(struct ir_entail const *e, LLVMValueRef phi, struct variable *v) {
    if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2) return false;
    uint32_t header = dh_flow_number(e->flow, LLVMGetInstructionParent(phi));
    for (unsigned i = 0; i < 2; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        uint32_t back = dh_flow_number(e->flow, from);
        if (back == IR_UNREACHED || back < header || !LLVMIsAInstruction(next)
            || LLVMGetInstructionOpcode(next) != LLVMAdd || LLVMGetOperand(next, 0) != phi
            || !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
            continue;
        *v = (struct variable){phi, LLVMGetIncomingValue(phi, 1 - i), next,
                               LLVMGetBasicBlockTerminator(from),
                               LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1))};
        return v->step != 0 && dh_flow_dominates(e->flow, header, back);
    }
    return false;
}

/* The value is computed before the loop whose start is this block. */
static bool is_before(struct ir_entail const *e, LLVMValueRef v, uint32_t header) {
    if (!LLVMIsAInstruction(v)) return true;
    uint32_t block = dh_flow_number(e->flow, LLVMGetInstructionParent(v));
    return block < header && dh_flow_dominates(e->flow, block, header);
}

/* If `start` is in this order to the limit, so is the variable: its other values were compared. */
static void add_kept(struct ir_entail const *e, struct ir_bounds *b, struct variable const *v,
                     struct order o, LLVMValueRef limit) {
    bool up = o.more == limit;
    struct ir_affine s =
        difference(e, up ? v->start : limit, up ? limit : v->start, o.sign, o.strict);
    if (dh_bounds_most(b, &s, IR_UNSIGNED) <= 0)
        add_limit(e, b, v->phi, limit, o.sign, o.strict, !up);
}

/* The test at the end of a round: whether it is to hold, and the limit that it compares with. */
static LLVMValueRef find_test(struct ir_entail const *e, struct variable const *v, bool *holds,
                              LLVMValueRef *limit) {
    if (!LLVMIsABranchInst(v->end) || !LLVMIsConditional(v->end)) return NULL;
    LLVMValueRef test = LLVMGetCondition(v->end);
    if (!LLVMIsAICmpInst(test)) return NULL;
    LLVMBasicBlockRef start = LLVMGetInstructionParent(v->phi);
    *holds = LLVMGetSuccessor(v->end, 0) == start;
    if (*holds == (LLVMGetSuccessor(v->end, 1) == start)) return NULL;
    LLVMValueRef a = LLVMGetOperand(test, 0), b = LLVMGetOperand(test, 1);
    *limit = a == v->next ? b : a;
    bool found =
        (a == v->next || b == v->next) && is_before(e, *limit, dh_flow_number(e->flow, start));
    return found ? test : NULL;
}

static void add_knots_of(struct ir_entail const *e, struct ir_bounds *b, LLVMValueRef v) {
    for (enum ir_sign sign = IR_SIGNED; sign <= IR_UNSIGNED; sign++) {
        struct ir_affine form;
        dh_form_of(e->layout, v, sign, &form);
        add_knots(b, &form);
    }
}

/* First what it starts from and is compared with, then what follows. */
static void add_variable(struct ir_entail const *e, struct ir_bounds *b, LLVMValueRef phi,
                         bool first) {
    struct variable v;
    LLVMValueRef limit, test;
    bool holds;
    if (!find_variable(e, phi, &v)) return;
    test = find_test(e, &v, &holds, &limit);
    if (first) {
        add_knots_of(e, b, v.start);
        if (test) add_knots_of(e, b, limit);
        return;
    }
    if (LLVMGetNSW(v.next)) add_limit(e, b, phi, v.start, IR_SIGNED, false, v.step > 0);
    if (LLVMGetNUW(v.next) && v.step > 0) add_limit(e, b, phi, v.start, IR_UNSIGNED, false, true);
    if (!test) return;
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    if (!is_equality(p)) {
        add_kept(e, b, &v, order_of(p, holds, LLVMGetOperand(test, 0), LLVMGetOperand(test, 1)),
                 limit);
    } else if ((p == LLVMIntNE) == holds && (v.step == 1 || v.step == -1)) {
        /* By one it comes to the limit, from where it starts, and no further. */
        bool up = v.step > 0;
        for (enum ir_sign sign = IR_SIGNED; sign <= IR_UNSIGNED; sign++) {
            struct order o = {up ? v.next : limit, up ? limit : v.next, sign, true};
            add_kept(e, b, &v, o, limit);
        }
    }
}

static void add_variables(struct ir_entail const *e, struct ir_bounds *b, bool first) {
    unsigned left = VARIABLES_MAX;
    for (uint32_t k = 1, count = b->count; k < count && left > 0; k++) {
        LLVMValueRef v = b->knots[k].value;
        bool met = false;
        for (uint32_t i = 1; i < k; i++)
            met |= b->knots[i].value == v;
        if (met || !LLVMIsAInstruction(v) || !LLVMIsAPHINode(v)) continue;
        add_variable(e, b, v, first);
        left--;
    }
}

/* ---- questions ---- */

/* All of these are to be not positive. */
struct question {
    uint32_t count;
    struct ir_affine sums[3];
    struct ir_condition more; /* beside those of the block */
};

static bool holds(struct ir_bounds const *b, struct question const *q, enum ir_sign whole) {
    for (uint32_t i = 0; i < q->count; i++)
        if (dh_bounds_most(b, &q->sums[i], whole) > 0) return false;
    return true;
}

static bool is_constant(struct question const *q) {
    for (uint32_t i = 0; i < q->count; i++)
        if (q->sums[i].count != 0) return false;
    return true;
}

static bool answer(struct ir_entail *e, uint32_t block, struct question const *q) {
    struct ir_bounds b;
    dh_bounds_open(&b);
    if (is_constant(q)) return holds(&b, q, IR_UNSIGNED);
    for (uint32_t i = 0; i < q->count; i++)
        add_knots(&b, &q->sums[i]);
    add_variables(e, &b, true);
    for (unsigned pass = 0; pass < 2; pass++) {
        add_related(&b, &q->more);
        add_conditions(e, &b, block);
        for (uint32_t k = 1; k < b.count; k++)
            add_definition(e, &b, k);
    }
    dh_bounds_close(&b);
    if (holds(&b, q, IR_UNSIGNED) || holds(&b, q, IR_SIGNED)) return true;
    add_variables(e, &b, false);
    dh_bounds_close(&b);
    return holds(&b, q, IR_UNSIGNED) || holds(&b, q, IR_SIGNED);
}

bool dh_entail_on_edge(struct ir_entail *e, uint32_t from, uint32_t to,
                       struct ir_affine const *sum) {
    struct question q = {.count = 1, .sums = {*sum}};
    find_conditions(e, from, to, &q.more);
    return answer(e, from, &q);
}

/* The distance d of the two, any number that is it modulo 2^64, must be so that 0 <= d, and
 * d + bytes of one <= bytes of the other. */
bool dh_entail_within(struct ir_entail *e, uint32_t block, struct ir_range const *inner,
                      struct ir_range const *outer) {
    struct ir_affine distance = inner->from;
    struct question q = {.count = 2};
    dh_affine_add_form(&distance, &outer->from, UINT64_MAX);
    if (distance.overfull) return false;
    for (uint32_t i = 0; i < distance.count; i++)
        if (is_pointer(distance.terms[i].value)) return false;
    if (!dh_affine_add_exact(&q.sums[0], &distance, -1)
        || !dh_affine_add_exact(&q.sums[1], &distance, 1)
        || !dh_affine_add_exact(&q.sums[1], &inner->count, (int64_t)inner->unit)
        || !dh_affine_add_exact(&q.sums[1], &outer->count, -(int64_t)outer->unit))
        return false;
    if (inner->loose) { /* only then it is as long as it says */
        q.sums[2].constant = 1;
        if (!dh_affine_add_exact(&q.sums[2], &inner->count, -1)) return false;
        q.count = 3;
    }
    return answer(e, block, &q);
}
