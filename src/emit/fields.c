/* The table of field names, in a section of its own: zero-terminated records, one after the other,
 * that the runtime looks into when it reports a race. */
#include "emit/emitter.h"
#include "ir/fields.h"

#include <stdlib.h>
#include <string.h>

static void emit_table(LLVMModuleRef module, char const *bytes, size_t size) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    LLVMValueRef table = LLVMConstStringInContext2(c, bytes, size, 1);
    LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(table), "deadheat.fields");
    LLVMSetInitializer(global, table);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetSection(global, "deadheat_fields");
    LLVMSetAlignment(global, 1);
    dh_emit_change_list(module, "llvm.compiler.used", NULL, global);
}

void dh_emit_fields(LLVMModuleRef module) {
    struct ir_fields fields;
    if (LLVMGetNamedGlobal(module, "deadheat.fields")) return;
    dh_ir_fields(module, &fields);
    size_t size = 0, at = 0;
    for (size_t i = 0; i < fields.count; i++)
        size += strlen(fields.list[i]) + 1;
    char *bytes = malloc(size + 1);
    if (!bytes) abort();
    for (size_t i = 0; i < fields.count; i++) {
        size_t length = strlen(fields.list[i]) + 1;
        memcpy(bytes + at, fields.list[i], length);
        at += length;
    }
    if (size != 0) emit_table(module, bytes, size);
    free(bytes);
    dh_ir_fields_free(&fields);
}
