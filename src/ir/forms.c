/* A value's form is found by looking at how it is computed: by sums, differences, multiples,
 * extensions and address arithmetic. What is computed in another way is a term.
 *
 * In 64 bits that is the machine's arithmetic, wrapping included. A narrower sum is the sum of its
 * extended parts only if it does not wrap in that sign. That is known where the program has said
 * so (nsw, nuw): if it did wrap, the result would be poison, and so would be all that is followed
 * here, up to the address; and an access at such an address is undefined behaviour. So the form is
 * that of the value wherever the value is accessed at, or branched on.
 */
#include "ir/forms.h"

enum { DEPTH_MAX = 12, STEPS_MAX = 48 }; /* of expressions that are looked into */

struct walk {
    LLVMTargetDataRef layout;
    struct ir_affine *form; /* overfull if an exact one has no room for a number, too */
    bool exact;
    unsigned steps;
};

unsigned dh_form_width(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind) return LLVMGetPointerAddressSpace(type) == 0 ? 64 : 0;
    if (kind != LLVMIntegerTypeKind) return 0;
    unsigned width = LLVMGetIntTypeWidth(type);
    return width <= 64 ? width : 0;
}

static bool is_constant(LLVMValueRef v) { return LLVMIsAConstantInt(v) && dh_form_width(v) != 0; }

static uint64_t constant(LLVMValueRef v, enum ir_sign sign) {
    return sign == IR_UNSIGNED ? LLVMConstIntGetZExtValue(v)
                               : (uint64_t)LLVMConstIntGetSExtValue(v);
}

static void add_constant(struct walk *w, uint64_t n, uint64_t factor) {
    struct ir_affine one = {.constant = n};
    if (w->exact)
        dh_affine_add_exact(w->form, &one, (int64_t)factor);
    else
        w->form->constant += factor * n;
}

/* A factor of a factor. */
static uint64_t times(struct walk *w, uint64_t factor, uint64_t n) {
    if (w->exact
        && ((int64_t)n < -IR_FACTOR_MAX || (int64_t)n > IR_FACTOR_MAX
            || (int64_t)factor < -IR_FACTOR_MAX || (int64_t)factor > IR_FACTOR_MAX))
        w->form->overfull = true;
    return factor * n;
}

static void add(struct walk *w, LLVMValueRef v, enum ir_sign sign, uint64_t factor, unsigned depth);

/* A sum or multiple that does not wrap when it is read with this sign, or may. */
static bool is_exact(LLVMValueRef v, enum ir_sign sign) {
    if (sign == IR_WHOLE) return true;
    return LLVMIsAInstruction(v) && (sign == IR_SIGNED ? LLVMGetNSW(v) : LLVMGetNUW(v));
}

static bool add_sum(struct walk *w, LLVMValueRef v, enum ir_sign sign, uint64_t factor,
                    uint64_t second, unsigned depth) {
    add(w, LLVMGetOperand(v, 0), sign, factor, depth);
    add(w, LLVMGetOperand(v, 1), sign, times(w, factor, second), depth);
    return true;
}

static bool add_multiple(struct walk *w, LLVMValueRef v, enum ir_sign sign, uint64_t factor,
                         bool shift, unsigned depth) {
    LLVMValueRef by = LLVMGetOperand(v, 1);
    if (!is_constant(by)) return false;
    uint64_t n = constant(by, shift ? IR_UNSIGNED : sign);
    if (shift && n >= 64) return false;
    if (w->exact && sign == IR_UNSIGNED && (int64_t)n < 0) return false;
    add(w, LLVMGetOperand(v, 0), sign, times(w, factor, shift ? (uint64_t)1 << n : n), depth);
    return true;
}

/* An extension says how its operand is read, unless it is itself read otherwise. */
static bool add_extension(struct walk *w, LLVMValueRef v, enum ir_sign sign, uint64_t factor,
                          bool with_sign, unsigned depth) {
    LLVMValueRef from = LLVMGetOperand(v, 0);
    if (dh_form_width(from) == 0) return false;
    /* With its sign bit copied up it is not what it was if it is read without sign. */
    if (with_sign && sign == IR_UNSIGNED) return false;
    /* Where the sign is known to be plus both are the same: one is taken for both. */
    bool plus = !with_sign && LLVMIsAInstruction(v) && LLVMGetNNeg(v);
    add(w, from, with_sign || plus ? IR_SIGNED : IR_UNSIGNED, factor, depth);
    return true;
}

static bool is_sized_simply(LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind) return is_sized_simply(LLVMGetElementType(type));
    return kind != LLVMScalableVectorTypeKind && kind != LLVMVectorTypeKind;
}

/* One index of an address: into an array, or, of a struct, the number of a field. */
static bool add_index(struct walk *w, LLVMTypeRef *type, LLVMValueRef index, bool first,
                      uint64_t factor, unsigned depth) {
    unsigned width = dh_form_width(index);
    if (width == 0) return false;
    if (!first && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        add_constant(w, LLVMOffsetOfElement(w->layout, *type, field), factor);
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return true;
    }
    if (!first) {
        if (LLVMGetTypeKind(*type) != LLVMArrayTypeKind) return false;
        *type = LLVMGetElementType(*type);
    }
    if (!is_sized_simply(*type)) return false;
    uint64_t size = LLVMABISizeOfType(w->layout, *type);
    add(w, index, width == 64 && !w->exact ? IR_WHOLE : IR_SIGNED, times(w, factor, size), depth);
    return true;
}

/* An address inside its object does not wrap, read without sign, nor do the distances on the way
 * there, read with sign. */
static bool add_address(struct walk *w, LLVMValueRef gep, enum ir_sign sign, uint64_t factor,
                        unsigned depth) {
    if (sign != IR_WHOLE && (sign == IR_SIGNED || !LLVMIsInBounds(gep))) return false;
    struct ir_affine before = *w->form;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned i = 1, n = (unsigned)LLVMGetNumOperands(gep); i < n; i++)
        if (!add_index(w, &type, LLVMGetOperand(gep, i), i == 1, factor, depth)) {
            *w->form = before;
            return false;
        }
    add(w, LLVMGetOperand(gep, 0), sign, factor, depth);
    return true;
}

/* Adds what the value is computed from. False: nothing was added, it is a term. */
static bool add_parts(struct walk *w, LLVMValueRef v, enum ir_sign sign, uint64_t factor,
                      unsigned depth) {
    LLVMOpcode opcode;
    if (LLVMIsAInstruction(v))
        opcode = LLVMGetInstructionOpcode(v);
    else if (LLVMIsAConstantExpr(v))
        opcode = LLVMGetConstOpcode(v);
    else
        return false;
    switch (opcode) {
    case LLVMAdd: return is_exact(v, sign) && add_sum(w, v, sign, factor, 1, depth);
    case LLVMSub: return is_exact(v, sign) && add_sum(w, v, sign, factor, UINT64_MAX, depth);
    case LLVMOr: /* no bit is in both: a sum, whatever the sign */
        return LLVMIsAInstruction(v) && LLVMGetIsDisjoint(v)
               && add_sum(w, v, sign, factor, 1, depth);
    case LLVMMul: return is_exact(v, sign) && add_multiple(w, v, sign, factor, false, depth);
    case LLVMShl: return is_exact(v, sign) && add_multiple(w, v, sign, factor, true, depth);
    case LLVMZExt: return add_extension(w, v, sign, factor, false, depth);
    case LLVMSExt: return add_extension(w, v, sign, factor, true, depth);
    case LLVMGetElementPtr: return add_address(w, v, sign, factor, depth);
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        if (dh_form_width(v) != 64 || dh_form_width(LLVMGetOperand(v, 0)) != 64) return false;
        add(w, LLVMGetOperand(v, 0), sign, factor, depth);
        return true;
    default: return false;
    }
}

static void add(struct walk *w, LLVMValueRef v, enum ir_sign sign, uint64_t factor,
                unsigned depth) {
    if (is_constant(v)) {
        uint64_t n = constant(v, sign);
        /* Of an exact form constants are signed. */
        if (w->exact && sign == IR_UNSIGNED && (int64_t)n < 0)
            w->form->overfull = true;
        else
            add_constant(w, n, factor);
        return;
    }
    if (depth > 0 && w->steps > 0) {
        w->steps--;
        if (add_parts(w, v, sign, factor, depth - 1)) return;
    }
    dh_affine_add(w->form, v, sign, factor);
}

void dh_form_of(LLVMTargetDataRef layout, LLVMValueRef v, enum ir_sign sign,
                struct ir_affine *form) {
    struct walk w = {layout, form, sign != IR_WHOLE, STEPS_MAX};
    *form = (struct ir_affine){0};
    add(&w, v, sign, 1, DEPTH_MAX);
    if (!form->overfull) return;
    *form = (struct ir_affine){0};
    dh_affine_add(form, v, sign, 1); /* a constant that is too large, too, is then a term */
}
