/* Calls by name of functions that the module has, and what an address in such a function is where
 * it is called: parameters are what the caller passes for them, and constants are what they are. An
 * address with anything else in it has no meaning outside of its function.
 */
#ifndef DEADHEAT_IR_CALLS_H
#define DEADHEAT_IR_CALLS_H

#include "ir/affine.h"

struct LLVMOpaqueTargetData;

struct ir_call {
    ir_value instruction;
    uint32_t callee; /* the function's number (ir/effects.h) */
    /* Where it is, as for an access: what the call itself accesses comes before it. */
    uint32_t block, span, stretch;
    uint32_t next; /* the first access behind it, by its number in the list */
    bool ends;     /* no check before it is relied on behind it (IR_ENDS_CHECKS) */
};

/* The instruction calls a function of the module by its name, as what that is: with its type. */
bool dh_call_known(ir_value instruction);

/* The form, of an address in a function, has a meaning for whoever calls that. */
bool dh_call_portable(struct ir_affine const *form);

/* What it is where the call is. False: it has too many terms there. */
bool dh_call_form(struct LLVMOpaqueTargetData *layout, struct ir_call const *call,
                  struct ir_affine const *of_callee, struct ir_affine *form);

#endif
