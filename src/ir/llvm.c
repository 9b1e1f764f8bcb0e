/* Finds the accesses of a function in LLVM's IR.
 *
 * Everything that touches memory is one of four: a load or a store; an atomic instruction or a
 * fence; an intrinsic, of which ir/intrinsics.def says what it does; or a call that passes a struct
 * by value, where the copy that the ABI makes is a read by the caller. Calls are otherwise no
 * accesses of the caller: library functions are the runtime's business, and inline assembly is not
 * looked into.
 *
 * An access that needs no check is listed all the same, with the reason, so that nothing gets lost
 * between here and the statistics.
 */
#include "ir/llvm.h"
#include "ir/calls.h"
#include "ir/effects.h"
#include "ir/entail.h"
#include "ir/escape.h"
#include "ir/forms.h"
#include "ir/objects.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = 0xff };

/* A line of ir/intrinsics.def. */
struct intrinsic {
    char const *name;
    enum ir_kind kind;
    enum ir_shape shape;
    uint8_t pointer, third, mask, active;
};

static struct intrinsic const intrinsics[] = {
#define X(...) {__VA_ARGS__},
#include "ir/intrinsics.def"
#undef X
};
enum { INTRINSICS = sizeof intrinsics / sizeof *intrinsics };

/* A module, with LLVM's numbers for the names used here. */
struct ir_module {
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    struct ir_effects *effects;
    unsigned intrinsic_ids[INTRINSICS];
    unsigned tbaa, invariant_load, nosanitize;                        /* metadata */
    unsigned align, byval, naked, sanitize_thread, disable_sanitizer; /* attributes */
};

/* One function's search. */
struct search {
    struct ir_module const *ir;
    struct ir_locals locals;
    struct ir_accesses *found;
};

static unsigned attribute_kind(char const *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

struct ir_module *dh_ir_open(LLVMModuleRef module) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    struct ir_module *ir = calloc(1, sizeof *ir);
    if (!ir) abort();
    ir->module = module;
    ir->layout = LLVMGetModuleDataLayout(module);
    ir->effects = dh_effects_open(module);
    for (size_t i = 0; i < INTRINSICS; i++)
        ir->intrinsic_ids[i] =
            LLVMLookupIntrinsicID(intrinsics[i].name, strlen(intrinsics[i].name));
    ir->tbaa = LLVMGetMDKindIDInContext(c, "tbaa", 4);
    ir->invariant_load = LLVMGetMDKindIDInContext(c, "invariant.load", 14);
    ir->nosanitize = LLVMGetMDKindIDInContext(c, "nosanitize", 10);
    ir->align = attribute_kind("align");
    ir->byval = attribute_kind("byval");
    ir->naked = attribute_kind("naked");
    ir->sanitize_thread = attribute_kind("sanitize_thread");
    ir->disable_sanitizer = attribute_kind("disable_sanitizer_instrumentation");
    return ir;
}

void dh_ir_close(struct ir_module *ir) {
    dh_effects_close(ir->effects);
    free(ir);
}

uint32_t dh_ir_functions(struct ir_module const *ir) { return dh_effects_count(ir->effects); }

LLVMValueRef dh_ir_function(struct ir_module const *ir, uint32_t number) {
    return dh_effects_function(ir->effects, number);
}

uint32_t dh_ir_ordered(struct ir_module const *ir, uint32_t i) {
    return dh_effects_ordered(ir->effects, i);
}

bool dh_ir_certain(LLVMValueRef function) { return dh_effects_certain(function); }

uint32_t dh_ir_uses(LLVMValueRef function) {
    LLVMLinkage linkage = LLVMGetLinkage(function);
    uint32_t uses = 0;
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage) return UINT32_MAX;
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u))
        uses++;
    return uses;
}

static bool has_function_attribute(LLVMValueRef function, unsigned kind) {
    return LLVMGetEnumAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex, kind)
           != NULL;
}

/* A resolver runs while the program is being relocated, before there is a shadow to look at. */
static bool is_ifunc_resolver(LLVMModuleRef module, LLVMValueRef function) {
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i; i = LLVMGetNextGlobalIFunc(i))
        if (LLVMGetGlobalIFuncResolver(i) == function) return true;
    return false;
}

bool dh_ir_checked(struct ir_module const *ir, LLVMValueRef function) {
    return !LLVMIsDeclaration(function) && has_function_attribute(function, ir->sanitize_thread)
           && !has_function_attribute(function, ir->naked)
           && !has_function_attribute(function, ir->disable_sanitizer)
           && !is_ifunc_resolver(ir->module, function);
}

/* Is this a load of an object's pointer to its virtual table? TBAA says so: {base, access, offset},
 * where the access type is {"vtable pointer", ...}. */
static bool loads_vtable_pointer(struct ir_module const *ir, LLVMValueRef load) {
    LLVMValueRef tag = LLVMGetMetadata(load, ir->tbaa), tag_parts[8], type_parts[8];
    if (!tag || LLVMGetMDNodeNumOperands(tag) < 2 || LLVMGetMDNodeNumOperands(tag) > 8)
        return false;
    LLVMGetMDNodeOperands(tag, tag_parts);
    LLVMValueRef type = tag_parts[1];
    if (!type || LLVMIsAMDString(type) || !LLVMIsAMDNode(type)) return false;
    if (LLVMGetMDNodeNumOperands(type) < 1 || LLVMGetMDNodeNumOperands(type) > 8) return false;
    LLVMGetMDNodeOperands(type, type_parts);
    if (!type_parts[0] || !LLVMIsAMDString(type_parts[0])) return false;
    unsigned length;
    char const *name = LLVMGetMDString(type_parts[0], &length);
    return length == 14 && memcmp(name, "vtable pointer", 14) == 0;
}

/* Virtual tables are constant, but which one it is, and so its constness, is known only by the type
 * of the pointer to it. (The pointer in the object is ordinary memory: constructors write it.) */
static bool points_into_vtable(struct ir_module const *ir, LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsALoadInst(pointer) && loads_vtable_pointer(ir, pointer);
}

/* Why the access needs no check, if so. The order matters only for the statistics. */
static enum ir_exempt exempt_of(struct search *s, struct ir_access const *a) {
    struct ir_module const *ir = s->ir;
    if (LLVMGetMetadata(a->instruction, ir->nosanitize)) return IR_EXEMPT_NOSANITIZE;
    LLVMTypeRef type = LLVMTypeOf(a->pointer);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || LLVMGetPointerAddressSpace(type) != 0)
        return IR_EXEMPT_SPACE;
    if (a->shape == IR_BYTES && a->size == 0) return IR_EXEMPT_EMPTY;
    if (a->kind == IR_READ && LLVMGetMetadata(a->instruction, ir->invariant_load))
        return IR_EXEMPT_CONSTANT;
    if (a->kind == IR_READ && points_into_vtable(ir, a->pointer)) return IR_EXEMPT_VTABLE;
    enum ir_exempt memory = dh_ir_exempt_memory(&s->locals, a->pointer);
    if (memory != IR_CHECKABLE) return memory;
    if (a->kind == IR_ATOMIC
        && (a->size == 0 || a->size > 16 || (a->size & (a->size - 1)) != 0 || a->align < a->size))
        return IR_EXEMPT_MISFIT;
    return IR_CHECKABLE;
}

static LLVMMetadataRef own_location(LLVMValueRef v) {
    LLVMMetadataRef at = LLVMIsAInstruction(v) ? LLVMInstructionGetDebugLoc(v) : NULL;
    return at && LLVMDILocationGetLine(at) != 0 ? at : NULL;
}

/* Of the first use that has one; through a phi, of the first use of that. */
static LLVMMetadataRef use_location(LLVMValueRef v, unsigned depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMMetadataRef at = own_location(user);
        if (!at && depth > 0 && LLVMIsAPHINode(user)) at = use_location(user, depth - 1);
        if (at) return at;
    }
    return NULL;
}

LLVMMetadataRef dh_ir_location(LLVMValueRef i) {
    LLVMMetadataRef at = own_location(i);
    if (!at) at = LLVMIsAStoreInst(i) ? own_location(LLVMGetOperand(i, 0)) : use_location(i, 2);
    return at ? at : LLVMInstructionGetDebugLoc(i);
}

static struct ir_position position_of(LLVMValueRef instruction) {
    LLVMMetadataRef at = dh_ir_location(instruction);
    if (!at) return (struct ir_position){0};
    unsigned length = 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
    char const *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    return (struct ir_position){.file = name,
                                .file_length = length,
                                .line = LLVMDILocationGetLine(at),
                                .column = LLVMDILocationGetColumn(at)};
}

static void found(struct search *s, struct ir_access a) {
    struct ir_accesses *f = s->found;
    if (f->count == f->capacity) {
        f->capacity = f->capacity ? 2 * f->capacity : 64;
        f->list = realloc(f->list, f->capacity * sizeof *f->list);
        if (!f->list) abort();
    }
    if (a.align == 0) a.align = 1;
    if (a.exempt == IR_CHECKABLE && a.pointer) a.exempt = exempt_of(s, &a);
    a.position = position_of(a.instruction);
    f->list[f->count++] = a;
}

/* Has no size that the compiler knows. Scalable vectors sit at the bottom of aggregates, if
 * anywhere. */
static bool is_scalable(LLVMTypeRef type) {
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMCountStructElementTypes(type) > 0)
        type = LLVMStructGetTypeAtIndex(type, 0);
    return LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind;
}

/* A load, a store, or an atomic that writes; `type` is what is in memory. An atomic whose scope is
 * its own thread is atomic for signal handlers only: to other threads it is an ordinary access. */
static void found_typed(struct search *s, LLVMValueRef i, enum ir_kind kind,
                        unsigned pointer_operand, LLVMTypeRef type, bool atomic) {
    struct ir_access a = {.kind = atomic && !LLVMIsAtomicSingleThread(i) ? IR_ATOMIC : kind,
                          .shape = IR_BYTES,
                          .instruction = i,
                          .pointer = LLVMGetOperand(i, pointer_operand),
                          .align = LLVMGetAlignment(i)};
    if (is_scalable(type))
        a.exempt = IR_EXEMPT_SCALABLE;
    else
        a.size = LLVMStoreSizeOfType(s->ir->layout, type);
    found(s, a);
}

static void found_fence(struct search *s, LLVMValueRef i) {
    found(s, (struct ir_access){
                 .kind = IR_FENCE,
                 .instruction = i,
                 .exempt = LLVMIsAtomicSingleThread(i) ? IR_EXEMPT_SIGNAL : IR_CHECKABLE,
             });
}

/* What the call site, or else the declaration, promises about an argument's alignment. */
static uint32_t argument_align(struct ir_module const *ir, LLVMValueRef call, unsigned argument) {
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, argument + 1, ir->align);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!a && LLVMIsAFunction(callee))
        a = LLVMGetEnumAttributeAtIndex(callee, argument + 1, ir->align);
    return a ? (uint32_t)LLVMGetEnumAttributeValue(a) : 1;
}

static void found_lanes(struct search *s, struct intrinsic const *d, struct ir_access a) {
    LLVMValueRef call = a.instruction;
    LLVMTypeRef vector = LLVMTypeOf(d->third == NONE ? call : LLVMGetOperand(call, d->third));
    a.mask = LLVMGetOperand(call, d->mask);
    if (d->active != NONE) a.active = LLVMGetOperand(call, d->active);
    if (d->shape == IR_INDEXED) {
        a.index = LLVMGetOperand(call, 2);
        a.scale = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 4));
    }
    if (LLVMGetTypeKind(vector) == LLVMVectorTypeKind) {
        a.lanes = LLVMGetVectorSize(vector);
        if (a.index && LLVMGetVectorSize(LLVMTypeOf(a.index)) < a.lanes)
            a.lanes = LLVMGetVectorSize(LLVMTypeOf(a.index)); /* the rest becomes zero */
        a.size = LLVMStoreSizeOfType(s->ir->layout, LLVMGetElementType(vector));
    } else {
        a.exempt = IR_EXEMPT_SCALABLE;
    }
    found(s, a);
}

static void found_intrinsic(struct search *s, LLVMValueRef call, struct intrinsic const *d) {
    struct ir_access a = {.kind = d->kind,
                          .shape = d->shape,
                          .instruction = call,
                          .pointer = LLVMGetOperand(call, d->pointer),
                          .align = argument_align(s->ir, call, d->pointer)};
    if (d->shape == IR_BYTES) {
        a.size = d->third;
        found(s, a);
    } else if (d->shape == IR_RANGE) {
        a.length = LLVMGetOperand(call, d->third);
        if (LLVMIsAConstantInt(a.length)) {
            a.shape = IR_BYTES;
            a.size = LLVMConstIntGetZExtValue(a.length);
        }
        found(s, a);
    } else {
        found_lanes(s, d, a);
    }
}

/* Structs that are passed by value are copied by the caller. */
static void found_call(struct search *s, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    unsigned id = LLVMIsAFunction(callee) ? LLVMGetIntrinsicID(callee) : 0;
    if (id != 0) {
        for (size_t i = 0; i < INTRINSICS; i++)
            if (s->ir->intrinsic_ids[i] == id) found_intrinsic(s, call, &intrinsics[i]);
        return;
    }
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++) {
        LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, i + 1, s->ir->byval);
        if (!byval) continue;
        LLVMTypeRef type = LLVMGetTypeAttributeValue(byval);
        found(s, (struct ir_access){.kind = IR_READ,
                                    .shape = IR_BYTES,
                                    .instruction = call,
                                    .pointer = LLVMGetOperand(call, i),
                                    .size = LLVMABISizeOfType(s->ir->layout, type),
                                    .align = argument_align(s->ir, call, i)});
    }
}

static void found_instruction(struct search *s, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        found_typed(s, i, IR_READ, 0, LLVMTypeOf(i),
                    LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic);
        break;
    case LLVMStore:
        found_typed(s, i, IR_WRITE, 1, LLVMTypeOf(LLVMGetOperand(i, 0)),
                    LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        found_typed(s, i, IR_WRITE, 0, LLVMTypeOf(LLVMGetOperand(i, 1)), true);
        break;
    case LLVMFence: found_fence(s, i); break;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr: found_call(s, i); break;
    default: break;
    }
}

void dh_ir_accesses(struct ir_module const *ir, LLVMValueRef function, struct ir_accesses *list) {
    struct search s = {.ir = ir, .found = list};
    list->count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            found_instruction(&s, i);
    dh_ir_locals_free(&s.locals);
}

static void find_object(struct ir_module const *ir, struct ir_flow const *flow,
                        struct ir_objects *objects, struct ir_access *a) {
    struct ir_affine form;
    dh_form_of(ir->layout, a->pointer, IR_WHOLE, &form);
    a->object = dh_object_of(objects, flow, &form);
    a->offset = (int64_t)form.constant;
}

static void found_known(struct ir_module const *ir, struct ir_accesses *accesses,
                        struct ir_call call) {
    if (accesses->call_count == accesses->call_capacity) {
        accesses->call_capacity = accesses->call_capacity ? 2 * accesses->call_capacity : 16;
        accesses->calls =
            realloc(accesses->calls, accesses->call_capacity * sizeof *accesses->calls);
        if (!accesses->calls) abort();
    }
    call.callee = dh_effects_number(ir->effects, LLVMGetCalledValue(call.instruction));
    accesses->calls[accesses->call_count++] = call;
}

/* Instructions of a block in order, with their accesses, which are in the same order. */
static void order_block(struct ir_module const *ir, struct ir_flow const *flow, uint32_t number,
                        LLVMBasicBlockRef block, struct ir_accesses *accesses, size_t *next) {
    uint32_t stretch = 0, span = 0, reach = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        for (; *next < accesses->count && accesses->list[*next].instruction == i; ++*next) {
            struct ir_access *a = &accesses->list[*next];
            a->block = number;
            a->stretch = stretch;
            a->span = span;
            a->reach = reach;
            if (number != IR_UNREACHED && a->shape == IR_BYTES && a->exempt == IR_CHECKABLE
                && a->pointer)
                find_object(ir, flow, accesses->objects, a);
        }
        unsigned effects = dh_effects_of(ir->effects, i);
        if (dh_call_known(i))
            found_known(ir, accesses,
                        (struct ir_call){.instruction = i,
                                         .block = number,
                                         .span = span,
                                         .stretch = stretch,
                                         .next = (uint32_t)*next,
                                         .ends = (effects & IR_ENDS_CHECKS) != 0});
        if (effects != 0) stretch++;
        if (effects & IR_ENDS_CHECKS) span++;
        if (effects & ~(unsigned)IR_RELEASES) reach++;
    }
    if (number == IR_UNREACHED) return;
    flow->stretches[number] = stretch + 1;
    flow->spans[number] = span + 1;
    flow->reaches[number] = reach + 1;
    flow->returns[number] = LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)) != NULL;
}

void dh_ir_order(struct ir_module const *ir, LLVMValueRef function, struct ir_loops *loops,
                 struct ir_accesses *accesses) {
    dh_loops_open(loops, function, ir->layout, ir->effects);
    size_t next = 0;
    if (!accesses->objects) {
        accesses->objects = calloc(1, sizeof *accesses->objects);
        accesses->entail = calloc(1, sizeof *accesses->entail);
        if (!accesses->objects || !accesses->entail) abort();
    }
    accesses->function = dh_effects_number(ir->effects, function);
    accesses->call_count = 0;
    dh_objects_clear(accesses->objects);
    dh_entail_close(accesses->entail);
    dh_entail_open(accesses->entail, ir->layout, &loops->flow);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        order_block(ir, &loops->flow, dh_flow_number(&loops->flow, b), b, accesses, &next);
    accesses->flow = &loops->flow;
    dh_loops_find_runs(loops, ir->layout, accesses);
}

void dh_ir_accesses_free(struct ir_accesses *list) {
    if (list->objects) {
        dh_objects_close(list->objects);
        dh_entail_close(list->entail);
    }
    free(list->objects);
    free(list->entail);
    free(list->calls);
    free(list->list);
    *list = (struct ir_accesses){0};
}
