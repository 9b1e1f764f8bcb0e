/* Which field of which struct an access touches, by its place in the source. See fields.c. */
#ifndef DEADHEAT_IR_FIELDS_H
#define DEADHEAT_IR_FIELDS_H

#include <llvm-c/Core.h>
#include <stddef.h>

/* One line of the table: "file\tline\tcolumn\tfield", say "/src/list.c\t31\t17\tstruct node.next".
 */
struct ir_fields {
    char **list;
    size_t count, capacity;
};

/* The fields that the module's accesses name, sorted, each place once; places where different
 * fields are named are left out. Wants the IR as the front end made it. */
void dh_ir_fields(LLVMModuleRef module, struct ir_fields *fields);
void dh_ir_fields_free(struct ir_fields *fields);

#endif
