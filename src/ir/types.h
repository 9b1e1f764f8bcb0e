/* The debug information's structs, found by the name that the IR has for them. See types.c. */
#ifndef DEADHEAT_IR_TYPES_H
#define DEADHEAT_IR_TYPES_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TYPE_NAME_MAX = 256 };

struct ir_type {
    char *name;           /* as in the IR: "node", "ns::list"; without template arguments */
    LLVMMetadataRef node; /* its DICompositeType */
};

struct ir_types {
    struct ir_type *list; /* sorted by name; several may have the same */
    size_t count, capacity;
    LLVMContextRef context;
};

/* All structs, classes and unions that the module's debug information mentions. */
void dh_ir_types(LLVMModuleRef module, struct ir_types *types);
void dh_ir_types_free(struct ir_types *types);

/* The struct that the IR calls "struct.node" or "class.ns::list.12" and that has so many bits; null
 * if there is none, or several that differ. */
LLVMMetadataRef dh_ir_types_find(struct ir_types const *types, char const *ir_name, uint64_t bits);

/* A part of a struct: a member, or a base class. */
struct ir_member {
    char name[TYPE_NAME_MAX]; /* empty: an unnamed member, or a base class */
    bool base;
    LLVMMetadataRef type; /* the struct that the member is or is an array of, or null */
};

/* The part of a struct that lies `bits` from its beginning. False: none, or several bit-fields. */
bool dh_ir_types_member(struct ir_types const *types, LLVMMetadataRef node, uint64_t bits,
                        struct ir_member *member);

uint64_t dh_ir_types_bits(LLVMMetadataRef node);

/* "struct node", "class ns::list"; only "node" where that is a typedef's name. False: it has none.
 */
bool dh_ir_types_name(struct ir_types const *types, LLVMMetadataRef node, char name[TYPE_NAME_MAX]);

#endif
