/* Checks of groups: one inlined test of all their bytes, or cells, and behind it, if that fails,
 * the slow exit of each member, which carries the member's place in the source.
 *
 * Where that is the same for all, as in a loop that was unrolled, and they are of one size, they are
 * a row (rt/abi.h): its slow exit comes first, and if that can make one step of them, without a
 * race, there is nothing left for theirs.
 *
 * Of other groups, those with words of four bytes have one exit first, too: one step for the cells
 * that members share, where theirs would be two, and leave the first of it a cell that is used in
 * parts. Each member has its own access noted, or judged. Whole cells are as well off by
 * themselves. */
#include "emit/emitter.h"
#include "ir/access.h"
#include "ir/llvm.h"
#include "place/place.h"

#include <stdio.h>

enum { WORD = 4, CELL = 8, WORDS_MAX = 3, CELLS_MAX = 8, SPAN_MIN = 4, SPAN_MAX = 16 };

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
                               struct place_group const *g, LLVMValueRef start) {
    LLVMValueRef arguments[] = {start, LLVMConstInt(e->i32, cells_of(g), 0)};
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
        } else if (left == WORD * SPAN_MIN || (here < 0 && left > WORD * SPAN_MIN)) {
            unsigned words = left / WORD < SPAN_MAX ? (unsigned)(left / WORD) & ~1u : SPAN_MAX;
            part = emit_test(e, a, at, "span", words);
            at += (int64_t)words * WORD;
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

/* One place, one size; and no byte is two members', or nobody's. */
static bool is_row(struct place_group const *g) {
    LLVMMetadataRef at = dh_ir_location(g->members[0]->instruction);
    uint64_t size = g->members[0]->size;
    for (uint32_t m = 1; m < g->count; m++)
        if (g->members[m]->size != size || dh_ir_location(g->members[m]->instruction) != at)
            return false;
    return !g->gaps && g->count * size == (uint64_t)(g->to - g->from);
}

static LLVMValueRef emit_row(struct emitter *e, struct ir_access const *a,
                             struct place_group const *g, LLVMValueRef start, LLVMValueRef same) {
    LLVMValueRef arguments[] = {start, dh_emit_i64(e, (uint64_t)(g->to - g->from)),
                                dh_emit_i64(e, g->members[0]->size), same};
    char const *name = a->kind == IR_WRITE ? "__dh_missed_write_row" : "__dh_missed_read_row";
    dh_emit_before_for(e, a->instruction, g->members[0]->instruction);
    return dh_emit_call(e, name, LLVMInt1TypeInContext(e->context), EFFECTS_NONE, arguments, 4);
}

static bool has_words(struct place_group const *g) {
    for (uint32_t m = 0; m < g->count; m++)
        if (g->members[m]->size < CELL) return true;
    return false;
}

static LLVMValueRef emit_shared(struct emitter *e, struct ir_access const *a,
                                struct place_group const *g, LLVMValueRef start,
                                LLVMValueRef same) {
    LLVMValueRef arguments[] = {start, dh_emit_i64(e, (uint64_t)(g->to - g->from)), same};
    char const *name = a->kind == IR_WRITE ? "__dh_missed_write_group" : "__dh_missed_read_group";
    return dh_emit_call(e, name, e->i32, EFFECTS_NONE, arguments, 3);
}

/* The member's own exit, which has something to do if the test failed, or with what is left. */
static void emit_member(struct emitter *e, struct ir_access const *a, struct place_group const *g,
                        struct ir_access const *member, LLVMValueRef same, LLVMValueRef left) {
    char name[48];
    char const *verb = a->kind == IR_WRITE ? "write" : "read";
    dh_emit_before_for(e, a->instruction, member->instruction);
    int64_t distance = member->offset - a->offset;
    LLVMValueRef p = dh_emit_offset(e, a->pointer, dh_emit_i64(e, (uint64_t)distance));
    if (left) {
        snprintf(name, sizeof name, "__dh_missed_%s_member", verb);
        LLVMValueRef arguments[] = {p, dh_emit_i64(e, member->size), left};
        dh_emit_call(e, name, e->none, EFFECTS_NONE, arguments, 3);
    } else {
        snprintf(name, sizeof name, "__dh_missed_%s%u%s", verb, (unsigned)member->size,
                 g->gaps ? "_apart" : "");
        dh_emit_call(e, name, e->none, EFFECTS_NONE, (LLVMValueRef[]){p, same}, 2);
    }
}

void dh_emit_group(struct emitter *e, struct place_check const *check) {
    struct ir_access const *a = check->access;
    struct place_group const *g = check->group;
    dh_emit_before(e, a->instruction);
    LLVMValueRef start =
        dh_emit_offset(e, a->pointer, dh_emit_i64(e, (uint64_t)(g->from - a->offset)));
    emit_audit(e, a, g);
    LLVMValueRef same = g->gaps ? emit_apart(e, a, g, start) : emit_tests(e, a, g);
    LLVMValueRef left = NULL;
    if (is_row(g))
        same = emit_row(e, a, g, start, same);
    else if (has_words(g))
        left = emit_shared(e, a, g, start, same);
    for (uint32_t m = 0; m < g->count; m++)
        emit_member(e, a, g, g->members[m], same, left);
    dh_emit_audit_checked(e);
}
