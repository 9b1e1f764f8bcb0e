/* What a value does from round to round of a counted loop. See progress.c. */
#ifndef DEADHEAT_IR_PROGRESS_H
#define DEADHEAT_IR_PROGRESS_H

#include "ir/loops.h"

/* A variable of the loop: `start` in the first round, and a step further in each. */
struct ir_variable {
    LLVMValueRef phi, start;
    int64_t step;
    bool pointer;
    bool no_signed_wrap, no_unsigned_wrap; /* or the program's behaviour is undefined */
};

/* `v` is such a variable, or its value after the step. */
bool dh_progress_variable(struct ir_loop const *loop, LLVMTargetDataRef layout, LLVMValueRef v,
                          struct ir_variable *variable);

/* What the pointer does; loop null if that is not a constant stride. */
struct ir_run dh_progress_run(struct ir_loop const *loop, LLVMTargetDataRef layout,
                              LLVMValueRef pointer);

#endif
