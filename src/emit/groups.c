/* Checks of groups: one inlined test of all their bytes, or cells, and behind it, if that fails,
 * the slow exit of each member, which carries the member's place in the source. */
#include "emit/emitter.h"
#include "ir/access.h"
#include "place/place.h"

#include <stdio.h>

enum { WORD = 4, CELL = 8, WORDS_MAX = 4, CELLS_MAX = 8 };

/* How far the group begins behind a multiple of CELL, if the alignment of a member tells; -1 if
 * all that is known is that it is a multiple of WORD. */
static int position_of(struct place_group const *g) {
    for (uint32_t m = 0; m < g->count; m++) {
        struct ir_access const *a = g->members[m];
        if (a->align >= CELL) return (int)((g->from - a->offset) & (CELL - 1));
    }
    return -1;
}

static LLVMValueRef emit_test(struct emitter *e, struct ir_access const *a, int64_t at,
                              char const *unit, unsigned count) {
    char name[48];
    snprintf(name, sizeof name, "__dh_check_%s_%s%u", a->kind == IR_WRITE ? "write" : "read", unit,
             count);
    LLVMValueRef p = dh_emit_offset(e, a->pointer, dh_emit_i64(e, (uint64_t)(at - a->offset)));
    LLVMTypeRef i1 = LLVMInt1TypeInContext(e->context);
    return dh_emit_call(e, name, i1, EFFECTS_NONE, &p, 1);
}

/* A bit for each cell from the first on that a member is in. */
static uint32_t cells_of(struct place_group const *g) {
    uint32_t cells = 0;
    for (uint32_t m = 0; m < g->count; m++) {
        struct ir_access const *a = g->members[m];
        cells |= ((1u << a->size / CELL) - 1) << (a->offset - g->from) / CELL;
    }
    return cells;
}

uint64_t dh_group_bytes(struct place_group const *g) {
    return g->gaps ? CELL * (uint64_t)__builtin_popcount(cells_of(g)) : (uint64_t)(g->to - g->from);
}

static LLVMValueRef emit_apart(struct emitter *e, struct ir_access const *a,
                               struct place_group const *g) {
    LLVMValueRef p = dh_emit_offset(e, a->pointer, dh_emit_i64(e, (uint64_t)(g->from - a->offset)));
    LLVMValueRef arguments[] = {p, LLVMConstInt(e->i32, cells_of(g), 0)};
    return dh_emit_call(e, a->kind == IR_WRITE ? "__dh_check_write_among" : "__dh_check_read_among",
                        LLVMInt1TypeInContext(e->context), EFFECTS_NONE, arguments, 2);
}

/* Each stretch of cells side by side is a check of its own to who listens. */
static void emit_audit(struct emitter *e, struct ir_access const *a, struct place_group const *g) {
    uint32_t cells = g->gaps ? cells_of(g) : 1;
    for (unsigned first = 0; cells >> first != 0;) {
        unsigned count = (unsigned)__builtin_ctz(~(cells >> first));
        int64_t at = g->from + (int64_t)first * CELL;
        if (count != 0)
            dh_emit_audit_check(
                e, a, dh_emit_offset(e, a->pointer, dh_emit_i64(e, (uint64_t)(at - a->offset))),
                g->gaps ? count * (uint64_t)CELL : (uint64_t)(g->to - g->from));
        first += count != 0 ? count : 1;
    }
}

/* The tests of all bytes, from left to right. */
static LLVMValueRef emit_tests(struct emitter *e, struct ir_access const *a,
                               struct place_group const *g) {
    LLVMValueRef same = NULL;
    int position = position_of(g);
    for (int64_t at = g->from; at < g->to;) {
        uint64_t left = (uint64_t)(g->to - at);
        int here = position < 0 ? -1 : (int)((position + (at - g->from)) & (CELL - 1));
        LLVMValueRef part;
        if (here == 0 && left >= CELL && (left % CELL == 0 || left > WORD * WORDS_MAX)) {
            unsigned cells = left / CELL < CELLS_MAX ? (unsigned)(left / CELL) : CELLS_MAX;
            part = emit_test(e, a, at, "cells", cells);
            at += (int64_t)cells * CELL;
        } else {
            /* One word leads from the middle of a cell to the next. */
            unsigned words = left / WORD < WORDS_MAX ? (unsigned)(left / WORD) : WORDS_MAX;
            if (here == WORD && left > WORD * WORDS_MAX) words = 1;
            part = emit_test(e, a, at, "words", words);
            at += (int64_t)words * WORD;
        }
        same = same ? LLVMBuildAnd(e->builder, same, part, "") : part;
    }
    return same;
}

void dh_emit_group(struct emitter *e, struct place_check const *check) {
    struct ir_access const *a = check->access;
    struct place_group const *g = check->group;
    dh_emit_before(e, a->instruction);
    emit_audit(e, a, g);
    LLVMValueRef same = g->gaps ? emit_apart(e, a, g) : emit_tests(e, a, g);
    for (uint32_t m = 0; m < g->count; m++) {
        struct ir_access const *member = g->members[m];
        char name[48];
        snprintf(name, sizeof name, "__dh_missed_%s%u%s", a->kind == IR_WRITE ? "write" : "read",
                 (unsigned)member->size, g->gaps ? "_apart" : "");
        dh_emit_before_for(e, a->instruction, member->instruction);
        int64_t distance = member->offset - a->offset;
        LLVMValueRef p = dh_emit_offset(e, a->pointer, dh_emit_i64(e, (uint64_t)distance));
        dh_emit_call(e, name, e->none, EFFECTS_NONE, (LLVMValueRef[]){p, same}, 2);
    }
    dh_emit_audit_checked(e);
}
