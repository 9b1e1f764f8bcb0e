/* The control flow of a function: its blocks, numbered in reverse postorder from the entry, what
 * leads where, and what dominates what. Blocks that cannot be reached have no number.
 *
 *   Invariant: every edge that does not close a cycle leads to a larger number, and a block's
 *   immediate dominator has a smaller one.
 */
#ifndef DEADHEAT_IR_FLOW_H
#define DEADHEAT_IR_FLOW_H

#include "ir/access.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a loop ends. */
enum ir_end {
    IR_ENDS,  /* it is none, or proved to end */
    IR_LASTS, /* it ends, but may go on for as long as another thread likes, to the end of a range */
    IR_ENDLESS, /* not proved to end */
};

struct ir_flow {
    uint32_t count;
    ir_block *blocks;      /* by number; 0 is the entry */
    uint32_t *dominators;  /* immediate; the entry's is itself */
    uint32_t *pred_starts; /* the predecessors of b are preds[pred_starts[b] .. [b + 1]) */
    uint32_t *preds;       /* an edge each: a block may be there twice */
    /* Filled in by dh_ir_order: */
    uint32_t *stretches, *spans, *reaches; /* how many a block has (ir/access.h) */
    uint8_t *effects;                      /* of its instructions together (ir/effects.h) */
    uint8_t *ends;                         /* if it is the start of a loop: an enum ir_end */
    uint8_t *returns;                      /* whether the function returns at its end */
    struct ir_flow_entry {
        ir_block block;
        uint32_t number;
    } * table; /* open addressing, by the block's address */
    uint32_t table_mask;
};

void dh_flow_open(struct ir_flow *flow, ir_value function);
void dh_flow_close(struct ir_flow *flow);

uint32_t dh_flow_number(struct ir_flow const *flow, ir_block block);

/* Every way from the entry to b goes through a. A block dominates itself. */
bool dh_flow_dominates(struct ir_flow const *flow, uint32_t a, uint32_t b);

#endif
