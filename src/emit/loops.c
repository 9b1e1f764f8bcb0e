/* The accounts of open loops (rt/abi.h): what their accesses have done so far, kept in the frame
 * while the loop runs, for the check behind it may never come.
 *
 * The account is linked before the loop and unlinked behind it, behind the checks. In between each
 * access that has a check there stores the number of rounds that it was in, right after it was
 * made: one instruction a round. All stores are volatile, and the account is where others find it:
 * so they stay in order among each other, and behind the accesses.
 *
 * What the compiler knows is said by a piece of assembly, which leaves it at the end of the section
 * that the code is in: so it shares the code's fate, whatever is made of that, and needs no
 * relocation. Its one instruction has the access's position in the source.
 */
#include "emit/emitter.h"
#include "ir/llvm.h"
#include "place/place.h"
#include "rt/abi.h"

#include <inttypes.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct dh_loop) == 8 && sizeof(struct dh_loop_run) == 24
                   && sizeof(struct dh_loop_place) == 32,
               "as it is laid out here");
enum { OUTER = 0, RUNS = 8, RUN = 24, RUN_PLACE = 0, RUN_FIRST = 8, RUN_ROUNDS = 16 };

static bool is_open(struct place_check const *check) {
    struct ir_run const *run = &check->access->run;
    return check->sheaf && run->stride != 0 && !run->loop->counted;
}

/* ---- parts ---- */

static LLVMValueRef field(struct emitter *e, LLVMValueRef account, uint64_t at) {
    return at == 0 ? account : dh_emit_offset(e, account, dh_emit_i64(e, at));
}

static void store(struct emitter *e, LLVMValueRef value, LLVMValueRef to) {
    LLVMValueRef s = LLVMBuildStore(e->builder, value, to);
    LLVMSetVolatile(s, 1);
    LLVMSetAlignment(s, 8);
}

static LLVMValueRef load(struct emitter *e, LLVMValueRef from) {
    LLVMValueRef l = LLVMBuildLoad2(e->builder, e->pointer, from, "");
    LLVMSetVolatile(l, 1);
    LLVMSetAlignment(l, 8);
    return l;
}

/* Where the thread's innermost account is. */
static LLVMValueRef link_of(struct emitter *e) {
    LLVMValueRef tls = LLVMGetNamedGlobal(e->module, "__dh_tls");
    if (!tls) {
        tls = LLVMAddGlobal(e->module, LLVMArrayType2(e->i8, sizeof(struct dh_tls)), "__dh_tls");
        LLVMSetThreadLocalMode(tls, LLVMInitialExecTLSModel);
        LLVMSetAlignment(tls, _Alignof(struct dh_tls));
    }
    LLVMValueRef at = dh_emit_i64(e, offsetof(struct dh_tls, loops));
    return LLVMConstInBoundsGEP2(e->i8, tls, &at, 1);
}

/* A struct dh_loop_place. */
static LLVMValueRef place_of(struct emitter *e, struct place_strand const *strand, bool last) {
    struct ir_access const *a = strand->access;
    char text[256];
    int length = snprintf(text, sizeof text,
                          "leaq 1f(%%rip), $0\n"
                          "2:\n"
                          ".subsection 1\n"
                          "1: .long 2b - 1b\n"
                          ".short %d, %d\n"
                          ".quad %" PRIu64 ", %" PRId64 ", %" PRIu64 "\n"
                          ".previous",
                          a->kind == IR_WRITE, last, a->size, a->run.stride, strand->more);
    LLVMTypeRef type = LLVMFunctionType(e->pointer, NULL, 0, 0);
    LLVMValueRef assembly =
        LLVMGetInlineAsm(type, text, (size_t)length, "=r", 2, 1, 0, LLVMInlineAsmDialectATT, 0);
    return dh_emit_assembly(e, type, assembly);
}

/* The account is in use from here on, or no longer: loops one after the other share its room. */
static void emit_lifetime(struct emitter *e, char const *which, LLVMValueRef account) {
    unsigned id = LLVMLookupIntrinsicID(which, strlen(which));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, &e->pointer, 1);
    uint64_t size =
        LLVMABISizeOfType(LLVMGetModuleDataLayout(e->module), LLVMGetAllocatedType(account));
    LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f,
                   (LLVMValueRef[]){dh_emit_i64(e, size), account}, 2, "");
}

/* ---- the account of a loop ---- */

struct account {
    struct ir_loop const *loop;
    LLVMValueRef memory;
    struct place_strand const **strands;
    uint32_t count;
};

static void find_strands(struct account *account, struct placement const *placement) {
    uint32_t room = 0;
    for (size_t i = 0; i < placement->count; i++)
        if (is_open(&placement->checks[i])) room += placement->checks[i].sheaf->count;
    account->strands = calloc(room, sizeof *account->strands);
    if (!account->strands) abort();
    for (size_t i = 0; i < placement->count; i++) {
        struct place_check const *check = &placement->checks[i];
        if (!is_open(check) || check->access->run.loop != account->loop) continue;
        for (uint32_t s = 0; s < check->sheaf->count; s++)
            account->strands[account->count++] = &check->sheaf->strands[s];
    }
}

static void make_room(struct emitter *e, struct account *account) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(account->loop->before);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
    LLVMTypeRef type = LLVMArrayType2(e->i64, (RUNS + account->count * RUN) / 8);
    dh_emit_before(e, LLVMGetFirstInstruction(entry));
    account->memory = LLVMBuildAlloca(e->builder, type, "");
}

static void emit_begin(struct emitter *e, struct account const *account) {
    LLVMValueRef before = account->loop->before;
    dh_emit_before(e, before);
    emit_lifetime(e, "llvm.lifetime.start", account->memory);
    for (uint32_t i = 0; i < account->count; i++) {
        struct ir_access const *a = account->strands[i]->access;
        uint64_t at = RUNS + i * RUN;
        dh_emit_before_for(e, before, a->instruction);
        LLVMValueRef place = place_of(e, account->strands[i], i + 1 == account->count);
        store(e, place, field(e, account->memory, at + RUN_PLACE));
        store(e, dh_emit_first(e, a), field(e, account->memory, at + RUN_FIRST));
        store(e, dh_emit_i64(e, 0), field(e, account->memory, at + RUN_ROUNDS));
    }
    dh_emit_before(e, before);
    store(e, load(e, link_of(e)), field(e, account->memory, OUTER));
    store(e, account->memory, link_of(e));
}

static void emit_rounds(struct emitter *e, struct account const *account) {
    LLVMValueRef next = dh_emit_round(e, account->loop).next;
    for (uint32_t i = 0; i < account->count; i++) {
        LLVMValueRef access = account->strands[i]->access->instruction;
        dh_emit_before_for(e, LLVMGetNextInstruction(access), access);
        store(e, next, field(e, account->memory, RUNS + i * RUN + RUN_ROUNDS));
    }
}

static void emit_end(struct emitter *e, struct account const *account) {
    for (uint32_t i = 0; i < account->loop->exit_count; i++) {
        if (!dh_emit_first_to(account->loop, i)) continue;
        dh_emit_before(e, account->loop->exits[i].after);
        store(e, load(e, field(e, account->memory, OUTER)), link_of(e));
        emit_lifetime(e, "llvm.lifetime.end", account->memory);
    }
}

static bool is_done(struct placement const *placement, size_t before, struct ir_loop const *loop) {
    for (size_t i = 0; i < before; i++)
        if (is_open(&placement->checks[i]) && placement->checks[i].access->run.loop == loop)
            return true;
    return false;
}

void dh_emit_accounts(struct emitter *e, struct placement const *placement) {
    for (size_t i = 0; i < placement->count; i++) {
        struct place_check const *check = &placement->checks[i];
        if (!is_open(check) || is_done(placement, i, check->access->run.loop)) continue;
        struct account account = {.loop = check->access->run.loop};
        find_strands(&account, placement);
        make_room(e, &account);
        emit_begin(e, &account);
        emit_rounds(e, &account);
        emit_end(e, &account);
        free(account.strands);
        dh_emit_has_loops(e->module);
    }
}
