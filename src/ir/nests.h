/* How an access runs through a nest of loops. See nests.c. */
#ifndef DEADHEAT_IR_NESTS_H
#define DEADHEAT_IR_NESTS_H

#include "ir/loops.h"

/* How the access runs with `loop`, which it is in, and with those around it. No loop in the result:
 * it does not run with any. */
struct ir_run dh_nest_run(struct ir_loop const *loop, LLVMTargetDataRef layout,
                          struct ir_access const *access);

#endif
