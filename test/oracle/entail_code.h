/* The program in Z3's terms: values as bit vectors, as LLVM's manual defines the instructions, for entail.c. Nothing
 * of src/ir's arithmetic is used.
 *
 * Of each value that is coded it is assumed that it is not poison, so only roots that are accessed at or branched on
 * may be coded, and of what these are computed from only what would make them poison. What is too deep, or not
 * arithmetic, is a variable that may have any value. */
#ifndef DEADHEAT_ORACLE_ENTAIL_CODE_H
#define DEADHEAT_ORACLE_ENTAIL_CODE_H

#include "ir/llvm.h"

#include <z3.h>

enum { CODED_MAX = 512, ASSUMED_MAX = 1024 };

struct coder {
    Z3_context z;
    LLVMTargetDataRef layout;
    struct ir_flow const *flow;
    struct {
        LLVMValueRef value;
        struct ir_loop const *first; /* in the first round of this loop; null: as it is */
        Z3_ast code;
    } coded[CODED_MAX];
    unsigned count;
    Z3_ast assumed[ASSUMED_MAX];
    unsigned assumed_count;
    bool full; /* there was no room: what was coded is of no use */
};

/* Bytes: from an address on, as many as a number of 128 bits says. */
struct coded_range {
    Z3_ast from, bytes;
};

void coder_open(struct coder *c, Z3_context z, LLVMTargetDataRef layout,
                struct ir_flow const *flow);

/* Assumes what holds where the block is reached: the branches on the way there. */
void coder_assume_reached(struct coder *c, uint32_t block);
/* Assumes that one block was left for another. */
void coder_assume_edge(struct coder *c, uint32_t from, uint32_t to);

/* The bytes of one access, or of all rounds of its loop. */
struct coded_range coder_access(struct coder *c, struct ir_access const *a);
struct coded_range coder_run(struct coder *c, struct ir_access const *a);

#endif
