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

/* The value grows by `step` in each round of the loop, which is around the loop `from` or that one
 * itself; else false. Variables of `from` and of loops between are taken for what they are in the
 * first round. A value of less than 64 bits grows so modulo its range. */
bool dh_progress_step(struct ir_loop const *loop, struct ir_loop const *from,
                      LLVMTargetDataRef layout, LLVMValueRef v, int64_t *step);

/* What the pointer does; loop null if that is not a constant stride. */
struct ir_run dh_progress_run(struct ir_loop const *loop, LLVMTargetDataRef layout,
                              LLVMValueRef pointer);

#endif
