#include "ir/calls.h"
#include "ir/forms.h"

#include <llvm-c/Core.h>
#include <string.h>

bool dh_call_known(LLVMValueRef i) {
    if (!LLVMIsACallInst(i)) return false;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    return LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee)
           && LLVMGetCalledFunctionType(i) == LLVMGlobalGetValueType(callee);
}

static unsigned parameter_number(LLVMValueRef parameter) {
    LLVMValueRef function = LLVMGetParamParent(parameter);
    unsigned i = 0;
    while (LLVMGetParam(function, i) != parameter)
        i++;
    return i;
}

/* What is passed is the address of something else: the callee has a copy of its own. */
static bool is_copy(LLVMValueRef parameter) {
    static char const *const copies[] = {"byval", "inalloca", "preallocated"};
    LLVMValueRef function = LLVMGetParamParent(parameter);
    unsigned index = parameter_number(parameter) + 1;
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(copies[i], strlen(copies[i]));
        if (LLVMGetEnumAttributeAtIndex(function, index, kind)) return true;
    }
    return false;
}

bool dh_call_portable(struct ir_affine const *form) {
    for (uint32_t t = 0; t < form->count; t++) {
        LLVMValueRef v = form->terms[t].value;
        if (!LLVMIsAConstant(v) && (!LLVMIsAArgument(v) || is_copy(v))) return false;
    }
    return !form->overfull;
}

bool dh_call_form(LLVMTargetDataRef layout, struct ir_call const *call,
                  struct ir_affine const *of_callee, struct ir_affine *form) {
    struct ir_affine passed;
    *form = (struct ir_affine){.constant = of_callee->constant};
    for (uint32_t t = 0; t < of_callee->count && !form->overfull; t++) {
        struct ir_term const *term = &of_callee->terms[t];
        if (!LLVMIsAArgument(term->value)) {
            dh_affine_add(form, term->value, term->sign, term->factor);
            continue;
        }
        LLVMValueRef argument = LLVMGetOperand(call->instruction, parameter_number(term->value));
        dh_form_of(layout, argument, term->sign, &passed);
        dh_affine_add_form(form, &passed, term->factor);
    }
    return !form->overfull;
}
