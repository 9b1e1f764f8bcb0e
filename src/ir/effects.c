/* The effects of a function are those of its instructions together. Functions that call each other
 * in a circle make that a least fixed point, found by going over all functions, callees first,
 * until nothing changes: one round more than circles are nested.
 *
 *   A function stays if one of its loops may (ir/loops.h), if what it calls may, and if it may call
 *   itself: nothing bounds the depth.
 *
 * Only a body that is sure to be the one that runs is looked into: another module's may take the
 * place of one that is weak, or inline.
 */
#include "ir/effects.h"
#include "ir/loops.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

struct known {
    LLVMValueRef function;
    unsigned effects;
    uint32_t first_call, call_count; /* in `calls` */
    uint32_t next;                   /* being walked: the next call to follow */
    bool met, open;                  /* on the walk; and not done with */
};

struct ir_effects {
    struct known *functions;
    uint32_t count, mask; /* `table` has mask + 1 places */
    uint32_t *table;      /* by function: its number plus one */
    uint32_t *order;      /* numbers of functions, callees before callers but for circles */
    uint32_t *calls;      /* functions called */
    uint32_t call_count, call_capacity;
};

static uint32_t *slot_of(struct ir_effects const *e, LLVMValueRef function) {
    uint32_t i = (uint32_t)((uint64_t)(uintptr_t)function * 0x9e3779b97f4a7c15u >> 32) & e->mask;
    while (e->table[i] != 0 && e->functions[e->table[i] - 1].function != function)
        i = (i + 1) & e->mask;
    return &e->table[i];
}

static bool takes_real(LLVMValueRef function) {
    if (LLVMCountParams(function) == 0) return false;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, 0)));
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind;
}

/* Of a function that is defined elsewhere. */
static unsigned libc_effects(LLVMValueRef function) {
    static struct {
        char const *name;
        unsigned effects;
        bool real;
    } const known[] = {
#define X(name) {#name, 0, false},
#define REAL(name) {#name, 0, true}, {#name "f", 0, true}, {#name "l", 0, true},
#define SYNC(name, effects) {#name, effects, false},
#include "ir/libc.def"
#undef X
#undef REAL
#undef SYNC
    };
    size_t length;
    char const *name = LLVMGetValueName2(function, &length);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0 && (!known[i].real || takes_real(function)))
            return known[i].effects;
    return IR_ANYTHING;
}

/* memory(none): it computes something from its arguments. */
static bool only_computes(LLVMAttributeRef memory) {
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static unsigned memory_kind(void) { return LLVMGetEnumAttributeKindForName("memory", 6); }

/* Stack memory that comes and goes stays this thread's, so lifetimes have no effect here. */
static unsigned intrinsic_effects(LLVMValueRef callee) {
    static char const *const quiet[] = {
        "llvm.memcpy.",    "llvm.memmove.",     "llvm.memset.",
        "llvm.dbg.",       "llvm.assume",       "llvm.lifetime.",
        "llvm.masked.",    "llvm.vp.",          "llvm.prefetch",
        "llvm.stacksave",  "llvm.stackrestore", "llvm.va_",
        "llvm.invariant.", "llvm.annotation",   "llvm.experimental.noalias.",
    };
    size_t length;
    char const *name = LLVMGetValueName2(callee, &length);
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (strncmp(name, quiet[i], strlen(quiet[i])) == 0) return 0;
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(callee, (unsigned)LLVMAttributeFunctionIndex, memory_kind());
    return only_computes(memory) ? 0 : IR_ANYTHING;
}

static unsigned call_effects(struct ir_effects const *e, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) { /* not volatile, and without memory: an unusual computation */
        LLVMAttributeRef memory =
            LLVMGetCallSiteEnumAttribute(call, (unsigned)LLVMAttributeFunctionIndex, memory_kind());
        return only_computes(memory) && !LLVMGetInlineAsmHasSideEffects(callee) ? 0 : IR_ANYTHING;
    }
    uint32_t known = LLVMIsAFunction(callee) ? *slot_of(e, callee) : 0;
    return known ? e->functions[known - 1].effects : IR_ANYTHING;
}

static unsigned order_effects(LLVMAtomicOrdering order) {
    switch (order) {
    case LLVMAtomicOrderingNotAtomic:
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic: return 0;
    case LLVMAtomicOrderingAcquire: return IR_ACQUIRES;
    case LLVMAtomicOrderingRelease: return IR_RELEASES;
    default: return IR_ACQUIRES | IR_RELEASES;
    }
}

unsigned dh_effects_of(struct ir_effects const *e, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall: return call_effects(e, i);
    case LLVMLoad: return order_effects(LLVMGetOrdering(i)) & IR_ACQUIRES;
    case LLVMStore: return order_effects(LLVMGetOrdering(i)) & IR_RELEASES;
    case LLVMAtomicRMW: return order_effects(LLVMGetOrdering(i));
    case LLVMAtomicCmpXchg:
        return order_effects(LLVMGetCmpXchgSuccessOrdering(i))
               | order_effects(LLVMGetCmpXchgFailureOrdering(i));
    case LLVMFence:
        return LLVMIsAtomicSingleThread(i) ? IR_ANYTHING : order_effects(LLVMGetOrdering(i));
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMVAArg:
    case LLVMResume:
    case LLVMUnreachable: return IR_ANYTHING;
    default: return 0;
    }
}

/* ---- functions ---- */

/* -fsemantic-interposition: what a shared library exports may be somebody else's when it runs. */
static bool is_replaceable(LLVMValueRef function) {
    static char const flag[] = "SemanticInterposition";
    return LLVMGetVisibility(function) == LLVMDefaultVisibility
           && LLVMGetModuleFlag(LLVMGetGlobalParent(function), flag, strlen(flag)) != NULL;
}

bool dh_effects_certain(LLVMValueRef function) {
    switch (LLVMGetLinkage(function)) {
    case LLVMExternalLinkage: return !LLVMIsDeclaration(function) && !is_replaceable(function);
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage: return !LLVMIsDeclaration(function);
    default: return false;
    }
}

static void note_call(struct ir_effects *e, struct known *f, uint32_t callee) {
    if (e->call_count == e->call_capacity) {
        e->call_capacity = e->call_capacity ? 2 * e->call_capacity : 256;
        e->calls = realloc(e->calls, e->call_capacity * sizeof *e->calls);
        if (!e->calls) abort();
    }
    e->calls[e->call_count++] = callee;
    f->call_count++;
}

/* The effects of the body's own instructions, and what it calls. */
static void look_into(struct ir_effects *e, struct known *f, LLVMTargetDataRef layout) {
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMValueRef function = f->function;
    f->first_call = e->call_count;
    f->effects = dh_loops_all_end(function, layout) ? 0 : IR_STAYS;
    if (!LLVMGetEnumAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex, nounwind))
        f->effects |= IR_STAYS;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            uint32_t called = callee && LLVMIsAFunction(callee) ? *slot_of(e, callee) : 0;
            if (called != 0)
                note_call(e, f, called - 1);
            else
                f->effects |= dh_effects_of(e, i);
        }
}

/* The functions, callees before callers but where they call each other; the first of such a circle
 * that is met is one that stays. Depth is not on the machine's stack: programs made by programs
 * call deep. */
static void order_functions(struct ir_effects *e, uint32_t *order) {
    uint32_t *stack = malloc((e->count + 1) * sizeof *stack), depth = 0, done = 0;
    if (!stack) abort();
    for (uint32_t root = 0; root < e->count; root++) {
        if (e->functions[root].met) continue;
        e->functions[root].met = e->functions[root].open = true;
        stack[depth++] = root;
        while (depth > 0) {
            struct known *b = &e->functions[stack[depth - 1]];
            if (b->next == b->call_count) {
                b->open = false;
                order[done++] = stack[--depth];
                continue;
            }
            uint32_t callee = e->calls[b->first_call + b->next++];
            struct known *c = &e->functions[callee];
            if (c->open) c->effects |= IR_STAYS;
            if (c->met) continue;
            c->met = c->open = true;
            stack[depth++] = callee;
        }
    }
    free(stack);
}

static void propagate(struct ir_effects *e) {
    e->order = malloc((e->count + 1) * sizeof *e->order);
    if (!e->order) abort();
    order_functions(e, e->order);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < e->count; i++) {
            struct known *b = &e->functions[e->order[i]];
            unsigned before = b->effects;
            for (uint32_t c = 0; c < b->call_count; c++)
                b->effects |= e->functions[e->calls[b->first_call + c]].effects;
            changed |= b->effects != before;
        }
    }
}

struct ir_effects *dh_effects_open(LLVMModuleRef module) {
    struct ir_effects *e = calloc(1, sizeof *e);
    if (!e) abort();
    uint32_t all = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        all++;
    for (e->mask = 15; e->mask < 2 * all; e->mask = 2 * e->mask + 1) {}
    e->functions = calloc(all + 1, sizeof *e->functions);
    e->table = calloc((size_t)e->mask + 1, sizeof *e->table);
    if (!e->functions || !e->table) abort();
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        uint32_t *slot = slot_of(e, f);
        e->functions[e->count].function = f;
        *slot = ++e->count;
    }
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    for (uint32_t i = 0; i < e->count; i++) {
        struct known *f = &e->functions[i];
        if (dh_effects_certain(f->function))
            look_into(e, f, layout);
        else if (LLVMGetIntrinsicID(f->function) != 0)
            f->effects = intrinsic_effects(f->function);
        else
            f->effects = LLVMIsDeclaration(f->function) ? libc_effects(f->function) : IR_ANYTHING;
    }
    propagate(e);
    return e;
}

void dh_effects_close(struct ir_effects *e) {
    free(e->functions);
    free(e->table);
    free(e->order);
    free(e->calls);
    free(e);
}

uint32_t dh_effects_count(struct ir_effects const *e) { return e->count; }

uint32_t dh_effects_ordered(struct ir_effects const *e, uint32_t i) { return e->order[i]; }

LLVMValueRef dh_effects_function(struct ir_effects const *e, uint32_t number) {
    return e->functions[number].function;
}

uint32_t dh_effects_number(struct ir_effects const *e, LLVMValueRef function) {
    return *slot_of(e, function) - 1;
}
