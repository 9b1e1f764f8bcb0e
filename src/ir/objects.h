/* The objects of a function: addresses that are told apart by their terms (ir/affine.h) alone.
 *
 * Accesses to one object are at constant distances from each other wherever none of the object's
 * terms has been computed anew in between. Its terms are all computed before any of these accesses,
 * one dominating the other, so no way leads from an earlier one anew to an access past the last:
 * the block of the last is where the object is another.
 */
#ifndef DEADHEAT_IR_OBJECTS_H
#define DEADHEAT_IR_OBJECTS_H

#include "ir/affine.h"

struct ir_flow;

struct ir_object {
    struct ir_affine form; /* its constant is 0 */
    ir_value base;         /* the pointer among its terms; null: there is none, or several */
    uint32_t block;        /* where the last of its terms is computed; IR_UNREACHED: nowhere */
};

struct ir_objects {
    struct ir_object *list;
    uint32_t count, capacity;
    uint32_t *table; /* by hash: number plus one */
    uint32_t table_mask;
};

void dh_objects_clear(struct ir_objects *objects);
void dh_objects_close(struct ir_objects *objects);

/* The number of the object that an address of this form is a constant away from. */
uint32_t dh_object_of(struct ir_objects *objects, struct ir_flow const *flow,
                      struct ir_affine const *form);

/* The same, if the function has accesses to it, else IR_UNREACHED. */
uint32_t dh_object_find(struct ir_objects const *objects, struct ir_affine const *form);

/* The block where the last of a form's terms is computed; IR_UNREACHED: nowhere. */
uint32_t dh_object_block(struct ir_flow const *flow, struct ir_affine const *form);

#endif
