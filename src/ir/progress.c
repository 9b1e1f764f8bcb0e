/* A value progresses if it grows by a constant from each round of its loop to the next. That is
 * decided by looking at how it is computed: from loop variables, from what does not change in the
 * loop, by sums, differences, multiples, extensions and address arithmetic.
 *
 * In 64 bits, sums and multiples progress by sums and multiples, wrapping included. Extension to 64
 * bits is exact only for a narrower value that does not wrap; that is known where the program would
 * otherwise compute a poisoned address and use it, since the access happens in every round. Such a
 * value is *exact* here: as a mathematical integer, of either sign or of none, it grows by the
 * step.
 *
 * Where a first round is asked about, variables of loops around it and within this one are at their
 * start. Behind such a loop they are not, even if the compiler uses the same name: so that holds
 * only for what is inside.
 */
#include "ir/progress.h"

#include <stddef.h>

enum { DEPTH_MAX = 12 }; /* of expressions that are looked into */

struct scope {
    struct ir_loop const *loop, *from; /* `from` is in `loop`, or is it */
    LLVMTargetDataRef layout;
};

struct progress {
    bool known;
    int64_t step;
    bool signed_exact, unsigned_exact;
};

static struct progress const unknown = {0};
static struct progress const still = {true, 0, true, true};

static unsigned width_of(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return 64;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return 0;
    return LLVMGetIntTypeWidth(type);
}

/* Steps are numbers of the value's width, kept sign-extended. */
static int64_t wrap(uint64_t step, unsigned width) {
    unsigned unused = 64 - width;
    return (int64_t)(step << unused) >> unused;
}

static struct progress made(unsigned width, uint64_t step, bool signed_exact, bool unsigned_exact) {
    int64_t s = wrap(step, width);
    return (struct progress){true, s, signed_exact, unsigned_exact && s >= 0};
}

static bool is_constant(LLVMValueRef v, int64_t *value) {
    if (!LLVMIsAConstantInt(v) || width_of(v) > 64) return false;
    *value = LLVMConstIntGetSExtValue(v);
    return true;
}

static struct progress progress_of(struct scope const *s, LLVMValueRef v, unsigned depth);

/* One index of a getelementptr: how much the address grows with it. */
static bool index_step(struct scope const *s, LLVMValueRef index, uint64_t size, unsigned depth,
                       uint64_t *step) {
    struct progress p = progress_of(s, index, depth);
    unsigned width = width_of(index);
    if (!p.known || width == 0 || width > 64 || (width < 64 && !p.signed_exact)) return false;
    *step += (uint64_t)p.step * size;
    return true;
}

/* The type that an index steps into, and how far apart its elements are; 0: a field of a struct. */
static LLVMTypeRef element_of(struct scope const *s, LLVMTypeRef type, LLVMValueRef index,
                              bool first, uint64_t *size) {
    *size = 0;
    if (!first && LLVMGetTypeKind(type) == LLVMStructTypeKind)
        return LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
    LLVMTypeRef element = first ? type : LLVMGetElementType(type);
    *size = LLVMABISizeOfType(s->layout, element);
    return element;
}

static bool is_sized_simply(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind) return is_sized_simply(LLVMGetElementType(type));
    return kind != LLVMScalableVectorTypeKind && kind != LLVMVectorTypeKind;
}

static struct progress address_progress(struct scope const *s, LLVMValueRef gep, unsigned depth) {
    struct progress base = progress_of(s, LLVMGetOperand(gep, 0), depth);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint64_t step = (uint64_t)base.step;
    if (!base.known) return unknown;
    for (unsigned i = 1, n = (unsigned)LLVMGetNumOperands(gep); i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        uint64_t size;
        if (!is_sized_simply(type)) return unknown;
        type = element_of(s, type, index, i == 1, &size);
        if (size != 0 && !index_step(s, index, size, depth, &step)) return unknown;
    }
    return made(64, step, false, false);
}

static bool incoming(LLVMValueRef phi, LLVMBasicBlockRef from, LLVMValueRef *value) {
    for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++)
        if (LLVMGetIncomingBlock(phi, i) == from) {
            *value = LLVMGetIncomingValue(phi, i);
            return true;
        }
    return false;
}

/* The value of the phi in the next round is the phi and a constant. */
static bool variable_of_phi(struct scope const *s, LLVMValueRef phi, struct ir_variable *v) {
    struct ir_flow const *f = &s->loop->among->flow;
    LLVMValueRef next;
    if (LLVMGetInstructionParent(phi) != f->blocks[s->loop->header]) return false;
    if (!incoming(phi, LLVMGetInstructionParent(s->loop->before), &v->start)) return false;
    if (!incoming(phi, f->blocks[s->loop->latch], &next) || !LLVMIsAInstruction(next)) return false;
    unsigned width = width_of(phi);
    if (width == 0 || width > 64 || LLVMGetNumOperands(next) != 2) return false;
    LLVMValueRef left = LLVMGetOperand(next, 0), right = LLVMGetOperand(next, 1);
    int64_t by;
    if (left != phi || !is_constant(right, &by)) return false;
    v->phi = phi;
    v->pointer = false;
    switch (LLVMGetInstructionOpcode(next)) {
    case LLVMAdd: v->step = by; break;
    case LLVMSub: v->step = wrap(0 - (uint64_t)by, width); break;
    case LLVMGetElementPtr: {
        LLVMTypeRef element = LLVMGetGEPSourceElementType(next);
        if (!is_sized_simply(element)) return false;
        v->step = (int64_t)((uint64_t)by * LLVMABISizeOfType(s->layout, element));
        v->pointer = true;
        v->no_signed_wrap = false;
        v->no_unsigned_wrap = LLVMIsInBounds(next);
        return true;
    }
    default: return false;
    }
    v->no_signed_wrap = LLVMGetNSW(next);
    v->no_unsigned_wrap = LLVMGetNUW(next) && LLVMGetInstructionOpcode(next) == LLVMAdd && by >= 0;
    return true;
}

bool dh_progress_variable(struct ir_loop const *loop, LLVMTargetDataRef layout, LLVMValueRef v,
                          struct ir_variable *variable) {
    struct scope s = {loop, loop, layout};
    if (!LLVMIsAInstruction(v)) return false;
    if (LLVMIsAPHINode(v)) return variable_of_phi(&s, v, variable);
    LLVMValueRef phi = LLVMGetNumOperands(v) > 0 ? LLVMGetOperand(v, 0) : NULL, next;
    return phi && LLVMIsAPHINode(phi) && variable_of_phi(&s, phi, variable)
           && incoming(phi, loop->among->flow.blocks[loop->latch], &next) && next == v;
}

static struct progress phi_progress(struct scope const *s, LLVMValueRef phi, unsigned depth) {
    for (struct ir_loop const *l = s->from; l != s->loop; l = l->outer) {
        LLVMValueRef start = dh_loop_start(l, phi);
        if (start) return progress_of(s, start, depth);
    }
    struct ir_variable v;
    if (!variable_of_phi(s, phi, &v)) return unknown;
    return made(width_of(phi), (uint64_t)v.step, v.no_signed_wrap, v.no_unsigned_wrap);
}

/* Both sides of a sum or difference, or a multiple. */
static struct progress sum_progress(struct scope const *s, LLVMValueRef v, bool negate, bool nsw,
                                    bool nuw, unsigned depth) {
    struct progress a = progress_of(s, LLVMGetOperand(v, 0), depth);
    struct progress b = progress_of(s, LLVMGetOperand(v, 1), depth);
    if (!a.known || !b.known) return unknown;
    uint64_t step =
        negate ? (uint64_t)a.step - (uint64_t)b.step : (uint64_t)a.step + (uint64_t)b.step;
    return made(width_of(v), step, nsw && a.signed_exact && b.signed_exact,
                nuw && !negate && a.unsigned_exact && b.unsigned_exact);
}

static struct progress multiple_progress(struct scope const *s, LLVMValueRef v, int64_t factor,
                                         unsigned depth) {
    struct progress a = progress_of(s, LLVMGetOperand(v, 0), depth);
    if (!a.known) return unknown;
    return made(width_of(v), (uint64_t)a.step * (uint64_t)factor, LLVMGetNSW(v) && a.signed_exact,
                LLVMGetNUW(v) && a.unsigned_exact && factor >= 0);
}

static struct progress progress_of(struct scope const *s, LLVMValueRef v, unsigned depth) {
    if (dh_loop_invariant(s->loop, v)) return still;
    unsigned width = width_of(v);
    if (width == 0 || width > 64 || depth == 0) return unknown;
    depth--;
    int64_t by;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPHI: return phi_progress(s, v, depth);
    case LLVMAdd: return sum_progress(s, v, false, LLVMGetNSW(v), LLVMGetNUW(v), depth);
    case LLVMSub: return sum_progress(s, v, true, LLVMGetNSW(v), LLVMGetNUW(v), depth);
    case LLVMOr:
        return LLVMGetIsDisjoint(v) ? sum_progress(s, v, false, true, true, depth) : unknown;
    case LLVMMul:
        return is_constant(LLVMGetOperand(v, 1), &by) ? multiple_progress(s, v, by, depth)
                                                      : unknown;
    case LLVMShl:
        if (!is_constant(LLVMGetOperand(v, 1), &by) || by < 0 || by >= (int64_t)width - 1)
            return unknown;
        return multiple_progress(s, v, (int64_t)1 << by, depth);
    case LLVMSExt: {
        struct progress a = progress_of(s, LLVMGetOperand(v, 0), depth);
        return a.known && a.signed_exact ? made(width, (uint64_t)a.step, true, false) : unknown;
    }
    case LLVMZExt: {
        struct progress a = progress_of(s, LLVMGetOperand(v, 0), depth);
        bool exact = a.unsigned_exact || (a.signed_exact && LLVMGetNNeg(v));
        return a.known && exact ? made(width, (uint64_t)a.step, true, true) : unknown;
    }
    case LLVMGetElementPtr: return address_progress(s, v, depth);
    default: return unknown;
    }
}

/* Takes constants out of an index of 64 bits. */
static LLVMValueRef without_constant(LLVMValueRef index, uint64_t scale, uint64_t *offset) {
    int64_t by;
    while (LLVMIsAInstruction(index)
           && (LLVMGetInstructionOpcode(index) == LLVMAdd
               || (LLVMGetInstructionOpcode(index) == LLVMOr && LLVMGetIsDisjoint(index)))
           && is_constant(LLVMGetOperand(index, 1), &by)) {
        *offset += (uint64_t)by * scale;
        index = LLVMGetOperand(index, 0);
    }
    return index;
}

/* Takes what a getelementptr adds into the run; false, and nothing is taken, if that is more than
 * one index and constants. */
static bool take_off(struct scope const *s, LLVMValueRef gep, struct ir_run *run) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    struct ir_run more = *run;
    uint64_t offset = (uint64_t)run->offset;
    for (unsigned i = 1, n = (unsigned)LLVMGetNumOperands(gep); i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        LLVMTypeRef outer = type;
        uint64_t size;
        int64_t by;
        if (!is_sized_simply(type)) return false;
        type = element_of(s, type, index, i == 1, &size);
        if (!is_sized_simply(type)) return false;
        if (i > 1 && LLVMGetTypeKind(outer) == LLVMStructTypeKind) {
            offset +=
                LLVMOffsetOfElement(s->layout, outer, (unsigned)LLVMConstIntGetZExtValue(index));
        } else if (is_constant(index, &by)) {
            offset += (uint64_t)by * size;
        } else if (!more.index && width_of(index) == 64 && !dh_loop_invariant(s->loop, index)) {
            more.scale = (int64_t)size;
            more.index = without_constant(index, size, &offset);
        } else {
            return false;
        }
    }
    more.offset = (int64_t)offset;
    more.base = LLVMGetOperand(gep, 0);
    *run = more;
    return true;
}

/* base + scale * index + offset, as far as one index goes; what is deeper stays in the base. */
static void take_apart(struct scope const *s, LLVMValueRef pointer, struct ir_run *run) {
    run->base = pointer;
    while (LLVMIsAGetElementPtrInst(run->base) && take_off(s, run->base, run)) {}
}

bool dh_progress_step(struct ir_loop const *loop, struct ir_loop const *from,
                      LLVMTargetDataRef layout, LLVMValueRef v, int64_t *step) {
    struct scope s = {loop, from, layout};
    struct progress p = progress_of(&s, v, DEPTH_MAX);
    *step = p.step;
    return p.known;
}

struct ir_run dh_progress_run(struct ir_loop const *loop, LLVMTargetDataRef layout,
                              LLVMValueRef pointer) {
    struct scope s = {loop, loop, layout};
    struct progress p = progress_of(&s, pointer, DEPTH_MAX);
    struct ir_run run = {0};
    if (!p.known) return run;
    run.loop = run.top = loop;
    run.stride = p.step;
    run.times = 1;
    take_apart(&s, pointer, &run);
    return run;
}
