/* The accesses of a program: what it does to memory that other threads may see.
 *
 *   access    one thing that an instruction does to memory. memcpy makes two: it reads and it
 * writes. shape     how the bytes lie: a fixed number, a number known at run time, lanes of a
 * vector. exempt    why an access needs no check wherever checks are placed: nobody else can see
 * the memory, nobody writes it, or it is not the program's. The table is ir/exempt.def.
 *
 * Placement works on these and on nothing below them: a handle to the compiler's IR is carried
 * along for the emitter, and only src/ir and src/emit may look inside.
 */
#ifndef DEADHEAT_IR_ACCESS_H
#define DEADHEAT_IR_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An instruction or operand of the program. The same type as LLVM's LLVMValueRef. */
typedef struct LLVMOpaqueValue *ir_value;
/* A block of its control flow. The same type as LLVM's LLVMBasicBlockRef. */
typedef struct LLVMOpaqueBasicBlock *ir_block;

#define IR_UNREACHED UINT32_MAX

enum ir_kind {
    IR_READ,
    IR_WRITE,
    IR_ATOMIC, /* an atomic instruction: the runtime performs it */
    IR_FENCE,  /* touches no memory, but orders what does */
};

enum ir_shape {
    IR_BYTES,     /* `size` bytes at `pointer` */
    IR_RANGE,     /* `length` bytes at `pointer` */
    IR_MASKED,    /* lane i at pointer + i * size, for the lanes in `mask` */
    IR_PACKED,    /* as many lanes as are in `mask`, side by side from `pointer` on */
    IR_SCATTERED, /* lane i at pointer[i]: the pointer is a vector */
    IR_INDEXED,   /* lane i at pointer + index[i] * scale */
};

enum ir_exempt {
    IR_CHECKABLE, /* not exempt */
#define X(name, text, why) IR_EXEMPT_##name,
#include "ir/exempt.def"
#undef X
    IR_EXEMPTS
};

/* Where in the source. The file's name belongs to the IR and has no terminating zero. Line 0:
 * nowhere. */
struct ir_position {
    char const *file;
    uint32_t file_length;
    uint32_t line, column;
};

/* A branch that decides whether something happens: it does if the condition is `wanted`. */
struct ir_guard {
    ir_value condition;
    bool wanted;
};
enum { IR_GUARDS_MAX = 3 };

/* How an access runs with a counted loop (ir/loops.h): in round k it is at
 *     base + scale * index + offset, where that grows by `stride` a round.
 * Accesses with the same base, index and scale differ by their offsets only.
 *
 * It may be in loops within that one: then it is made `times` times in each round, a stride apart,
 * and the next round goes on from there. And it may be the same in all rounds of loops around
 * (ir/nests.h): up to `top`, the check stands before that one; it is made in each of these rounds
 * if all guards say so, else in none. */
struct ir_run {
    struct ir_loop const *loop; /* null: it does not */
    struct ir_loop const *top;  /* `loop` or one around it */
    int64_t stride;
    uint64_t times;
    ir_value base, index; /* index null: none */
    int64_t scale, offset;
    uint32_t leaving; /* bit e: it happens in the round that leaves by the loop's exit e, too */
    struct ir_guard guards[IR_GUARDS_MAX]; /* from the inside to the outside */
    uint32_t guard_count;
};

struct ir_access {
    enum ir_kind kind;
    enum ir_shape shape;
    enum ir_exempt exempt;
    ir_value instruction; /* a check before this one is a check before the access */
    ir_value pointer;
    uint64_t size;   /* IR_BYTES: of the access. Vectors: of one lane */
    uint32_t align;  /* what the pointer is known to be a multiple of; at least 1 */
    uint32_t lanes;  /* vectors */
    ir_value length; /* IR_RANGE: bytes, an integer of any width */
    ir_value mask;   /* vectors: at least as many booleans, or numbers whose sign is the boolean */
    ir_value active; /* vectors: only the first so many lanes count; null: all */
    ir_value index;  /* IR_INDEXED: at least as many integers, signed */
    uint32_t scale;  /* IR_INDEXED */
    struct ir_run run;
    /* It is read in a counted or open loop, at an index that comes out of memory in each round: it
     * goes all over an array, and often comes back to where it was. */
    bool gathers;
    /* Where in the function, once that is known (dh_ir_order): the number of its block (ir/flow.h),
     * IR_UNREACHED if it cannot be reached; and of its *stretch*, *span* and *reach* there. A new
     * stretch begins after each instruction that has any effects (ir/effects.h), a new span after
     * one that ends what earlier checks are good for, a new reach after one that does more than
     * release. */
    uint32_t block, stretch, span, reach;
    /* IR_BYTES: the pointer is so many bytes from this object of the function (ir/objects.h). */
    uint32_t object;
    int64_t offset;
    struct ir_position position;
};

struct ir_accesses {
    struct ir_access *list;
    size_t count, capacity;
    /* Of the function, once the order is known: */
    struct ir_flow const *flow;
    struct ir_objects *objects;
    struct ir_entail *entail;
    uint32_t function;     /* its number (ir/effects.h) */
    struct ir_call *calls; /* of functions of the module (ir/calls.h); a block's are together */
    size_t call_count, call_capacity;
};

#endif
