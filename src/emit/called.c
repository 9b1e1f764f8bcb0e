/* Which checks are called, and not inlined: those of functions that have many. Each inlined test
 * makes three blocks of one, and what code generation takes longer for is the number of blocks: of
 * such functions it would be two or three times as long. Called, the same test (rt/called.c) takes
 * a few instructions more, and the code is so much smaller that large programs become no slower
 * (docs/benchmarks.md).
 */
#include "emit/emitter.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 32, PRESERVE_MOST = 14 /* LLVM's number of the convention */ };

/* What is behind "__dh_called_" in the name of what can be called for a check; else null. */
static char const *callable(LLVMValueRef call) {
    static char const *const verbs[] = {"__dh_check_read", "__dh_check_write"};
    static char const *const sizes[] = {"1",  "2",           "4",           "8",
                                        "16", "2_unaligned", "4_unaligned", "8_unaligned"};
    if (!LLVMIsACallInst(call) || !LLVMIsAFunction(LLVMGetCalledValue(call))) return NULL;
    size_t length;
    char const *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
    if (strcmp(name, "__dh_check_gather8") == 0) return "read8";
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
        if (strncmp(name, verbs[v], strlen(verbs[v])) != 0) continue;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (strcmp(name + strlen(verbs[v]), sizes[i]) == 0) return name + strlen("__dh_check_");
    }
    return NULL;
}

/* The function of the runtime, declared. */
static LLVMValueRef called(LLVMModuleRef module, LLVMTypeRef type, char const *check) {
    char name[48];
    snprintf(name, sizeof name, "__dh_called_%s", check);
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (f) return f;
    f = LLVMAddFunction(module, name, type);
    LLVMSetFunctionCallConv(f, PRESERVE_MOST);
    dh_emit_mark_exit(f);
    return f;
}

static void call(LLVMModuleRef module, LLVMValueRef check, char const *name) {
    LLVMSetOperand(check, (unsigned)LLVMGetNumOperands(check) - 1,
                   called(module, LLVMGetCalledFunctionType(check), name));
    LLVMSetInstructionCallConv(check, PRESERVE_MOST);
}

/* Returns how many of a function's checks can be called. */
static uint32_t each_check(LLVMModuleRef module, LLVMValueRef function, bool change) {
    uint32_t count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            char const *name = callable(i);
            if (!name) continue;
            count++;
            if (change) call(module, i, name);
        }
    return count;
}

void dh_emit_called(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (each_check(module, f, false) >= MANY) each_check(module, f, true);
}
