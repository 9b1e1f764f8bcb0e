#include "emit/link.h"
#include "emit/emitter.h"
#include "emit/plugin.h"

#include <stdio.h>
#include <string.h>

/* The value of the attribute: a letter for each option that is on, then the detector. */
static char const attribute_name[] = "deadheat";
enum { AUDIT = 'a', CXX20 = 'c', STATS = 's', END = '.' };

/* Found in no library. The linker's message is the explanation. */
static char const wanted_name[] = "deadheat_with_flto_must_be_linked_by_deadheat_cc_and_lld";
static char const request_name[] = "__dh_put_off";

void dh_link_put_off(LLVMModuleRef module, struct plugin_options const *options) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, 0);
    char value[64];
    int length = snprintf(value, sizeof value, "%s%s%s.%s", options->audit ? "a" : "",
                          options->cxx20 ? "c" : "", options->stats ? "s" : "", options->detector);
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(
        c, attribute_name, strlen(attribute_name), value, (unsigned)length);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, attribute);
    if (LLVMGetNamedGlobal(module, wanted_name)) return;
    LLVMValueRef wanted = LLVMAddGlobal(module, LLVMInt8TypeInContext(c), wanted_name);
    LLVMValueRef request = LLVMAddGlobal(module, pointer, request_name);
    LLVMSetInitializer(request, wanted);
    LLVMSetLinkage(request, LLVMInternalLinkage);
    dh_emit_change_list(module, "llvm.used", NULL, request);
}

bool dh_link_options(LLVMValueRef function, struct plugin_options *options) {
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        function, (unsigned)LLVMAttributeFunctionIndex, attribute_name, strlen(attribute_name));
    if (!attribute) return false;
    unsigned length;
    char const *value = LLVMGetStringAttributeValue(attribute, &length);
    *options = (struct plugin_options){.explain = ""};
    for (; *value && *value != END; value++) {
        options->audit |= *value == AUDIT;
        options->cxx20 |= *value == CXX20;
        options->stats |= *value == STATS;
    }
    options->detector = *value ? value + 1 : value;
    return true;
}

void dh_link_take_up(LLVMModuleRef module) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(module), next; g; g = next) {
        size_t length;
        next = LLVMGetNextGlobal(g);
        if (strncmp(LLVMGetValueName2(g, &length), request_name, strlen(request_name)) != 0)
            continue;
        dh_emit_change_list(module, "llvm.used", g, NULL);
        LLVMReplaceAllUsesWith(g, LLVMConstNull(LLVMTypeOf(g)));
        LLVMDeleteGlobal(g);
    }
    LLVMValueRef wanted = LLVMGetNamedGlobal(module, wanted_name);
    if (wanted && !LLVMGetFirstUse(wanted)) LLVMDeleteGlobal(wanted);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        LLVMRemoveStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, attribute_name,
                                         strlen(attribute_name));
}
