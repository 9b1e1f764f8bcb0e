/* Atomic instructions become calls of the runtime, which performs the operation and updates its
 * clock in one step.
 *
 * The runtime works on integers of 8 to 128 bits; pointers and floating point numbers travel as
 * their bits. A read-modify-write that it does not know (a half, a vector of floats) becomes a loop
 * around its compare-exchange, in a function of its own that is inlined later: so no block is split
 * here.
 *
 * Operands are read from the instruction, never from the list of accesses: an operand may be the
 * result of another atomic that has just been replaced.
 */
#include "ir/access.h"
#include "place/place.h"
#include "emit/emitter.h"
#include "rt/abi.h"

#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static uint32_t order_of(struct emitter *e, LLVMAtomicOrdering order) {
    uint32_t o;
    switch (order) {
    case LLVMAtomicOrderingAcquire: o = __ATOMIC_ACQUIRE; break;
    case LLVMAtomicOrderingRelease: o = __ATOMIC_RELEASE; break;
    case LLVMAtomicOrderingAcquireRelease: o = __ATOMIC_ACQ_REL; break;
    case LLVMAtomicOrderingSequentiallyConsistent: o = __ATOMIC_SEQ_CST; break;
    default: /* monotonic, and unordered, which is weaker than anything in C */
        o = __ATOMIC_RELAXED;
        break;
    }
    return o | e->order_flags;
}

static LLVMValueRef emit_order(struct emitter *e, LLVMAtomicOrdering order) {
    return dh_emit_i32(e, order_of(e, order));
}

static unsigned bits_of(struct emitter *e, LLVMTypeRef type) {
    return 8 * (unsigned)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(e->module), type);
}

/* The integer with the same bits, and back. */
static LLVMValueRef to_bits(struct emitter *e, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v), bits = LLVMIntTypeInContext(e->context, bits_of(e, type));
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(e->builder, v, bits, "");
    return type == bits ? v : LLVMBuildBitCast(e->builder, v, bits, "");
}

static LLVMValueRef from_bits(struct emitter *e, LLVMValueRef v, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(e->builder, v, type, "");
    return type == LLVMTypeOf(v) ? v : LLVMBuildBitCast(e->builder, v, type, "");
}

/* __dh_atomic<bits>_<operation> */
static LLVMValueRef emit_operation(struct emitter *e, unsigned bits, char const *operation,
                                   LLVMTypeRef result, LLVMValueRef *arguments, unsigned count) {
    char name[48];
    snprintf(name, sizeof name, "__dh_atomic%u_%s", bits, operation);
    return dh_emit_call(e, name, result, EFFECTS_ANY, arguments, count);
}

static void replace(LLVMValueRef old, LLVMValueRef new) {
    LLVMReplaceAllUsesWith(old, new);
    LLVMInstructionEraseFromParent(old);
}

static void emit_load(struct emitter *e, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    unsigned bits = bits_of(e, type);
    LLVMValueRef arguments[] = {LLVMGetOperand(i, 0), emit_order(e, LLVMGetOrdering(i))};
    LLVMValueRef value =
        emit_operation(e, bits, "load", LLVMIntTypeInContext(e->context, bits), arguments, 2);
    replace(i, from_bits(e, value, type));
}

static void emit_store(struct emitter *e, LLVMValueRef i) {
    LLVMValueRef value = to_bits(e, LLVMGetOperand(i, 0));
    LLVMValueRef arguments[] = {LLVMGetOperand(i, 1), value, emit_order(e, LLVMGetOrdering(i))};
    emit_operation(e, bits_of(e, LLVMTypeOf(value)), "store", e->none, arguments, 3);
    LLVMInstructionEraseFromParent(i);
}

/* {old value, exchanged or not} */
static void emit_compare_exchange(struct emitter *e, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 1));
    LLVMValueRef expected = to_bits(e, LLVMGetOperand(i, 1));
    LLVMValueRef arguments[] = {LLVMGetOperand(i, 0), expected, to_bits(e, LLVMGetOperand(i, 2)),
                                emit_order(e, LLVMGetCmpXchgSuccessOrdering(i)),
                                emit_order(e, LLVMGetCmpXchgFailureOrdering(i))};
    LLVMTypeRef bits = LLVMTypeOf(expected);
    LLVMValueRef old =
        emit_operation(e, LLVMGetIntTypeWidth(bits), "compare_exchange", bits, arguments, 5);
    LLVMValueRef exchanged = LLVMBuildICmp(e->builder, LLVMIntEQ, old, expected, "");
    LLVMValueRef pair = LLVMGetPoison(LLVMTypeOf(i));
    pair = LLVMBuildInsertValue(e->builder, pair, from_bits(e, old, type), 0, "");
    replace(i, LLVMBuildInsertValue(e->builder, pair, exchanged, 1, ""));
}

/* The runtime's code for an operation. */
static enum dh_rmw rmw_of(LLVMAtomicRMWBinOp op) {
    static enum dh_rmw const codes[] = {
        [LLVMAtomicRMWBinOpXchg] = DH_RMW_XCHG,
        [LLVMAtomicRMWBinOpAdd] = DH_RMW_ADD,
        [LLVMAtomicRMWBinOpSub] = DH_RMW_SUB,
        [LLVMAtomicRMWBinOpAnd] = DH_RMW_AND,
        [LLVMAtomicRMWBinOpNand] = DH_RMW_NAND,
        [LLVMAtomicRMWBinOpOr] = DH_RMW_OR,
        [LLVMAtomicRMWBinOpXor] = DH_RMW_XOR,
        [LLVMAtomicRMWBinOpMax] = DH_RMW_MAX,
        [LLVMAtomicRMWBinOpMin] = DH_RMW_MIN,
        [LLVMAtomicRMWBinOpUMax] = DH_RMW_UMAX,
        [LLVMAtomicRMWBinOpUMin] = DH_RMW_UMIN,
        [LLVMAtomicRMWBinOpFAdd] = DH_RMW_FADD,
        [LLVMAtomicRMWBinOpFSub] = DH_RMW_FSUB,
        [LLVMAtomicRMWBinOpFMax] = DH_RMW_FMAX,
        [LLVMAtomicRMWBinOpFMin] = DH_RMW_FMIN,
        [LLVMAtomicRMWBinOpUIncWrap] = DH_RMW_UINC_WRAP,
        [LLVMAtomicRMWBinOpUDecWrap] = DH_RMW_UDEC_WRAP,
    };
    return codes[op];
}

static bool is_float_operation(enum dh_rmw op) { return op >= DH_RMW_FADD && op <= DH_RMW_FMIN; }

/* The runtime knows the floating point operations on float and double only. */
static bool runtime_knows(enum dh_rmw op, LLVMTypeRef type) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return !is_float_operation(op) || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* op(old, operand), for floating point types of any kind. */
static LLVMValueRef emit_float(struct emitter *e, enum dh_rmw op, LLVMValueRef old,
                               LLVMValueRef operand) {
    if (op == DH_RMW_FADD) return LLVMBuildFAdd(e->builder, old, operand, "");
    if (op == DH_RMW_FSUB) return LLVMBuildFSub(e->builder, old, operand, "");
    char const *name = op == DH_RMW_FMAX ? "llvm.maxnum" : "llvm.minnum";
    LLVMTypeRef type = LLVMTypeOf(old);
    LLVMValueRef f =
        LLVMGetIntrinsicDeclaration(e->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
    return LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, (LLVMValueRef[]){old, operand},
                          2, "");
}

/* The loop: read once, then compare-exchange until nobody came in between. A failed one need not
 * acquire, for then nothing of what it read is used but to try again. */
static void emit_loop_body(struct emitter *e, LLVMValueRef f, enum dh_rmw op, uint32_t order) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef pointer = LLVMGetParam(f, 0), operand = LLVMGetParam(f, 1);
    LLVMTypeRef type = LLVMTypeOf(operand),
                bits = LLVMIntTypeInContext(e->context, bits_of(e, type));
    unsigned width = LLVMGetIntTypeWidth(bits);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(e->context, f, "entry");
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(e->context, f, "loop");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(e->context, f, "done");
    LLVMValueRef relaxed = dh_emit_i32(e, __ATOMIC_RELAXED | e->order_flags);

    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef first =
        emit_operation(e, width, "load", bits, (LLVMValueRef[]){pointer, relaxed}, 2);
    LLVMBuildBr(b, loop);

    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef old = LLVMBuildPhi(b, bits, "");
    LLVMValueRef new = to_bits(e, emit_float(e, op, from_bits(e, old, type), operand));
    LLVMValueRef arguments[] = {pointer, old, new, dh_emit_i32(e, order), relaxed};
    LLVMValueRef seen = emit_operation(e, width, "compare_exchange", bits, arguments, 5);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, seen, old, ""), done, loop);
    LLVMAddIncoming(old, (LLVMValueRef[]){first, seen}, (LLVMBasicBlockRef[]){entry, loop}, 2);

    LLVMPositionBuilderAtEnd(b, done);
    LLVMBuildRet(b, from_bits(e, old, type));
}

/* The function with the loop: T f(T *p, T operand). */
static LLVMValueRef loop_function(struct emitter *e, LLVMTypeRef type, enum dh_rmw op,
                                  uint32_t order) {
    char name[128];
    char *type_name = LLVMPrintTypeToString(type);
    snprintf(name, sizeof name, "deadheat.rmw.%d.%u.%s", op, order, type_name);
    LLVMDisposeMessage(type_name);
    LLVMValueRef f = LLVMGetNamedFunction(e->module, name);
    if (f) return f;
    LLVMTypeRef parameters[] = {e->pointer, type};
    f = LLVMAddFunction(e->module, name, LLVMFunctionType(type, parameters, 2, 0));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    dh_emit_add_attribute(f, (unsigned)LLVMAttributeFunctionIndex, "alwaysinline", 0);
    dh_emit_add_attribute(f, (unsigned)LLVMAttributeFunctionIndex, "nounwind", 0);
    emit_loop_body(e, f, op, order);
    return f;
}

static void emit_rmw(struct emitter *e, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef pointer = LLVMGetOperand(i, 0), operand = LLVMGetOperand(i, 1);
    enum dh_rmw op = rmw_of(LLVMGetAtomicRMWBinOp(i));
    uint32_t order = order_of(e, LLVMGetOrdering(i));
    if (!runtime_knows(op, type)) {
        LLVMValueRef f = loop_function(e, type, op, order);
        dh_emit_before(e, i);
        replace(i, LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f,
                                  (LLVMValueRef[]){pointer, operand}, 2, ""));
        return;
    }
    LLVMValueRef arguments[] = {pointer, to_bits(e, operand), dh_emit_i32(e, op),
                                dh_emit_i32(e, order)};
    LLVMTypeRef bits = LLVMTypeOf(arguments[1]);
    LLVMValueRef old = emit_operation(e, LLVMGetIntTypeWidth(bits), "rmw", bits, arguments, 4);
    replace(i, from_bits(e, old, type));
}

/* The fence itself stays: the program's own order must not get weaker. */
static void emit_fence(struct emitter *e, LLVMValueRef i) {
    LLVMValueRef order = emit_order(e, LLVMGetOrdering(i));
    dh_emit_call(e, "__dh_atomic_thread_fence", e->none, EFFECTS_ANY, &order, 1);
}

void dh_emit_atomics(struct emitter *e, struct placement const *placement) {
    for (size_t n = 0; n < placement->count; n++) {
        struct ir_access const *a = placement->checks[n].access;
        if (a->kind != IR_ATOMIC && a->kind != IR_FENCE) continue;
        LLVMValueRef i = a->instruction;
        dh_emit_before(e, i);
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad: emit_load(e, i); break;
        case LLVMStore: emit_store(e, i); break;
        case LLVMAtomicCmpXchg: emit_compare_exchange(e, i); break;
        case LLVMAtomicRMW: emit_rmw(e, i); break;
        default: emit_fence(e, i); break;
        }
    }
}
