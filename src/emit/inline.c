/* Links the fast path into a module and inlines it.
 *
 * The bitcode of fastpath.c is part of the plugin. Of its functions only those that the module
 * calls are linked; they become internal, are inlined everywhere and are gone afterwards, as are
 * the helpers that atomics.c may have made. What remains are calls of the slow exits.
 */
#include "emit/emitter.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

static char const fastpath[] = {
#embed "fastpath.bc"
};

/* A module of this target and with nothing but the functions that `user` calls. Null: cannot be
 * read. */
static LLVMModuleRef read_fastpath(LLVMModuleRef user) {
    LLVMMemoryBufferRef bytes =
        LLVMCreateMemoryBufferWithMemoryRange(fastpath, sizeof fastpath, "deadheat fastpath", 0);
    LLVMModuleRef m = NULL;
    int failed = LLVMParseBitcodeInContext2(LLVMGetModuleContext(user), bytes, &m);
    LLVMDisposeMemoryBuffer(bytes);
    if (failed) return NULL;
    LLVMSetTarget(m, LLVMGetTarget(user));
    LLVMSetDataLayout(m, LLVMGetDataLayoutStr(user));
    for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        size_t length;
        LLVMValueRef wanted = LLVMGetNamedFunction(user, LLVMGetValueName2(f, &length));
        if (!LLVMIsDeclaration(f) && (!wanted || !LLVMGetFirstUse(wanted))) LLVMDeleteFunction(f);
    }
    return m;
}

void dh_emit_mark_exit(LLVMValueRef f) {
    dh_emit_add_attribute(f, (unsigned)LLVMAttributeFunctionIndex, "nonlazybind", 0);
    dh_emit_add_attribute(f, (unsigned)LLVMAttributeFunctionIndex, "nounwind", 0);
}

static void mark_slow_exit(LLVMValueRef f) {
    dh_emit_mark_exit(f);
    dh_emit_add_attribute(f, (unsigned)LLVMAttributeFunctionIndex, "cold", 0);
}

/* True if there are groups (groups.c) among the checks. */
static bool mark_functions(LLVMModuleRef module) {
    bool groups = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        char const *name = LLVMGetValueName2(f, &length);
        if (strncmp(name, "__dh_", 5) != 0) continue;
        if (LLVMIsDeclaration(f)) {
            if (length > 5 && strcmp(name + length - 5, "_slow") == 0) mark_slow_exit(f);
        } else if (strncmp(name, "__dh_check_", 11) == 0) {
            LLVMSetLinkage(f, LLVMInternalLinkage);
        } else if (strncmp(name, "__dh_missed_", 12) == 0) {
            LLVMSetLinkage(f, LLVMInternalLinkage);
            groups = true;
        }
    }
    return groups;
}

char const *dh_emit_inline(LLVMModuleRef module) {
    dh_emit_called(module);
    LLVMModuleRef m = read_fastpath(module);
    if (!m) return "the fast path in the plugin cannot be read";
    if (LLVMLinkModules2(module, m)) return "the fast path cannot be linked into the module";
    /* A group is tested once, but the result is asked for by each member: these branches become
     * one. */
    char const *passes =
        mark_functions(module) ? "always-inline,function(jump-threading)" : "always-inline";
    return dh_emit_passes(module, passes) ? NULL : "the fast path cannot be inlined";
}
