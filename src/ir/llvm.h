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

/* The module's functions, by their numbers (ir/effects.h), and the numbers, callees first. */
uint32_t dh_ir_functions(struct ir_module const *ir);
LLVMValueRef dh_ir_function(struct ir_module const *ir, uint32_t number);
uint32_t dh_ir_ordered(struct ir_module const *ir, uint32_t i);

/* The function's body is the one that runs where it is called by its name. */
bool dh_ir_certain(LLVMValueRef function);
/* How often the function is named in the module, calls and all; UINT32_MAX: others may call it. */
uint32_t dh_ir_uses(LLVMValueRef function);

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
