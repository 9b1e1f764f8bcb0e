/* Loops whose rounds are counted before they begin, and what addresses do from round to round.
 *
 * A loop is *counted* if all of this holds; then it runs to its end once it is entered, and what it
 * will access can be said before:
 *
 *   - it has one way in and one way out, behind the last block of each round, and loops within it
 *   end; - a variable that changes by a constant each round decides when that is; - nothing in it
 *   has effects (ir/effects.h): it does not synchronise, fail to return, or give
 *     memory back.
 *
 * A loop for which all of this holds but that nothing says how many rounds there are, or that has
 * several ways out, anywhere in a round, is *open*: what it has accessed can be said behind it. An
 * access that moves on in every round proves that it ends: nothing goes through memory for ever.
 *
 * An access *runs* with such a loop if it happens in every round, at an address that grows by a
 * constant stride. All arithmetic is that of the machine, modulo 2^64, and narrower indices count
 * only where overflow would be undefined: so first + k * stride is exactly the address in round k.
 * In the round that leaves the loop it happens if its block dominates the one that is left from,
 * and else not: each round goes forward, and no way out is from a loop within, so that nothing that
 * happens later in a round leads back to the way out.
 */
#ifndef DEADHEAT_IR_LOOPS_H
#define DEADHEAT_IR_LOOPS_H

#include "ir/access.h"
#include "ir/flow.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

struct ir_effects;

/* The loop goes on while `tested` `goes_on` bound. In round k, from 0, the tested variable is
 * start + k * step, or with after_step, start + (k + 1) * step. */
struct ir_count {
    LLVMValueRef start, bound; /* integers of one type, or pointers */
    int64_t step;              /* never 0; of pointers, in bytes */
    LLVMIntPredicate goes_on;
    bool after_step;
};

/* A way out of a loop: an edge. */
struct ir_exit {
    uint32_t from, to;  /* block numbers; of an open loop, only ways out of it lead `to` there */
    LLVMValueRef after; /* what comes first there, phis aside */
};

struct ir_loop {
    struct ir_loops const *among;
    LLVMValueRef before; /* the branch into the loop: a check before it is one before the loop */
    bool counted;        /* else it is an open one, and has no count */
    struct ir_count count;
    uint32_t header, latch; /* block numbers; the latch ends each round */
    struct ir_exit const *exits;
    uint32_t exit_count;   /* at least 1, at most IR_EXITS_MAX */
    struct ir_loop *outer; /* the counted or open loop that it is in, or null */
};
enum { IR_EXITS_MAX = 16 }; /* there may be a check behind each */

struct ir_loops {
    struct ir_flow flow;
    struct ir_loop *list;
    uint32_t count;
    uint32_t *loop_of;     /* by block: number of the innermost one plus one; 0: in none */
    struct ir_exit *exits; /* of all of them, a loop's together */
    uint32_t exit_count;
};

/* The loops stay where they are until they are closed: accesses point to them. */
void dh_loops_open(struct ir_loops *loops, LLVMValueRef function, LLVMTargetDataRef layout,
                   struct ir_effects const *effects);
void dh_loops_close(struct ir_loops *loops);

/* All loops of the function are proved to end, unless what they call does not return. */
bool dh_loops_all_end(LLVMValueRef function, LLVMTargetDataRef layout);

/* The innermost counted or open loop that the instruction is in, or null. */
struct ir_loop const *dh_loop_of(struct ir_loops const *loops, LLVMValueRef instruction);

/* The value is the same in all rounds, and known before the loop. */
bool dh_loop_invariant(struct ir_loop const *loop, LLVMValueRef v);

/* The block is in every round of the loop, the one that leaves it included. */
bool dh_loop_always(struct ir_loop const *loop, uint32_t block);

/* A set of the loop's exits, bit e for exit e: the block, which is in every round but perhaps the
 * last, is in the round that leaves by it. */
uint32_t dh_loop_leaving(struct ir_loop const *loop, uint32_t block);

/* What a phi at the start of the loop is in the first round; null if it is not there. */
LLVMValueRef dh_loop_start(struct ir_loop const *loop, LLVMValueRef phi);

/* How many rounds a counted loop has, if the compiler knows; else 0. */
uint64_t dh_loop_rounds(struct ir_loop const *loop);

/* Fills in `run` of each access that runs with a counted or open loop, and which reads in one of
 * them are gathers. */
void dh_loops_find_runs(struct ir_loops const *loops, LLVMTargetDataRef layout,
                        struct ir_accesses *accesses);

#endif
