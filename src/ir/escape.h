/* Which locals, and thread-local variables, other threads can never see. See escape.c. */
#ifndef DEADHEAT_IR_ESCAPE_H
#define DEADHEAT_IR_ESCAPE_H

#include "ir/access.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* What is known so far about those of one function. Start with all zeros. */
struct ir_locals {
    struct ir_local {
        LLVMValueRef object;
        bool escapes;
    } * table; /* open addressing, by the object's address */
    size_t count, capacity;
};

void dh_ir_locals_free(struct ir_locals *locals);

/* IR_EXEMPT_LOCAL, IR_EXEMPT_THREAD, IR_EXEMPT_CONSTANT or IR_EXEMPT_COVERAGE if all memory that
 * the pointer may point into is such (then: one of them), else IR_CHECKABLE. */
enum ir_exempt dh_ir_exempt_memory(struct ir_locals *locals, LLVMValueRef pointer);

#endif
