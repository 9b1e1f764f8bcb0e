/* The affine form of a value of the program. See forms.c. */
#ifndef DEADHEAT_IR_FORMS_H
#define DEADHEAT_IR_FORMS_H

#include "ir/affine.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* Of a pointer, or of an integer of 64 bits, modulo 2^64; or, read with a sign or without, of any
 * width, the exact form. */
void dh_form_of(LLVMTargetDataRef layout, LLVMValueRef v, enum ir_sign sign,
                struct ir_affine *form);

/* The bits of an integer, or of a pointer; 0: of something else, or of more than 64. */
unsigned dh_form_width(LLVMValueRef v);

#endif
