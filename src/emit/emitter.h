/* What the files of src/emit share: the module being changed, and calls into the runtime. */
#ifndef DEADHEAT_EMIT_EMITTER_H
#define DEADHEAT_EMIT_EMITTER_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct ir_access;
struct ir_accesses;
struct ir_loop;
struct placement;
struct place_check;
struct place_group;

struct emitter {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef none, pointer, i8, i32, i64; /* types; `none` is void */
    uint32_t order_flags;                    /* DH_ORDER_CXX20 or 0 */
    bool footprints;                         /* checks of neighbours are made as one */
    bool audit;                              /* checks and accesses go on a tape (rt/audit.h) */
    bool accounts;                           /* open loops keep one (loops.c) */
    bool gathers;                            /* reads all over arrays ask a table (rt/gathers.h) */
    struct emit_round {
        struct ir_loop const *loop;
        LLVMValueRef round, next; /* the number of the round, from 0, and of the next */
    } * rounds; /* the open loops of the function whose rounds are counted (runs.c) */
    uint32_t round_count;
};

/* What a function of the runtime does to memory that the program can see. The less it does, the
 * more the optimiser can still do around it. */
enum effects {
    EFFECTS_NONE,          /* reads and writes only memory of the runtime's own: a check */
    EFFECTS_READ_ARGUMENT, /* and reads what its first argument points to */
    EFFECTS_ANY,           /* an atomic operation or a fence */
};

/* What follows is inserted before this instruction, and carries its position in the source, or that
 * of another. */
void dh_emit_before(struct emitter *e, LLVMValueRef instruction);
void dh_emit_before_for(struct emitter *e, LLVMValueRef instruction, LLVMValueRef whose_position);

/* A call of a function of src/rt/abi.h. It is never merged with another, so that its return address
 * says which access it was made for. */
LLVMValueRef dh_emit_call(struct emitter *e, char const *name, LLVMTypeRef result,
                          enum effects effects, LLVMValueRef *arguments, unsigned count);

/* A piece of assembly, which does nothing that matters to memory. */
LLVMValueRef dh_emit_assembly(struct emitter *e, LLVMTypeRef type, LLVMValueRef assembly);

LLVMValueRef dh_emit_i32(struct emitter *e, uint32_t n);
LLVMValueRef dh_emit_i64(struct emitter *e, uint64_t n);

void dh_emit_add_attribute(LLVMValueRef function, unsigned index, char const *name, uint64_t value);

/* Runs passes of the compiler's own. False: it cannot. */
bool dh_emit_passes(LLVMModuleRef module, char const *passes);

/* A list of the module's, such as llvm.global_ctors or llvm.used, without what is about the symbol
 * `removed`, and with `added` at its end. Either may be null. Such a list is a constant: it is made
 * anew. */
void dh_emit_change_list(LLVMModuleRef module, char const *name, LLVMValueRef removed,
                         LLVMValueRef added);

/* Has all accesses recorded that are not exempt, with or without a check, right where they happen
 * (checks.c). After dh_emit_checks. */
void dh_emit_accesses(struct emitter *e, struct ir_accesses const *accesses);

/* Puts checks into a function (checks.c), and the runtime's atomics in place of its own
 * (atomics.c). The latter erases instructions, so it comes last: nothing of the function's accesses
 * may be looked at after it but the instructions of atomics that are still to come. */
void dh_emit_checks(struct emitter *e, struct placement const *placement);
void dh_emit_atomics(struct emitter *e, struct placement const *placement);

/* Where the builder is: a check of the access with this as its address (checks.c). A check of a
 * whole run, before its loop (runs.c), and of a group, at its first access (groups.c). */
void dh_emit_bytes(struct emitter *e, struct ir_access const *a, LLVMValueRef pointer);
void dh_emit_run(struct emitter *e, struct place_check const *check);
void dh_emit_group(struct emitter *e, struct place_check const *check);
/* How many bytes it is of. */
uint64_t dh_group_bytes(struct place_group const *group);

/* Parts of that: the address of an access that runs with a loop, in the first round, where the
 * builder is; the numbers of rounds in an open loop; the exit is the first of those that lead to
 * where it does: one check there is for all. */
LLVMValueRef dh_emit_first(struct emitter *e, struct ir_access const *a);
struct emit_round dh_emit_round(struct emitter *e, struct ir_loop const *loop);
bool dh_emit_first_to(struct ir_loop const *loop, uint32_t exit);

/* The accounts that the open loops of a function keep (loops.c). After its checks. */
void dh_emit_accounts(struct emitter *e, struct placement const *placement);

/* The pointer, so many bytes on. */
LLVMValueRef dh_emit_offset(struct emitter *e, LLVMValueRef pointer, LLVMValueRef bytes);

/* Links the fast path into the module and inlines it (inline.c). Returns an error message or null.
 */
char const *dh_emit_inline(LLVMModuleRef module);

/* The checks that are not worth that become calls (called.c). */
void dh_emit_called(LLVMModuleRef module);
/* A function of the runtime that keeps registers (preserve_most). It is called through the GOT at
 * once: a lazily bound entry of the PLT would run the dynamic linker on the first call, and that
 * keeps fewer. */
void dh_emit_mark_exit(LLVMValueRef function);

/* Has the runtime told that there are open loops in the module (constructors.c). */
void dh_emit_has_loops(LLVMModuleRef module);

/* Constructors of the module, and what the stock sanitizer left behind (constructors.c). */
void dh_emit_constructors(LLVMModuleRef module);

/* If the module is audited: a check of so many bytes, of the access's kind, begins here, or ends
 * (checks.c). */
void dh_emit_audit_check(struct emitter *e, struct ir_access const *a, LLVMValueRef pointer,
                         uint64_t size);
void dh_emit_audit_checked(struct emitter *e);

/* Says that the module is audited (constructors.c). */
void dh_emit_audited(LLVMModuleRef module);

/* The table of field names (fields.c). */
void dh_emit_fields(LLVMModuleRef module);

#endif
