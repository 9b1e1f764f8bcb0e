/* Checks of plain accesses, as calls of __dh_check_*.
 *
 * A size with a fast path of its own gets that; vectors of 32 and 64 bytes, which only hand-written
 * vector code has here (the vectoriser has not run yet), get several; everything else is a range.
 * Whole cells that are gathered ask the thread's table first (rt/gathers.h).
 */
#include "ir/access.h"
#include "place/place.h"
#include "emit/emitter.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LANES_MAX = 64 }; /* of one call */

static char const *verb(enum ir_kind kind) { return kind == IR_WRITE ? "write" : "read"; }

/* The check with a fast path for so many bytes, `at` bytes from the pointer. */
static void emit_fast(struct emitter *e, enum ir_kind kind, LLVMValueRef pointer, uint64_t at,
                      unsigned size, bool aligned) {
    char name[48];
    if (at != 0) pointer = dh_emit_offset(e, pointer, dh_emit_i64(e, at));
    if (e->footprints) {
        snprintf(name, sizeof name, "__dh_foot_%s", verb(kind));
        dh_emit_call(e, name, e->none, EFFECTS_NONE,
                     (LLVMValueRef[]){pointer, dh_emit_i64(e, size)}, 2);
        return;
    }
    snprintf(name, sizeof name, "__dh_check_%s%u%s", verb(kind), size, aligned ? "" : "_unaligned");
    dh_emit_call(e, name, e->none, EFFECTS_NONE, &pointer, 1);
}

static void emit_range(struct emitter *e, enum ir_kind kind, LLVMValueRef pointer,
                       LLVMValueRef length) {
    char name[48];
    snprintf(name, sizeof name, "__dh_check_%s_range", verb(kind));
    dh_emit_call(e, name, e->none, EFFECTS_NONE, (LLVMValueRef[]){pointer, length}, 2);
}

/* What the functions of rt/audit.h are told beside the bytes. */
static LLVMValueRef is_write(struct emitter *e, struct ir_access const *a) {
    return dh_emit_i32(e, a->kind == IR_WRITE);
}

void dh_emit_bytes(struct emitter *e, struct ir_access const *a, LLVMValueRef pointer) {
    switch (a->size) {
    case 1:
    case 2:
    case 4:
    case 8: emit_fast(e, a->kind, pointer, 0, (unsigned)a->size, a->align >= a->size); return;
    case 16:
        if (a->align < 8) {
            emit_fast(e, a->kind, pointer, 0, 8, false);
            emit_fast(e, a->kind, pointer, 8, 8, false);
            return;
        }
        emit_fast(e, a->kind, pointer, 0, 16, true);
        return;
    case 32:
    case 64:
        if (a->align < 8) break;
        for (uint64_t at = 0; at < a->size; at += 16)
            emit_fast(e, a->kind, pointer, at, 16, true);
        return;
    default: break;
    }
    emit_range(e, a->kind, pointer, dh_emit_i64(e, a->size));
}

/* The first lanes of a vector that may have more. */
static LLVMValueRef first_lanes(struct emitter *e, LLVMValueRef vector, unsigned lanes) {
    LLVMValueRef which[LANES_MAX];
    if (LLVMGetVectorSize(LLVMTypeOf(vector)) == lanes) return vector;
    for (unsigned i = 0; i < lanes; i++)
        which[i] = dh_emit_i32(e, i);
    return LLVMBuildShuffleVector(e->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(which, lanes), "");
}

/* The lanes in the mask, as an integer of as many bits: bit i is lane i. */
static LLVMValueRef mask_bits(struct emitter *e, struct ir_access const *a) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef mask = a->mask;
    LLVMTypeRef type = LLVMTypeOf(mask), bits = LLVMIntTypeInContext(e->context, a->lanes);
    LLVMTypeKind element = LLVMGetTypeKind(LLVMGetElementType(type));
    if (element != LLVMIntegerTypeKind) { /* a mask of floats, for its signs */
        LLVMTypeRef lane = LLVMIntTypeInContext(e->context, (unsigned)a->size * 8);
        type = LLVMVectorType(lane, LLVMGetVectorSize(type));
        mask = LLVMBuildBitCast(b, mask, type, "");
    }
    if (LLVMGetIntTypeWidth(LLVMGetElementType(type)) != 1)
        mask = LLVMBuildICmp(b, LLVMIntSLT, mask, LLVMConstNull(type), "");
    LLVMValueRef lanes = LLVMBuildBitCast(b, first_lanes(e, mask, a->lanes), bits, "");
    if (!a->active) return lanes;
    /* The first `active` lanes: 2^active - 1, computed with a bit to spare. */
    LLVMTypeRef wide = LLVMIntTypeInContext(e->context, a->lanes + 1);
    LLVMValueRef active = LLVMBuildIntCast2(b, a->active, wide, 0, "");
    LLVMValueRef first = LLVMBuildSub(b, LLVMBuildShl(b, LLVMConstInt(wide, 1, 0), active, ""),
                                      LLVMConstInt(wide, 1, 0), "");
    return LLVMBuildAnd(b, lanes, LLVMBuildTrunc(b, first, bits, ""), "");
}

/* Bits at..at+63 of the mask. */
static LLVMValueRef mask_part(struct emitter *e, LLVMValueRef bits, unsigned at) {
    if (at != 0) bits = LLVMBuildLShr(e->builder, bits, LLVMConstInt(LLVMTypeOf(bits), at, 0), "");
    return LLVMBuildIntCast2(e->builder, bits, e->i64, 0, "");
}

/* Calls `name`, with one argument more if that is not null. */
static void emit_masked(struct emitter *e, struct ir_access const *a, char const *name,
                        LLVMValueRef more) {
    LLVMValueRef bits = mask_bits(e, a);
    for (unsigned at = 0; at < a->lanes; at += LANES_MAX) {
        unsigned lanes = a->lanes - at < LANES_MAX ? a->lanes - at : LANES_MAX;
        LLVMValueRef arguments[] = {
            at ? dh_emit_offset(e, a->pointer, dh_emit_i64(e, at * a->size)) : a->pointer,
            mask_part(e, bits, at), dh_emit_i32(e, lanes), dh_emit_i32(e, (uint32_t)a->size), more};
        dh_emit_call(e, name, e->none, EFFECTS_NONE, arguments, more ? 5 : 4);
    }
}

/* The bytes of as many lanes as the mask has bits, side by side. */
static LLVMValueRef packed_length(struct emitter *e, struct ir_access const *a) {
    LLVMValueRef bits = mask_bits(e, a);
    LLVMTypeRef type = LLVMTypeOf(bits);
    unsigned id = LLVMLookupIntrinsicID("llvm.ctpop", strlen("llvm.ctpop"));
    LLVMValueRef ctpop = LLVMGetIntrinsicDeclaration(e->module, id, &type, 1);
    LLVMValueRef lanes =
        LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(ctpop), ctpop, &bits, 1, "");
    lanes = LLVMBuildIntCast2(e->builder, lanes, e->i64, 0, "");
    return LLVMBuildMul(e->builder, lanes, dh_emit_i64(e, a->size), "");
}

/* The bytes of an access that is one range. */
static LLVMValueRef length_of(struct emitter *e, struct ir_access const *a) {
    switch (a->shape) {
    case IR_BYTES: return dh_emit_i64(e, a->size);
    case IR_RANGE: return LLVMBuildIntCast2(e->builder, a->length, e->i64, 0, "");
    default: return packed_length(e, a);
    }
}

/* The address of each lane. */
static LLVMValueRef lane_pointers(struct emitter *e, struct ir_access const *a) {
    LLVMBuilderRef b = e->builder;
    if (a->shape == IR_SCATTERED) return a->pointer;
    LLVMTypeRef wide = LLVMVectorType(e->i64, a->lanes);
    LLVMValueRef bytes = LLVMBuildSExt(b, first_lanes(e, a->index, a->lanes), wide, "");
    LLVMValueRef scales[LANES_MAX];
    for (unsigned i = 0; i < a->lanes; i++)
        scales[i] = dh_emit_i64(e, a->scale);
    return dh_emit_offset(e, a->pointer,
                          LLVMBuildMul(b, bytes, LLVMConstVector(scales, a->lanes), ""));
}

/* The runtime wants the pointers in memory: an array in the function's frame. */
static LLVMValueRef spill_pointers(struct emitter *e, struct ir_access const *a) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(a->instruction);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
    dh_emit_before(e, LLVMGetFirstInstruction(entry));
    LLVMValueRef array = LLVMBuildAlloca(e->builder, LLVMArrayType2(e->pointer, a->lanes), "");
    dh_emit_before(e, a->instruction);
    LLVMSetAlignment(LLVMBuildStore(e->builder, lane_pointers(e, a), array), 8);
    return array;
}

static void emit_scattered(struct emitter *e, struct ir_access const *a, char const *name,
                           LLVMValueRef more) {
    LLVMValueRef array = spill_pointers(e, a), bits = mask_bits(e, a);
    for (unsigned at = 0; at < a->lanes; at += LANES_MAX) {
        unsigned lanes = a->lanes - at < LANES_MAX ? a->lanes - at : LANES_MAX;
        LLVMValueRef arguments[] = {at ? dh_emit_offset(e, array, dh_emit_i64(e, 8 * at)) : array,
                                    mask_part(e, bits, at), dh_emit_i32(e, lanes),
                                    dh_emit_i32(e, (uint32_t)a->size), more};
        dh_emit_call(e, name, e->none, EFFECTS_READ_ARGUMENT, arguments, more ? 5 : 4);
    }
}

/* ---- the tape of code that is audited (rt/audit.h) ---- */

static void emit_audit(struct emitter *e, struct ir_access const *a, bool check) {
    switch (a->shape) {
    case IR_BYTES:
    case IR_RANGE:
    case IR_PACKED:
        dh_emit_call(e, check ? "__dh_audit_check" : "__dh_audit_access", e->none, EFFECTS_NONE,
                     (LLVMValueRef[]){a->pointer, length_of(e, a), is_write(e, a)}, 3);
        break;
    case IR_MASKED:
        emit_masked(e, a, check ? "__dh_audit_check_masked" : "__dh_audit_masked", is_write(e, a));
        break;
    case IR_SCATTERED:
    case IR_INDEXED:
        emit_scattered(e, a, check ? "__dh_audit_check_scattered" : "__dh_audit_scattered",
                       is_write(e, a));
        break;
    }
}

void dh_emit_audit_check(struct emitter *e, struct ir_access const *a, LLVMValueRef pointer,
                         uint64_t size) {
    if (!e->audit) return;
    LLVMValueRef arguments[] = {pointer, dh_emit_i64(e, size), is_write(e, a)};
    dh_emit_call(e, "__dh_audit_check", e->none, EFFECTS_NONE, arguments, 3);
}

void dh_emit_audit_checked(struct emitter *e) {
    if (e->audit) dh_emit_call(e, "__dh_audit_checked", e->none, EFFECTS_NONE, NULL, 0);
}

/* ---- all ---- */

static void emit_check(struct emitter *e, struct ir_access const *a) {
    char name[48];
    dh_emit_before(e, a->instruction);
    if (e->audit && e->footprints && a->shape == IR_BYTES) /* made later: the runtime tells */
        dh_emit_call(e, "__dh_audit_check_run", e->none, EFFECTS_NONE, NULL, 0);
    else if (e->audit)
        emit_audit(e, a, true);
    switch (a->shape) {
    case IR_BYTES:
        if (e->gathers && a->gathers && a->size == 8 && a->align >= 8)
            dh_emit_call(e, "__dh_check_gather8", e->none, EFFECTS_NONE,
                         (LLVMValueRef[]){a->pointer}, 1);
        else
            dh_emit_bytes(e, a, a->pointer);
        break;
    case IR_RANGE:
    case IR_PACKED: emit_range(e, a->kind, a->pointer, length_of(e, a)); break;
    case IR_MASKED:
        snprintf(name, sizeof name, "__dh_check_%s_masked", verb(a->kind));
        emit_masked(e, a, name, NULL);
        break;
    case IR_SCATTERED:
    case IR_INDEXED:
        emit_scattered(e, a,
                       a->kind == IR_WRITE ? "__dh_check_write_scatter" : "__dh_check_read_gather",
                       NULL);
        break;
    }
    dh_emit_audit_checked(e);
}

static bool is_plain(struct ir_access const *a) {
    return a->kind == IR_READ || a->kind == IR_WRITE;
}

void dh_emit_checks(struct emitter *e, struct placement const *placement) {
    e->round_count = 0;
    for (size_t i = 0; i < placement->count; i++) {
        struct place_check const *check = &placement->checks[i];
        if (check->sheaf)
            dh_emit_run(e, check);
        else if (check->group)
            dh_emit_group(e, check);
        else if (is_plain(check->access))
            emit_check(e, check->access);
    }
}

void dh_emit_accesses(struct emitter *e, struct ir_accesses const *accesses) {
    for (size_t i = 0; i < accesses->count; i++) {
        struct ir_access const *a = &accesses->list[i];
        if (!is_plain(a) || a->exempt != IR_CHECKABLE) continue;
        dh_emit_before(e, a->instruction);
        emit_audit(e, a, false);
    }
}
