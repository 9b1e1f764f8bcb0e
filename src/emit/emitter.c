/* Calls from the program into the runtime. */
#include "emit/emitter.h"
#include "ir/llvm.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

LLVMValueRef dh_emit_i32(struct emitter *e, uint32_t n) { return LLVMConstInt(e->i32, n, 0); }
LLVMValueRef dh_emit_i64(struct emitter *e, uint64_t n) { return LLVMConstInt(e->i64, n, 0); }

LLVMValueRef dh_emit_offset(struct emitter *e, LLVMValueRef pointer, LLVMValueRef bytes) {
    return LLVMBuildGEP2(e->builder, e->i8, pointer, &bytes, 1, "");
}

static LLVMAttributeRef attribute(LLVMContextRef c, char const *name, uint64_t value) {
    return LLVMCreateEnumAttribute(c, LLVMGetEnumAttributeKindForName(name, strlen(name)), value);
}

void dh_emit_add_attribute(LLVMValueRef function, unsigned index, char const *name,
                           uint64_t value) {
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(function, index, attribute(c, name, value));
}

/* A call in a function with debug information must have a position, or the inliner could not make
 * one for what it inlines there. Line 0 means "somewhere in this function". */
static LLVMMetadataRef position_of(struct emitter *e, LLVMValueRef instruction) {
    LLVMMetadataRef at = dh_ir_location(instruction);
    if (at) return at;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    return scope ? LLVMDIBuilderCreateDebugLocation(e->context, 0, 0, scope, NULL) : NULL;
}

void dh_emit_before_for(struct emitter *e, LLVMValueRef instruction, LLVMValueRef whose_position) {
    LLVMPositionBuilderBefore(e->builder, instruction);
    LLVMSetCurrentDebugLocation2(e->builder, position_of(e, whose_position));
}

void dh_emit_before(struct emitter *e, LLVMValueRef instruction) {
    dh_emit_before_for(e, instruction, instruction);
}

/* LLVM's encoding of the attribute memory(...): two bits (1 reads, 2 writes) for memory that
 * arguments point to, then two for memory that the module cannot see, then two for the rest. */
enum { MEMORY_ARGUMENT = 0, MEMORY_INACCESSIBLE = 2, MEMORY_READ = 1, MEMORY_READ_WRITE = 3 };

static LLVMValueRef declare(struct emitter *e, char const *name, LLVMTypeRef type,
                            enum effects effects) {
    LLVMValueRef f = LLVMGetNamedFunction(e->module, name);
    if (f) return f;
    f = LLVMAddFunction(e->module, name, type);
    unsigned const function = (unsigned)LLVMAttributeFunctionIndex;
    dh_emit_add_attribute(f, function, "nounwind", 0);
    dh_emit_add_attribute(f, function, "willreturn", 0);
    if (effects != EFFECTS_ANY) {
        uint64_t memory = MEMORY_READ_WRITE << MEMORY_INACCESSIBLE;
        if (effects == EFFECTS_READ_ARGUMENT) memory |= MEMORY_READ << MEMORY_ARGUMENT;
        dh_emit_add_attribute(f, function, "memory", memory);
        if (LLVMCountParams(f) > 0) dh_emit_add_attribute(f, 1, "nocapture", 0);
    }
    return f;
}

/* Integers narrower than int are widened by the caller, for the callee relies on it. */
static void extend_narrow(struct emitter *e, LLVMValueRef call, unsigned index, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 32)
        LLVMAddCallSiteAttribute(call, index, attribute(e->context, "zeroext", 0));
}

LLVMValueRef dh_emit_call(struct emitter *e, char const *name, LLVMTypeRef result,
                          enum effects effects, LLVMValueRef *arguments, unsigned count) {
    LLVMTypeRef types[8];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef call =
        LLVMBuildCall2(e->builder, type, declare(e, name, type, effects), arguments, count, "");
    for (unsigned i = 0; i < count; i++)
        extend_narrow(e, call, i + 1, types[i]);
    extend_narrow(e, call, LLVMAttributeReturnIndex, result);
    LLVMAddCallSiteAttribute(call, (unsigned)LLVMAttributeFunctionIndex,
                             attribute(e->context, "nomerge", 0));
    LLVMSetTailCallKind(call, LLVMTailCallKindNoTail); /* it returns to where it was made */
    return call;
}

LLVMValueRef dh_emit_assembly(struct emitter *e, LLVMTypeRef type, LLVMValueRef assembly) {
    LLVMValueRef call = LLVMBuildCall2(e->builder, type, assembly, NULL, 0, "");
    unsigned const function = (unsigned)LLVMAttributeFunctionIndex;
    uint64_t memory = MEMORY_READ_WRITE << MEMORY_INACCESSIBLE; /* it stays where it is */
    LLVMAddCallSiteAttribute(call, function, attribute(e->context, "memory", memory));
    LLVMAddCallSiteAttribute(call, function, attribute(e->context, "nounwind", 0));
    LLVMAddCallSiteAttribute(call, function, attribute(e->context, "willreturn", 0));
    LLVMAddCallSiteAttribute(call, function, attribute(e->context, "nomerge", 0));
    return call;
}

bool dh_emit_passes(LLVMModuleRef module, char const *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (error) LLVMConsumeError(error);
    return !error;
}

/* An element of llvm.global_ctors is {priority, function, data}, of llvm.used the symbol itself. */
static bool is_about(LLVMValueRef element, LLVMValueRef symbol) {
    return element == symbol
           || (LLVMIsAConstantStruct(element) && LLVMGetOperand(element, 1) == symbol);
}

void dh_emit_change_list(LLVMModuleRef module, char const *name, LLVMValueRef removed,
                         LLVMValueRef added) {
    LLVMValueRef old = LLVMGetNamedGlobal(module, name);
    LLVMValueRef list = old ? LLVMGetInitializer(old) : NULL;
    unsigned count = 0, old_count = 0;
    if (list && LLVMIsAConstantArray(list)) old_count = (unsigned)LLVMGetNumOperands(list);
    LLVMValueRef *elements = calloc(old_count + 1, sizeof *elements);
    if (!elements) abort();
    for (unsigned i = 0; i < old_count; i++) {
        LLVMValueRef e = LLVMGetOperand(list, i);
        if (!removed || !is_about(e, removed)) elements[count++] = e;
    }
    if (added) elements[count++] = added;
    if (old) LLVMDeleteGlobal(old);
    if (count != 0) {
        LLVMTypeRef type = LLVMTypeOf(elements[0]);
        LLVMValueRef new = LLVMAddGlobal(module, LLVMArrayType2(type, count), name);
        LLVMSetLinkage(new, LLVMAppendingLinkage);
        LLVMSetInitializer(new, LLVMConstArray2(type, elements, count));
        if (strstr(name, "used")) LLVMSetSection(new, "llvm.metadata");
    }
    free(elements);
}
