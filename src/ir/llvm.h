/* From LLVM's IR to the program model. See llvm.c. */
#ifndef DEADHEAT_IR_LLVM_H
#define DEADHEAT_IR_LLVM_H

#include "ir/access.h"
#include "ir/loops.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

struct ir_module;

struct ir_module *dh_ir_open(LLVMModuleRef module);
void dh_ir_close(struct ir_module *ir);

/* The function has a body, and its accesses are the program's: neither the user nor the compiler
 * has asked to leave it alone. */
bool dh_ir_checked(struct ir_module const *ir, LLVMValueRef function);

/* Where an instruction is in the source, a DILocation. Code motion may have taken that from it:
 * then where its result is used, or what it stores was computed. Null: nowhere. */
LLVMMetadataRef dh_ir_location(LLVMValueRef instruction);

/* The accesses of a function, in the order of its instructions. The list is overwritten; its memory
 * is used again. */
void dh_ir_accesses(struct ir_module const *ir, LLVMValueRef function, struct ir_accesses *list);

/* Where the accesses of a function are in its control flow, its counted loops, and which accesses
 * run with them. The accesses point to the loops. */
void dh_ir_order(struct ir_module const *ir, LLVMValueRef function, struct ir_loops *loops,
                 struct ir_accesses *accesses);

void dh_ir_accesses_free(struct ir_accesses *list);

#endif
