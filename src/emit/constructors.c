/* The module's constructors: ours in, ThreadSanitizer's out.
 *
 * clang is told -fsanitize=thread for what that does to its front end and optimiser. Its own pass
 * is told to instrument nothing (plugin.cpp), but adds a constructor that calls __tsan_init all the
 * same. This runs after it and takes that out again.
 *
 * Ours has the same name in all modules and is in a comdat, with its entry in .init_array, so that
 * a program has one for each executable or library, however many objects went into it.
 */
#include "emit/emitter.h"

#include <llvm-c/Comdat.h>
#include <stdbool.h>
#include <string.h>

static char const ctors_name[] = "llvm.global_ctors";
static char const our_name[] = "deadheat.module_ctor";
static char const loops_name[] = "deadheat.loops_ctor";

/* What the stock pass declares it declares in every module, called or not. */
static void delete_unused(LLVMModuleRef module, char const *prefix) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        size_t length;
        bool named = strncmp(LLVMGetValueName2(f, &length), prefix, strlen(prefix)) == 0;
        if (named && LLVMIsDeclaration(f) && !LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
    }
}

static void remove_tsan(LLVMModuleRef module) {
    LLVMValueRef ctor = LLVMGetNamedFunction(module, "tsan.module_ctor");
    if (!ctor) return;
    dh_emit_change_list(module, ctors_name, ctor, NULL);
    dh_emit_change_list(module, "llvm.used", ctor, NULL);
    /* The old lists are gone, but as constants they live on in the context. */
    LLVMReplaceAllUsesWith(ctor, LLVMConstNull(LLVMTypeOf(ctor)));
    LLVMDeleteFunction(ctor);
    delete_unused(module, "__tsan_");
}

/* Calls one function of the runtime. */
static LLVMValueRef build_constructor(LLVMModuleRef module, char const *name, char const *calls) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), NULL, 0, 0);
    LLVMValueRef ctor = LLVMAddFunction(module, name, type);
    unsigned const function = (unsigned)LLVMAttributeFunctionIndex;
    LLVMSetLinkage(ctor, LLVMLinkOnceODRLinkage);
    LLVMSetVisibility(ctor, LLVMHiddenVisibility);
    LLVMSetComdat(ctor, LLVMGetOrInsertComdat(module, name));
    dh_emit_add_attribute(ctor, function, "nounwind", 0);
    dh_emit_add_attribute(ctor, function, "uwtable",
                          2); /* asynchronous: stacks are walked from anywhere */

    LLVMValueRef callee = LLVMGetNamedFunction(module, calls);
    if (!callee) callee = LLVMAddFunction(module, calls, type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, ctor, "entry"));
    LLVMBuildCall2(b, type, callee, NULL, 0, "");
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return ctor;
}

static bool has_functions(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) return true;
    return false;
}

static void add(LLVMModuleRef module, char const *name, char const *calls) {
    if (LLVMGetNamedFunction(module, name)) return;
    LLVMValueRef ctor = build_constructor(module, name, calls);
    LLVMContextRef c = LLVMGetModuleContext(module);
    /* {priority, function, the symbol whose comdat it lives and dies with} */
    LLVMValueRef entry[] = {LLVMConstInt(LLVMInt32TypeInContext(c), 0, 0), ctor, ctor};
    dh_emit_change_list(module, ctors_name, NULL, LLVMConstStructInContext(c, entry, 3, 0));
}

/* The runtime looks for this name (rt/audit.c). */
void dh_emit_audited(LLVMModuleRef module) {
    static char const name[] = "__dh_audited";
    if (LLVMGetNamedGlobal(module, name)) return;
    LLVMTypeRef i8 = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
    LLVMValueRef mark = LLVMAddGlobal(module, i8, name);
    LLVMSetInitializer(mark, LLVMConstInt(i8, 1, 0));
    LLVMSetLinkage(mark, LLVMWeakODRLinkage);
    LLVMSetGlobalConstant(mark, 1);
}

void dh_emit_has_loops(LLVMModuleRef module) { add(module, loops_name, "__dh_has_loops"); }

void dh_emit_constructors(LLVMModuleRef module) {
    remove_tsan(module);
    if (has_functions(module)) add(module, our_name, "__dh_init_v3");
}
