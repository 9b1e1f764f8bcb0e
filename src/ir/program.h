/* A small program: functions of basic blocks over locals, and what its threads share.
 *
 *   local        a number or a reference, seen by one activation of one function. It may be
 *                assigned several times; a loader that has SSA values gives each a local, and its
 *                phis become copies at the ends of the blocks before.
 *   expression   a tree over locals. It reads nothing that threads share and changes nothing.
 *   place        what one access touches: a global, a field of an object, an element of an array.
 *   instruction  at most one access or synchronisation each. Blocks end with a terminator.
 *   object       has a class, fields and a lock. A named lock is an object without fields, and an
 *                array has a lock too.
 *
 *   Invariant: every index into a list of the program is less than that list's count, every block
 * has a terminator, and every call has as many arguments as the callee has parameters. Whoever runs
 * or analyses a program relies on that; the loaders see to it.
 *
 * Lists only grow while a program is built. Pointers into them do not survive that, indices do.
 */
#ifndef DEADHEAT_IR_PROGRAM_H
#define DEADHEAT_IR_PROGRAM_H

#include "ir/access.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IR_NONE UINT32_MAX

/* ---- Expressions ---- X(NAME, operands) */
#define IR_NODES(X)                                                      \
    X(CONSTANT, 0) /* value */                                           \
    X(LOCAL, 0)    /* value: which */                                    \
    X(SELF, 0)     /* the number of the running thread: 0 for main */    \
    X(OBJECT, 1)   /* a reference to object a of the global value */     \
    X(THREAD, 1)   /* the number of thread a of the declaration value */ \
    X(LENGTH, 1)   /* of an array: it never changes */                   \
    X(NEGATE, 1)                                                         \
    X(NOT, 1)                                                            \
    X(ADD, 2)                                                            \
    X(SUBTRACT, 2)                                                       \
    X(MULTIPLY, 2)                                                       \
    X(DIVIDE, 2)                                                         \
    X(REMAINDER, 2)                                                      \
    X(LESS, 2)                                                           \
    X(LESS_EQUAL, 2)                                                     \
    X(EQUAL, 2)                                                          \
    X(NOT_EQUAL, 2)                                                      \
    X(AND, 2) /* b is not looked at if a decides */                      \
    X(OR, 2)                                                             \
    X(MINIMUM, 2)                                                        \
    X(MAXIMUM, 2)

#define IR_NODE_ENUMERATOR(name, operands) IR_NODE_##name,
enum ir_node_op { IR_NODES(IR_NODE_ENUMERATOR) IR_NODE_COUNT };

typedef uint32_t ir_expression; /* an index into the program's nodes; 0 is the constant 0 */

struct ir_node {
    enum ir_node_op op;
    ir_expression a, b;
    uint32_t height; /* of the tree below: what a walk costs in stack */
    int64_t value;
};

/* ---- What an access touches ---- */
enum ir_place_kind { IR_PLACE_GLOBAL, IR_PLACE_FIELD, IR_PLACE_ELEMENT };

struct ir_place {
    enum ir_place_kind kind;
    uint32_t which;      /* the global, or the field */
    ir_expression base;  /* the object or array */
    ir_expression index; /* of an element */
};

/* ---- Instructions ---- */
#define IR_OPCODES(X)                                                               \
    X(ASSIGN)    /* target = value */                                               \
    X(RENAME)    /* the same, and the old name is free again: BigFoot's x <- y */   \
    X(NEW)       /* target = a new object of class `which` */                       \
    X(NEW_ARRAY) /* target = a new array of `value` elements */                     \
    X(READ)      /* target = place */                                               \
    X(WRITE)     /* place = value */                                                \
    X(EXCHANGE)  /* target = place, place = value, in one step */                   \
    X(FETCH_ADD) /* target = place, place = place + value, in one step */           \
    X(COMPARE)   /* target = place == expected; if so place = value, in one step */ \
    X(AWAIT)     /* target = place, in a step that waits until value holds then */  \
    X(ACQUIRE)   /* the lock of the object `value` */                               \
    X(RELEASE)                                                                      \
    X(SPAWN)  /* thread number `value`, which runs callee with the arguments */     \
    X(WAIT)   /* until thread number `value` has ended */                           \
    X(CALL)   /* target = callee(arguments) */                                      \
    X(CHECK)  /* the detector looks at a path: see below */                         \
    X(ASSERT) /* value */                                                           \
    X(ATOMIC) /* what follows, up to END_ATOMIC, is one step */                     \
    X(END_ATOMIC)

#define IR_OPCODE_ENUMERATOR(name) IR_OP_##name,
enum ir_opcode { IR_OPCODES(IR_OPCODE_ENUMERATOR) IR_OP_COUNT };

/* A check of an element has a range: the elements place.index, + stride, ... below `end`. */
struct ir_instruction {
    enum ir_opcode op;
    uint32_t target; /* a local, or IR_NONE */
    uint32_t which;  /* class of NEW */
    uint32_t callee;
    uint32_t arguments, argument_count; /* in the program's list of arguments */
    struct ir_place place;
    ir_expression value, expected;
    enum ir_kind kind; /* CHECK: IR_READ or IR_WRITE */
    ir_expression end, stride;
    struct ir_position position; /* line 0: not from the source */
};

enum ir_ending { IR_RETURN, IR_JUMP, IR_BRANCH };

struct ir_terminator {
    enum ir_ending kind;
    ir_expression value; /* what is returned, or decides: not 0 goes to to[0] */
    uint32_t to[2];
    struct ir_position position;
};

struct ir_block {
    struct ir_instruction *instructions;
    uint32_t count;
    struct ir_terminator end;
};

struct ir_function {
    char const *name;
    uint32_t parameters; /* the first locals */
    char const **locals; /* names; a temporary's is empty */
    uint32_t local_count;
    struct ir_block *blocks; /* the first is the entry */
    uint32_t block_count;
};

/* ---- What threads share ---- */
struct ir_field {
    char const *name;
    bool atomic;
};

struct ir_class {
    char const *name;
    uint32_t *fields;
    uint32_t field_count;
};

enum ir_global_kind { IR_SCALAR, IR_ARRAY, IR_OBJECTS };

struct ir_global {
    char const *name;
    enum ir_global_kind kind;
    bool atomic;       /* scalar, array */
    uint32_t count;    /* elements of the array; objects side by side */
    uint32_t class_id; /* of objects */
    int64_t *initial;  /* one value, or one an element; null: all 0 */
};

/* `count` threads with consecutive numbers that run the same function. Number 0 is main. */
struct ir_thread {
    char const *name;
    uint32_t first, count;
    uint32_t function;
    bool at_start; /* runs from the beginning: nobody spawns it */
};

struct ir_program {
    struct ir_node *nodes;
    uint32_t node_count;
    ir_expression *arguments;
    uint32_t argument_count;
    struct ir_field *fields;
    uint32_t field_count;
    struct ir_class *classes;
    uint32_t class_count;
    struct ir_global *globals;
    uint32_t global_count;
    struct ir_function *functions;
    uint32_t function_count;
    struct ir_thread *threads; /* the first is main */
    uint32_t thread_count;
    uint32_t thread_total; /* of all declarations */
    char **names;          /* owned; equal names are the same pointer */
    uint32_t name_count;
    char const *file;
};

struct ir_program *dh_program_new(char const *file);
struct ir_program *dh_program_copy(struct ir_program const *program);
void dh_program_free(struct ir_program *program);

char const *dh_program_name(struct ir_program *program, char const *text, size_t length);

/* ---- Building ---- each returns the index of what it added. */
ir_expression dh_program_node(struct ir_program *program, struct ir_node node);
ir_expression dh_program_constant(struct ir_program *program, int64_t value);
ir_expression dh_program_local(struct ir_program *program, uint32_t local);
ir_expression dh_program_binary(struct ir_program *program, enum ir_node_op op, ir_expression a,
                                ir_expression b);
uint32_t dh_program_argument(struct ir_program *program, ir_expression argument);
uint32_t dh_program_field(struct ir_program *program, struct ir_field field);
uint32_t dh_program_class(struct ir_program *program, struct ir_class class_);
void dh_class_field(struct ir_class *class_, uint32_t field);
uint32_t dh_program_global(struct ir_program *program, struct ir_global global);
uint32_t dh_program_function(struct ir_program *program, struct ir_function function);
uint32_t dh_program_thread(struct ir_program *program, struct ir_thread thread);
uint32_t dh_function_local(struct ir_function *function, char const *name);
uint32_t dh_function_block(struct ir_function *function);
struct ir_instruction *dh_block_append(struct ir_block *block, struct ir_instruction instruction);

#endif
