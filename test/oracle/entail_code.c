#include "entail_code.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 20, DOMINATORS = 60, WIDE = 128 };

/* What is coded, and in the first round of which loop. */
struct at {
    struct ir_loop const *first;
    unsigned depth;
};

static Z3_ast code(struct coder *c, LLVMValueRef v, struct at at);

void coder_open(struct coder *c, Z3_context z, LLVMTargetDataRef layout,
                struct ir_flow const *flow) {
    c->z = z;
    c->layout = layout;
    c->flow = flow;
    c->count = c->assumed_count = 0;
    c->full = false;
}

static void assume(struct coder *c, Z3_ast what) {
    if (c->assumed_count == ASSUMED_MAX)
        c->full = true;
    else
        c->assumed[c->assumed_count++] = what;
}

static unsigned width_of(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return 64;
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static Z3_ast number(struct coder *c, uint64_t n, unsigned width) {
    return Z3_mk_unsigned_int64(c->z, n, Z3_mk_bv_sort(c->z, width));
}

static Z3_ast signed_number(struct coder *c, int64_t n, unsigned width) {
    return Z3_mk_int64(c->z, n, Z3_mk_bv_sort(c->z, width));
}

static Z3_ast anything(struct coder *c, unsigned width) {
    return Z3_mk_fresh_const(c->z, "v", Z3_mk_bv_sort(c->z, width));
}

static Z3_ast wide(struct coder *c, Z3_ast v, unsigned width, bool with_sign) {
    return with_sign ? Z3_mk_sign_ext(c->z, WIDE - width, v)
                     : Z3_mk_zero_ext(c->z, WIDE - width, v);
}

static Z3_ast narrow(struct coder *c, Z3_ast v, unsigned width) {
    return Z3_mk_extract(c->z, width - 1, 0, v);
}

/* As a bit. */
static Z3_ast bit(struct coder *c, Z3_ast holds) {
    return Z3_mk_ite(c->z, holds, number(c, 1, 1), number(c, 0, 1));
}

static Z3_ast compared(struct coder *c, LLVMIntPredicate p, Z3_ast a, Z3_ast b) {
    switch (p) {
    case LLVMIntEQ: return Z3_mk_eq(c->z, a, b);
    case LLVMIntNE: return Z3_mk_not(c->z, Z3_mk_eq(c->z, a, b));
    case LLVMIntUGT: return Z3_mk_bvugt(c->z, a, b);
    case LLVMIntUGE: return Z3_mk_bvuge(c->z, a, b);
    case LLVMIntULT: return Z3_mk_bvult(c->z, a, b);
    case LLVMIntULE: return Z3_mk_bvule(c->z, a, b);
    case LLVMIntSGT: return Z3_mk_bvsgt(c->z, a, b);
    case LLVMIntSGE: return Z3_mk_bvsge(c->z, a, b);
    case LLVMIntSLT: return Z3_mk_bvslt(c->z, a, b);
    case LLVMIntSLE: return Z3_mk_bvsle(c->z, a, b);
    }
    abort();
}

/* A result that was said not to wrap is, with twice the bits, what it is with its own. */
static void assume_no_wrap(struct coder *c, LLVMOpcode opcode, LLVMValueRef v, Z3_ast a, Z3_ast b) {
    unsigned width = width_of(v);
    for (int with_sign = 0; with_sign < 2; with_sign++) {
        if (!(with_sign ? LLVMGetNSW(v) : LLVMGetNUW(v))) continue;
        Z3_ast x = wide(c, a, width, with_sign), y = wide(c, b, width, with_sign), r, s;
        switch (opcode) {
        case LLVMAdd: r = Z3_mk_bvadd(c->z, x, y), s = Z3_mk_bvadd(c->z, a, b); break;
        case LLVMSub: r = Z3_mk_bvsub(c->z, x, y), s = Z3_mk_bvsub(c->z, a, b); break;
        case LLVMMul: r = Z3_mk_bvmul(c->z, x, y), s = Z3_mk_bvmul(c->z, a, b); break;
        default:
            r = Z3_mk_bvshl(c->z, x, wide(c, b, width, false));
            s = Z3_mk_bvshl(c->z, a, b);
            break;
        }
        assume(c, Z3_mk_eq(c->z, r, wide(c, s, width, with_sign)));
    }
}

/* By what is no constant it takes Z3 too long: some of what holds is enough. */
static Z3_ast code_division(struct coder *c, LLVMOpcode opcode, LLVMValueRef v, Z3_ast a,
                            Z3_ast b) {
    Z3_ast r = anything(c, width_of(v));
    assume(c, Z3_mk_bvule(c->z, r, a));
    if (opcode == LLVMURem) assume(c, Z3_mk_bvult(c->z, r, b));
    return r;
}

static Z3_ast code_binary(struct coder *c, LLVMOpcode opcode, LLVMValueRef v, struct at at) {
    Z3_ast a = code(c, LLVMGetOperand(v, 0), at), b = code(c, LLVMGetOperand(v, 1), at);
    switch (opcode) {
    case LLVMAdd: assume_no_wrap(c, opcode, v, a, b); return Z3_mk_bvadd(c->z, a, b);
    case LLVMSub: assume_no_wrap(c, opcode, v, a, b); return Z3_mk_bvsub(c->z, a, b);
    case LLVMMul:
        if (!LLVMIsAConstantInt(LLVMGetOperand(v, 1))) return anything(c, width_of(v));
        assume_no_wrap(c, opcode, v, a, b);
        return Z3_mk_bvmul(c->z, a, b);
    case LLVMShl:
        assume(c, Z3_mk_bvult(c->z, b, number(c, width_of(v), width_of(v))));
        assume_no_wrap(c, opcode, v, a, b);
        return Z3_mk_bvshl(c->z, a, b);
    case LLVMLShr: return Z3_mk_bvlshr(c->z, a, b);
    case LLVMAShr: return Z3_mk_bvashr(c->z, a, b);
    case LLVMAnd: return Z3_mk_bvand(c->z, a, b);
    case LLVMXor: return Z3_mk_bvxor(c->z, a, b);
    case LLVMUDiv:
    case LLVMURem:
        assume(c, Z3_mk_not(c->z, Z3_mk_eq(c->z, b, number(c, 0, width_of(v)))));
        if (LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
            return opcode == LLVMUDiv ? Z3_mk_bvudiv(c->z, a, b) : Z3_mk_bvurem(c->z, a, b);
        return code_division(c, opcode, v, a, b);
    default:
        if (LLVMGetIsDisjoint(v))
            assume(c, Z3_mk_eq(c->z, Z3_mk_bvand(c->z, a, b), number(c, 0, width_of(v))));
        return Z3_mk_bvor(c->z, a, b);
    }
}

static Z3_ast code_extension(struct coder *c, LLVMOpcode opcode, LLVMValueRef v, struct at at) {
    LLVMValueRef from = LLVMGetOperand(v, 0);
    unsigned width = width_of(v), old = width_of(from);
    Z3_ast a = code(c, from, at);
    if (opcode == LLVMTrunc) return narrow(c, a, width);
    if (opcode == LLVMSExt) return Z3_mk_sign_ext(c->z, width - old, a);
    if (LLVMGetNNeg(v)) assume(c, Z3_mk_bvsge(c->z, a, number(c, 0, old)));
    return Z3_mk_zero_ext(c->z, width - old, a);
}

/* An address: in bounds, the sum of the distances, with sign, and the address that it leads to, without, do not
 * wrap. */
static Z3_ast code_address(struct coder *c, LLVMValueRef gep, struct at at) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    Z3_ast base = code(c, LLVMGetOperand(gep, 0), at), sum = number(c, 0, WIDE);
    for (unsigned i = 1, n = (unsigned)LLVMGetNumOperands(gep); i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (i > 1 && kind == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            sum = Z3_mk_bvadd(c->z, sum,
                              number(c, LLVMOffsetOfElement(c->layout, type, field), WIDE));
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1) type = LLVMGetElementType(type);
        if (width_of(index) == 0 || width_of(index) > 64
            || LLVMGetTypeKind(type) == LLVMVectorTypeKind)
            return anything(c, 64);
        Z3_ast distance = wide(c, code(c, index, at), width_of(index), true);
        Z3_ast size = number(c, LLVMABISizeOfType(c->layout, type), WIDE);
        sum = Z3_mk_bvadd(c->z, sum, Z3_mk_bvmul(c->z, distance, size));
    }
    Z3_ast to = Z3_mk_bvadd(c->z, wide(c, base, 64, false), sum);
    if (LLVMIsInBounds(gep)) {
        assume(c, Z3_mk_eq(c->z, sum, wide(c, narrow(c, sum, 64), 64, true)));
        assume(c, Z3_mk_eq(c->z, to, wide(c, narrow(c, to, 64), 64, false)));
    }
    return narrow(c, to, 64);
}

static Z3_ast code_extremum(struct coder *c, LLVMValueRef v, struct at at) {
    static struct {
        char const *name;
        LLVMIntPredicate first;
    } const known[] = {{"llvm.umin.", LLVMIntULT},
                       {"llvm.umax.", LLVMIntUGT},
                       {"llvm.smin.", LLVMIntSLT},
                       {"llvm.smax.", LLVMIntSGT}};
    LLVMValueRef callee = LLVMGetCalledValue(v);
    size_t length;
    char const *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strncmp(name, known[i].name, strlen(known[i].name)) != 0) continue;
        Z3_ast a = code(c, LLVMGetOperand(v, 0), at), b = code(c, LLVMGetOperand(v, 1), at);
        return Z3_mk_ite(c->z, compared(c, known[i].first, a, b), a, b);
    }
    return anything(c, width_of(v));
}

/* A variable of a loop, after some number of rounds: it is that many steps from where it started; each round before
 * was left by the test for the next. */
static void assume_variable(struct coder *c, LLVMValueRef phi, Z3_ast value, struct at at) {
    LLVMBasicBlockRef header = LLVMGetInstructionParent(phi);
    unsigned width = width_of(phi), in = dh_flow_number(c->flow, header);
    if (LLVMCountIncoming(phi) != 2 || width > 64) return;
    unsigned back =
        dh_flow_dominates(c->flow, in, dh_flow_number(c->flow, LLVMGetIncomingBlock(phi, 1)));
    LLVMBasicBlockRef latch = LLVMGetIncomingBlock(phi, back);
    LLVMValueRef next = LLVMGetIncomingValue(phi, back),
                 start = LLVMGetIncomingValue(phi, 1 - back);
    if (!dh_flow_dominates(c->flow, in, dh_flow_number(c->flow, latch))) return;
    if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd
        || LLVMGetOperand(next, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
        return;
    int64_t step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
    Z3_ast rounds = anything(c, WIDE), first = code(c, start, at);
    Z3_ast last = Z3_mk_bvmul(c->z, rounds, signed_number(c, step, WIDE));
    assume(c, Z3_mk_bvule(c->z, rounds, wide(c, number(c, UINT64_MAX, 64), 64, false)));
    assume(c, Z3_mk_eq(c->z, value,
                       narrow(c, Z3_mk_bvadd(c->z, wide(c, first, width, true), last), width)));
    if (LLVMGetNSW(next))
        assume(c, Z3_mk_eq(c->z, wide(c, value, width, true),
                           Z3_mk_bvadd(c->z, wide(c, first, width, true), last)));
    if (LLVMGetNUW(next)) {
        Z3_ast by =
            wide(c,
                 number(c, (uint64_t)step & (width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1),
                        width),
                 width, false);
        assume(c, Z3_mk_eq(c->z, wide(c, value, width, false),
                           Z3_mk_bvadd(c->z, wide(c, first, width, false),
                                       Z3_mk_bvmul(c->z, rounds, by))));
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(latch);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)
        || !LLVMIsAICmpInst(LLVMGetCondition(end)))
        return;
    LLVMValueRef test = LLVMGetCondition(end), a = LLVMGetOperand(test, 0),
                 b = LLVMGetOperand(test, 1);
    bool holds = LLVMGetSuccessor(end, 0) == header;
    LLVMValueRef bound = a == next ? b : a;
    if ((a != next && b != next)
        || (LLVMIsAInstruction(bound)
            && !(dh_flow_number(c->flow, LLVMGetInstructionParent(bound)) < in
                 && dh_flow_dominates(
                     c->flow, dh_flow_number(c->flow, LLVMGetInstructionParent(bound)), in))))
        return;
    /* The bound is branched on only if there was a round; before that it may be poison. */
    unsigned assumed = c->assumed_count;
    Z3_ast limit = code(c, bound, at), more = Z3_mk_bvugt(c->z, rounds, number(c, 0, WIDE));
    for (unsigned i = assumed; i < c->assumed_count; i++)
        c->assumed[i] = Z3_mk_implies(c->z, more, c->assumed[i]);
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    Z3_ast went_on = a == next ? compared(c, p, value, limit) : compared(c, p, limit, value);
    assume(c, Z3_mk_implies(c->z, more, holds ? went_on : Z3_mk_not(c->z, went_on)));
    if ((p == LLVMIntNE) == holds && (p == LLVMIntEQ || p == LLVMIntNE)
        && (step == 1 || step == -1)) {
        /* Nor was it the bound before. */
        Z3_ast way = step == 1 ? Z3_mk_bvsub(c->z, limit, first) : Z3_mk_bvsub(c->z, first, limit);
        way = Z3_mk_bvsub(c->z, way, number(c, 1, width));
        assume(c, Z3_mk_bvule(c->z, rounds, wide(c, way, width, false)));
    }
}

static Z3_ast code_phi(struct coder *c, LLVMValueRef phi, struct at at) {
    LLVMValueRef start = at.first ? dh_loop_start(at.first, phi) : NULL;
    if (start) return code(c, start, (struct at){NULL, at.depth});
    return anything(c, width_of(phi));
}

static Z3_ast code_instruction(struct coder *c, LLVMOpcode opcode, LLVMValueRef v, struct at at) {
    switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMUDiv:
    case LLVMURem: return code_binary(c, opcode, v, at);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc: return code_extension(c, opcode, v, at);
    case LLVMGetElementPtr: return code_address(c, v, at);
    case LLVMPHI: return code_phi(c, v, at);
    case LLVMCall: return code_extremum(c, v, at);
    case LLVMICmp:
        if (width_of(LLVMGetOperand(v, 0)) == 0 || width_of(LLVMGetOperand(v, 0)) > 64) break;
        return bit(c, compared(c, LLVMGetICmpPredicate(v), code(c, LLVMGetOperand(v, 0), at),
                               code(c, LLVMGetOperand(v, 1), at)));
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        if (width_of(v) == 64 && width_of(LLVMGetOperand(v, 0)) == 64)
            return code(c, LLVMGetOperand(v, 0), at);
        break;
    default: break;
    }
    return anything(c, width_of(v));
}

static Z3_ast code(struct coder *c, LLVMValueRef v, struct at at) {
    unsigned width = width_of(v);
    if (LLVMIsAConstantInt(v) && width <= 64) return number(c, LLVMConstIntGetZExtValue(v), width);
    if (LLVMIsAConstantPointerNull(v)) return number(c, 0, 64);
    for (unsigned i = 0; i < c->count; i++)
        if (c->coded[i].value == v && c->coded[i].first == at.first) return c->coded[i].code;
    Z3_ast made;
    LLVMOpcode opcode = LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
                        : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
                                                 : LLVMRet;
    bool simple = LLVMIsAInstruction(v) || opcode == LLVMGetElementPtr;
    /* What does not change in the loop is the same in its first round. */
    if (at.first && dh_loop_invariant(at.first, v)) return code(c, v, (struct at){NULL, at.depth});
    if (at.depth == 0 || width == 0 || width > 64 || !simple)
        made = anything(c, width ? width : 64);
    else
        made = code_instruction(c, opcode, v, (struct at){at.first, at.depth - 1});
    if (c->count == CODED_MAX) {
        c->full = true;
        return made;
    }
    c->coded[c->count].value = v;
    c->coded[c->count].first = at.first;
    c->coded[c->count++].code = made;
    if (opcode == LLVMPHI && width != 0 && at.depth > 1 && !at.first)
        assume_variable(c, v, made, (struct at){NULL, at.depth - 1});
    return made;
}

/* A condition that was branched on; of an and by parts, the second is looked at only if the first holds. */
static void assume_condition(struct coder *c, LLVMValueRef v, bool holds, unsigned depth) {
    struct at at = {NULL, DEPTH};
    if (depth > 0 && LLVMIsASelectInst(v) && width_of(v) == 1) {
        LLVMValueRef other = LLVMGetOperand(v, holds ? 2 : 1);
        if (LLVMIsAConstantInt(other) && LLVMConstIntGetZExtValue(other) != holds) {
            assume_condition(c, LLVMGetOperand(v, 0), holds, depth - 1);
            assume_condition(c, LLVMGetOperand(v, holds ? 1 : 2), holds, depth - 1);
        }
        return;
    }
    assume(c, Z3_mk_eq(c->z, code(c, v, at), number(c, holds, 1)));
}

void coder_assume_edge(struct coder *c, uint32_t from, uint32_t to) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(c->flow->blocks[from]);
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) return;
    bool holds = LLVMGetSuccessor(branch, 0) == c->flow->blocks[to];
    if (holds != (LLVMGetSuccessor(branch, 1) == c->flow->blocks[to]))
        assume_condition(c, LLVMGetCondition(branch), holds, 4);
}

void coder_assume_reached(struct coder *c, uint32_t block) {
    for (unsigned steps = 0; steps < DOMINATORS; steps++, block = c->flow->dominators[block]) {
        if (block == 0) return;
        if (c->flow->pred_starts[block + 1] - c->flow->pred_starts[block] == 1)
            coder_assume_edge(c, c->flow->preds[c->flow->pred_starts[block]], block);
    }
}

struct coded_range coder_access(struct coder *c, struct ir_access const *a) {
    struct at at = {NULL, DEPTH};
    struct coded_range r = {code(c, a->pointer, at), number(c, a->size, WIDE)};
    if (a->shape == IR_RANGE) r.bytes = wide(c, code(c, a->length, at), width_of(a->length), false);
    return r;
}

/* How many rounds there are, from the test at the end of each. */
static Z3_ast count_rounds(struct coder *c, struct ir_count const *n) {
    struct at at = {NULL, DEPTH};
    unsigned width = width_of(n->start);
    Z3_ast start = code(c, n->start, at), bound = code(c, n->bound, at), one = number(c, 1, WIDE);
    Z3_ast tested =
        n->after_step ? Z3_mk_bvadd(c->z, start, signed_number(c, n->step, width)) : start;
    Z3_ast way = n->step > 0 ? Z3_mk_bvsub(c->z, bound, tested) : Z3_mk_bvsub(c->z, tested, bound);
    Z3_ast step = number(c, (uint64_t)(n->step > 0 ? n->step : -n->step), WIDE);
    way = wide(c, way, width, false);
    Z3_ast more = Z3_mk_bvudiv(c->z, way, step);
    if (n->goes_on == LLVMIntNE) { /* it is met */
        assume(c, Z3_mk_eq(c->z, Z3_mk_bvurem(c->z, way, step), number(c, 0, WIDE)));
        return Z3_mk_bvadd(c->z, more, one);
    }
    bool strict = n->goes_on == LLVMIntULT || n->goes_on == LLVMIntUGT || n->goes_on == LLVMIntSLT
                  || n->goes_on == LLVMIntSGT;
    if (strict) more = Z3_mk_bvudiv(c->z, Z3_mk_bvsub(c->z, way, one), step);
    Z3_ast goes_on = compared(c, n->goes_on, tested, bound);
    return Z3_mk_ite(c->z, goes_on, Z3_mk_bvadd(c->z, more, number(c, 2, WIDE)), one);
}

struct coded_range coder_run(struct coder *c, struct ir_access const *a) {
    Z3_ast first = code(c, a->pointer, (struct at){a->run.loop, DEPTH}),
           rounds = count_rounds(c, &a->run.loop->count);
    Z3_ast bytes = Z3_mk_bvmul(c->z, rounds, number(c, a->size, WIDE));
    if (a->run.stride < 0)
        first = Z3_mk_bvsub(c->z, first,
                            narrow(c, Z3_mk_bvsub(c->z, bytes, number(c, a->size, WIDE)), 64));
    return (struct coded_range){first, bytes};
}
