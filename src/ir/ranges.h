/* The ranges that accesses are of (ir/entail.h): of a number of bytes known when the program runs,
 * or of all rounds of a counted loop. See ranges.c. */
#ifndef DEADHEAT_IR_RANGES_H
#define DEADHEAT_IR_RANGES_H

#include "ir/entail.h"

struct ir_access;

/* Where in the control flow the range has been accessed as a whole. */
struct ir_swept {
    struct ir_range range;
    uint32_t block; /* where the last of its terms is computed; IR_UNREACHED: nowhere */
    bool run;       /* it is that of a loop, and: */
    /* the block behind the loop, if nothing else leads there, or IR_UNREACHED; */
    uint32_t exit;
    /* the way past it, from a block to another, on which it has no bytes, or IR_UNREACHED. */
    uint32_t skip_from, skip_to;
};

/* The range of an access that is one, or with all rounds of its loop goes through one. False: it
 * does not. */
bool dh_range_of(struct ir_entail *entail, struct ir_access const *access, struct ir_swept *swept);

/* The pointer that the form is at some distance of; null: it is of none, or of several. */
ir_value dh_range_base(struct ir_affine const *form);

#endif
