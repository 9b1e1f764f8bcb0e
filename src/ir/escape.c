/* Escape analysis, in its smallest useful form.
 *
 * A local (an alloca, or an argument passed by value) is private to its thread as long as its
 * address goes nowhere but into address arithmetic and into accesses as their address. Two walks
 * decide that:
 *
 *   down   from the local to all uses of its address and of what is computed from it. Any use that
 * is not known to be harmless lets it escape. Each value is visited once, so the walk ends. up from
 * the pointer of an access to all objects that it may point into. Through a phi or a select there
 * may be several, and all of them must be private, or constant, for the access to be.
 *
 * A thread-local variable that only its module can name is like a local: each thread has its own,
 * and gets to it by llvm.threadlocal.address, which the walks look through. Its uses are in many
 * functions. Where a thread's block was another's before it, neither left a trace in it. (A fiber
 * that takes the address along to another thread of the system does what the language has no
 * meaning for.)
 *
 * The IR is not assumed to be optimised: at -O0 a pointer that is stored in a variable has escaped,
 * though the variable is itself a local. The price is a check, never a missed race.
 *
 * `nocapture` means that the callee keeps no copy of the pointer after it returns. A callee that
 * hands the pointer to another thread and waits for it has captured it in that sense, so the
 * attribute suffices.
 */
#include "ir/escape.h"

#include <stdlib.h>
#include <string.h>

enum {
    WALK_MAX = 512,  /* uses followed before a local counts as escaping */
    OBJECTS_MAX = 32 /* values looked through before a pointer counts as unknown */
};

/* Values that a walk has met, in order; the ones past its cursor are still to be looked at. */
struct walk {
    LLVMValueRef met[WALK_MAX];
    unsigned count, limit;
};

/* False if the walk has become too long to finish. */
static bool walk_add_try(struct walk *w, LLVMValueRef v) {
    for (unsigned i = 0; i < w->count; i++)
        if (w->met[i] == v) return true;
    if (w->count == w->limit) return false;
    w->met[w->count++] = v;
    return true;
}

/* The opcode of an instruction or of a constant expression, else 0. */
static LLVMOpcode opcode_of(LLVMValueRef v) {
    if (LLVMIsAInstruction(v)) return LLVMGetInstructionOpcode(v);
    if (LLVMIsAConstantExpr(v)) return LLVMGetConstOpcode(v);
    return 0;
}

static bool has_parameter_attribute(LLVMValueRef call, unsigned argument, char const *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMGetCallSiteEnumAttribute(call, argument + 1, kind)
           || (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, argument + 1, kind));
}

/* Intrinsics which take pointers, keep none, and are not marked `nocapture` by LLVM. */
static bool is_harmless_intrinsic(LLVMValueRef callee) {
    static char const *const prefixes[] = {"llvm.va_", "llvm.masked.", "llvm.vp.", "llvm.x86.",
                                           "llvm.lifetime."};
    size_t length;
    char const *name = LLVMGetValueName2(callee, &length);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

/* The call may keep `v`, or give it away. */
static bool call_captures(LLVMValueRef call, LLVMValueRef v) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    bool intrinsic = LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) != 0;
    if (callee == v || LLVMIsAInlineAsm(callee)) return true;

    unsigned arguments = LLVMGetNumArgOperands(call), found = 0;
    for (unsigned i = 0; i < arguments; i++) {
        if (LLVMGetOperand(call, i) != v) continue;
        found++;
        if (!has_parameter_attribute(call, i, "nocapture")
            && !has_parameter_attribute(call, i, "byval")
            && !(intrinsic && is_harmless_intrinsic(callee)))
            return true;
    }
    /* In an operand bundle only: llvm.assume states facts, others may do anything. */
    return found == 0 && !intrinsic;
}

/* A call that gives the running thread's copy of the variable that is its argument. */
static bool is_copy_of_thread(LLVMValueRef v) {
    static char const name[] = "llvm.threadlocal.address";
    if (!LLVMIsACallInst(v)) return false;
    LLVMValueRef callee = LLVMGetCalledValue(v);
    return LLVMIsAFunction(callee)
           && LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(name, sizeof name - 1);
}

/* What a use does with the address `v`. */
enum use { USE_HARMLESS, USE_FOLLOW, USE_ESCAPE };

static enum use use_of(LLVMValueRef user, LLVMValueRef v) {
    switch (opcode_of(user)) {
    case LLVMLoad:
    case LLVMICmp: return USE_HARMLESS;
    case LLVMStore: return LLVMGetOperand(user, 0) == v ? USE_ESCAPE : USE_HARMLESS;
    case LLVMAtomicRMW: return LLVMGetOperand(user, 1) == v ? USE_ESCAPE : USE_HARMLESS;
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(user, 1) == v || LLVMGetOperand(user, 2) == v ? USE_ESCAPE
                                                                            : USE_HARMLESS;
    case LLVMGetElementPtr:
        return LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind ? USE_FOLLOW : USE_ESCAPE;
    case LLVMBitCast:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze: return USE_FOLLOW;
    case LLVMCall:
        if (is_copy_of_thread(user)) return USE_FOLLOW;
        return call_captures(user, v) ? USE_ESCAPE : USE_HARMLESS;
    case LLVMInvoke: return call_captures(user, v) ? USE_ESCAPE : USE_HARMLESS;
    default: return USE_ESCAPE;
    }
}

/* The walk down. */
static bool escapes(LLVMValueRef object) {
    struct walk w = {.limit = WALK_MAX};
    walk_add_try(&w, object);
    for (unsigned i = 0; i < w.count; i++) {
        for (LLVMUseRef u = LLVMGetFirstUse(w.met[i]); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            enum use use = use_of(user, w.met[i]);
            if (use == USE_ESCAPE || (use == USE_FOLLOW && !walk_add_try(&w, user))) return true;
        }
    }
    return false;
}

static size_t slot_of(struct ir_locals const *l, LLVMValueRef object) {
    size_t i = ((uintptr_t)object >> 4) * 0x9e3779b97f4a7c15u >> 20;
    for (i &= l->capacity - 1; l->table[i].object && l->table[i].object != object;)
        i = (i + 1) & (l->capacity - 1);
    return i;
}

static void locals_grow(struct ir_locals *l) {
    struct ir_locals bigger = {.capacity = l->capacity ? 2 * l->capacity : 64, .count = l->count};
    bigger.table = calloc(bigger.capacity, sizeof *bigger.table);
    if (!bigger.table) abort();
    for (size_t i = 0; i < l->capacity; i++)
        if (l->table[i].object) bigger.table[slot_of(&bigger, l->table[i].object)] = l->table[i];
    free(l->table);
    *l = bigger;
}

void dh_ir_locals_free(struct ir_locals *l) {
    free(l->table);
    *l = (struct ir_locals){0};
}

/* The same question is asked for each access to a local, so the answer is kept. */
static bool escapes_cached(struct ir_locals *l, LLVMValueRef object) {
    if (2 * l->count >= l->capacity) locals_grow(l);
    struct ir_local *local = &l->table[slot_of(l, object)];
    if (!local->object) {
        *local = (struct ir_local){.object = object, .escapes = escapes(object)};
        l->count++;
    }
    return local->escapes;
}

/* An argument passed by value: a copy on the callee's stack. */
static bool is_byval(LLVMValueRef argument) {
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == argument)
            return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
    return false;
}

/* Counters of -fprofile-instr-generate, --coverage and -fsanitize-coverage: racy by design. */
static bool is_coverage(LLVMValueRef global) {
    static char const *const prefixes[] = {"__profc_", "__profbm_", "__llvm_gcov", "__llvm_gcda",
                                           "__sancov_gen_"};
    size_t length;
    char const *name = LLVMGetValueName2(global, &length);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

/* Nothing but the module can get at the variable. (Names of llvm.used are uses, and let it
 * escape.) */
static bool is_thread_local_of_module(LLVMValueRef global) {
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return LLVMIsThreadLocal(global)
           && (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage);
}

static enum ir_exempt exempt_object(struct ir_locals *l, LLVMValueRef object) {
    if (LLVMIsAAllocaInst(object) || (LLVMIsAArgument(object) && is_byval(object)))
        return escapes_cached(l, object) ? IR_CHECKABLE : IR_EXEMPT_LOCAL;
    if (LLVMIsAGlobalVariable(object)) {
        if (LLVMIsGlobalConstant(object)) return IR_EXEMPT_CONSTANT;
        if (is_coverage(object)) return IR_EXEMPT_COVERAGE;
        if (is_thread_local_of_module(object) && !escapes_cached(l, object))
            return IR_EXEMPT_THREAD;
    }
    return IR_CHECKABLE;
}

/* The walk up. */
enum ir_exempt dh_ir_exempt_memory(struct ir_locals *l, LLVMValueRef pointer) {
    struct walk w = {.limit = OBJECTS_MAX};
    enum ir_exempt result = IR_CHECKABLE;
    walk_add_try(&w, pointer);
    for (unsigned i = 0; i < w.count; i++) {
        LLVMValueRef v = w.met[i];
        unsigned first = 0, last = 0; /* the operands that it may point where they point */
        switch (opcode_of(v)) {
        case LLVMGetElementPtr:
        case LLVMBitCast:
        case LLVMFreeze: last = 1; break;
        case LLVMSelect: first = 1, last = 3; break;
        case LLVMPHI: last = (unsigned)LLVMGetNumOperands(v); break;
        case LLVMCall: last = is_copy_of_thread(v); break;
        default: break;
        }
        for (unsigned o = first; o < last; o++)
            if (!walk_add_try(&w, LLVMGetOperand(v, o))) return IR_CHECKABLE;
        if (last != 0 || LLVMIsUndef(v) || LLVMIsNull(v)) continue;
        result = exempt_object(l, v);
        if (result == IR_CHECKABLE) return IR_CHECKABLE;
    }
    return result;
}
