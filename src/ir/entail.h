/* What follows at a point of a function from the branches on the way there, and from how values are
 * computed: whether some bytes lie within others.
 *
 *   range  unit * count bytes from an address on. The address is a form modulo 2^64, the count an
 *          exact form (ir/affine.h): an integer that says how many units there are
 *   loose  it is the count of a loop (ir/ranges.h): there are at least so many units, none if it is
 *          not positive, and just as many if it is
 *
 * The answer is yes or not known. Yes means: wherever the program's behaviour is defined, in each
 * execution that gets to the point, the bytes of one are among those of the other, with the values
 * as last computed. It is found by difference bounds (ir/bounds.h), between the terms of the
 * question and those of at most CONDITIONS_MAX conditions that have to do with them, none further
 * than DOMINATORS_MAX blocks away: so the time for one question is limited.
 */
#ifndef DEADHEAT_IR_ENTAIL_H
#define DEADHEAT_IR_ENTAIL_H

#include "ir/affine.h"

struct ir_flow;
struct LLVMOpaqueTargetData;

struct ir_range {
    struct ir_affine from, count;
    uint64_t unit;
    bool loose;
};

struct ir_entail {
    struct LLVMOpaqueTargetData *layout;
    struct ir_flow const *flow;
    uint32_t blocks;
    struct ir_condition *
        *conditions; /* by block: those that hold in it, once they were asked for */
};

void dh_entail_open(struct ir_entail *entail, struct LLVMOpaqueTargetData *layout,
                    struct ir_flow const *flow);
void dh_entail_close(struct ir_entail *entail);

/* On the way from one block to another, which it branches to, the exact sum is not positive. */
bool dh_entail_on_edge(struct ir_entail *entail, uint32_t from, uint32_t to,
                       struct ir_affine const *sum);

/* At the end of the block: the bytes of one range are among those of the other. */
bool dh_entail_within(struct ir_entail *entail, uint32_t block, struct ir_range const *inner,
                      struct ir_range const *outer);

#endif
