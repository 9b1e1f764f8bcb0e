/* What an instruction may do beside computing and accessing memory: the *effects* that decide
 * whether a check on one side of it can stand for an access on the other (the kill sets of
 * "BigFoot").
 *
 *   a check before, an access after    covered unless it releases, legitimate unless it acquires
 *   an access before, a check after    the other way round
 *   either not where memory is given back, nor, if the one behind must be
 *                                      certain to come, where the program may stay
 *
 * What calls do is found by going through the functions of the module, callees first; of functions
 * elsewhere only those of ir/libc.def are known, and any other may do anything.
 */
#ifndef DEADHEAT_IR_EFFECTS_H
#define DEADHEAT_IR_EFFECTS_H

#include "ir/access.h"

#include <llvm-c/Core.h>

enum ir_effect {
    IR_RELEASES = 1, /* what came before may be ordered before another thread from here on */
    IR_ACQUIRES = 2, /* what comes after may be ordered behind another thread */
    IR_STAYS = 4,    /* may not return, or wait, or go on in a loop that is not proved to end */
    IR_FREES = 8,    /* gives memory back */
    IR_ANYTHING = 15,
    /* After these a check made before is not relied on. Waiting is among them only because of what
     * a signal handler may release meanwhile; to wait for a lock does not count (ir/libc.def). */
    IR_ENDS_CHECKS = IR_RELEASES | IR_STAYS | IR_FREES,
};

struct ir_effects;

struct ir_effects *dh_effects_open(LLVMModuleRef module);
void dh_effects_close(struct ir_effects *effects);

/* The effects of an instruction. */
unsigned dh_effects_of(struct ir_effects const *effects, LLVMValueRef instruction);

/* The module's functions have numbers, from 0 on in the module's order. */
uint32_t dh_effects_count(struct ir_effects const *effects);
LLVMValueRef dh_effects_function(struct ir_effects const *effects, uint32_t number);
uint32_t dh_effects_number(struct ir_effects const *effects, LLVMValueRef function);
/* The numbers, callees before callers wherever functions do not call each other in a circle. */
uint32_t dh_effects_ordered(struct ir_effects const *effects, uint32_t i);

/* The function has a body, and it is the one that runs where the function is called by its name. */
bool dh_effects_certain(LLVMValueRef function);

#endif
