#include "model/instrument.h"

#include "util/diag.h"

#include <stdlib.h>
#include <string.h>

/* One of the arrays of clocks, as something to index: row * z + column. */
struct rows {
    uint32_t global;
    ir_expression row;
};

struct writer {
    struct ir_program *program;
    enum dh_instrument_locks locks;
    uint32_t z;
    uint32_t C, L, R, W, X;      /* globals */
    uint32_t *first;             /* by global: the number of its first location or lock */
    struct ir_block *block;      /* what is being written */
    uint32_t tmp1, tmp2, number; /* locals of the function */
    char const *why;
    struct ir_position where;
};

/* ---- Is it in the language? ---- */

static bool plain_place(struct ir_program const *p, struct ir_place place) {
    if (place.kind == IR_PLACE_GLOBAL) return !p->globals[place.which].atomic;
    struct ir_node base = p->nodes[place.base];
    return place.kind == IR_PLACE_ELEMENT && base.op == IR_NODE_OBJECT
           && p->globals[base.value].kind == IR_ARRAY && !p->globals[base.value].atomic;
}

static char const *refusal(struct ir_program const *p, struct ir_instruction const *i) {
    switch (i->op) {
    case IR_OP_READ:
    case IR_OP_WRITE:
        return plain_place(p, i->place) ? NULL
                                        : "only plain globals and their elements are locations";
    case IR_OP_ACQUIRE:
    case IR_OP_RELEASE: {
        struct ir_node lock = p->nodes[i->value];
        bool named = lock.op == IR_NODE_OBJECT && p->globals[lock.value].kind == IR_OBJECTS;
        return named ? NULL : "only locks with names are locks";
    }
    case IR_OP_EXCHANGE:
    case IR_OP_FETCH_ADD:
    case IR_OP_COMPARE:
    case IR_OP_AWAIT:
    case IR_OP_ATOMIC: return "there are no atomics";
    case IR_OP_NEW:
    case IR_OP_NEW_ARRAY: return "there is no memory made at run time";
    case IR_OP_CHECK: return "there are no checks but the instrumentation's";
    default: return NULL;
    }
}

/* ---- Pieces ---- */

static ir_expression number_of(struct writer *w, int64_t value) {
    return dh_program_constant(w->program, value);
}

static ir_expression self(struct writer *w) {
    return dh_program_node(w->program, (struct ir_node){.op = IR_NODE_SELF});
}

/* base + index, folded where both are numbers: most are. */
static ir_expression sum(struct writer *w, ir_expression a, ir_expression b) {
    struct ir_node x = w->program->nodes[a], y = w->program->nodes[b];
    if (x.op == IR_NODE_CONSTANT && y.op == IR_NODE_CONSTANT)
        return number_of(w, x.value + y.value);
    return dh_program_binary(w->program, IR_NODE_ADD, a, b);
}

static struct ir_place entry(struct writer *w, struct rows rows, ir_expression column) {
    struct ir_node row = w->program->nodes[rows.row];
    ir_expression start =
        row.op == IR_NODE_CONSTANT
            ? number_of(w, row.value * w->z)
            : dh_program_binary(w->program, IR_NODE_MULTIPLY, rows.row, number_of(w, w->z));
    struct ir_node array = {.op = IR_NODE_OBJECT, .value = rows.global};
    return (struct ir_place){.kind = IR_PLACE_ELEMENT,
                             .base = dh_program_node(w->program, array),
                             .index = sum(w, start, column)};
}

static void emit(struct writer *w, struct ir_instruction i) {
    i.position = (struct ir_position){.file = w->program->file};
    dh_block_append(w->block, i);
}

static void load(struct writer *w, uint32_t target, struct ir_place from) {
    emit(w, (struct ir_instruction){.op = IR_OP_READ, .target = target, .place = from});
}

static void store(struct writer *w, ir_expression value, struct ir_place to) {
    emit(w, (struct ir_instruction){
                .op = IR_OP_WRITE, .target = IR_NONE, .value = value, .place = to});
}

static void assign(struct writer *w, uint32_t target, ir_expression value) {
    emit(w, (struct ir_instruction){.op = IR_OP_ASSIGN, .target = target, .value = value});
}

static ir_expression local(struct writer *w, uint32_t which) {
    return dh_program_local(w->program, which);
}

/* ---- Figure 8 ---- */

static void move(struct writer *w, struct ir_place p, struct ir_place q) {
    load(w, w->tmp1, p);
    store(w, local(w, w->tmp1), q);
}

static void set(struct writer *w, struct rows a, struct rows b) {
    for (uint32_t o = 0; o < w->z; o++)
        move(w, entry(w, a, number_of(w, o)), entry(w, b, number_of(w, o)));
}

static void inc(struct writer *w, struct rows b, ir_expression o) {
    load(w, w->tmp1, entry(w, b, o));
    assign(w, w->tmp1,
           dh_program_binary(w->program, IR_NODE_ADD, local(w, w->tmp1), number_of(w, 1)));
    store(w, local(w, w->tmp1), entry(w, b, o));
}

static void max(struct writer *w, struct ir_place p, struct ir_place q) {
    load(w, w->tmp1, p);
    load(w, w->tmp2, q);
    assign(w, w->tmp2,
           dh_program_binary(w->program, IR_NODE_MAXIMUM, local(w, w->tmp1), local(w, w->tmp2)));
    store(w, local(w, w->tmp2), q);
}

static void merge(struct writer *w, struct rows a, struct rows b) {
    for (uint32_t o = 0; o < w->z; o++)
        max(w, entry(w, a, number_of(w, o)), entry(w, b, number_of(w, o)));
}

static void lea(struct writer *w, struct ir_place p, struct ir_place q) {
    load(w, w->tmp1, p);
    load(w, w->tmp2, q);
    ir_expression ordered =
        dh_program_binary(w->program, IR_NODE_LESS_EQUAL, local(w, w->tmp1), local(w, w->tmp2));
    emit(w, (struct ir_instruction){.op = IR_OP_ASSERT, .target = IR_NONE, .value = ordered});
}

static void hb_check(struct writer *w, struct rows a, struct rows b) {
    for (uint32_t o = 0; o < w->z; o++)
        lea(w, entry(w, a, number_of(w, o)), entry(w, b, number_of(w, o)));
}

/* ---- Figure 9, with the locks of section 4.3 ---- */

static void lock_location(struct writer *w, enum ir_opcode op, ir_expression x) {
    if (w->locks == DH_WITHOUT_LOCKS) return;
    struct ir_node lock = {.op = IR_NODE_OBJECT, .value = w->X, .a = x};
    emit(w, (struct ir_instruction){
                .op = op, .target = IR_NONE, .value = dh_program_node(w->program, lock)});
}

/* The number of the location. A local keeps it where it must be computed: the load may change what
 * it was computed from. */
static ir_expression location(struct writer *w, struct ir_place place) {
    if (place.kind == IR_PLACE_GLOBAL) return number_of(w, w->first[place.which]);
    uint32_t array = (uint32_t)w->program->nodes[place.base].value;
    ir_expression x = sum(w, number_of(w, w->first[array]), place.index);
    if (w->program->nodes[x].op == IR_NODE_CONSTANT) return x;
    assign(w, w->number, x);
    return local(w, w->number);
}

static void access(struct writer *w, struct ir_instruction const *i) {
    bool write = i->op == IR_OP_WRITE;
    ir_expression t = self(w), x = location(w, i->place);
    struct rows C = {w->C, t}, R = {w->R, x}, W = {w->W, x};
    lock_location(w, IR_OP_ACQUIRE, x);
    struct ir_instruction check = {.op = IR_OP_CHECK,
                                   .target = IR_NONE,
                                   .place = i->place,
                                   .kind = write ? IR_WRITE : IR_READ,
                                   .stride = number_of(w, 1)};
    check.end = sum(w, i->place.index, number_of(w, 1));
    emit(w, check);
    hb_check(w, W, C);
    if (write) hb_check(w, R, C);
    move(w, entry(w, C, t), entry(w, write ? W : R, t));
    dh_block_append(w->block, *i);
    lock_location(w, IR_OP_RELEASE, x);
}

static void synchronise(struct writer *w, struct ir_instruction const *i) {
    ir_expression t = self(w), other = i->value;
    struct rows C = {w->C, t}, Cu = {w->C, other}, L = {w->L, 0};
    if (i->op == IR_OP_ACQUIRE || i->op == IR_OP_RELEASE) {
        struct ir_node lock = w->program->nodes[i->value];
        L.row = sum(w, number_of(w, w->first[lock.value]), lock.a);
    }
    if (i->op == IR_OP_ACQUIRE) {
        dh_block_append(w->block, *i);
        merge(w, L, C);
    } else if (i->op == IR_OP_RELEASE) {
        set(w, C, L);
        inc(w, C, t);
        dh_block_append(w->block, *i);
    } else if (i->op == IR_OP_SPAWN) {
        merge(w, C, Cu);
        inc(w, C, t);
        dh_block_append(w->block, *i);
    } else {
        dh_block_append(w->block, *i);
        merge(w, Cu, C);
        inc(w, Cu, other);
    }
}

/* ---- The program ---- */

static void rewrite(struct writer *w, struct ir_function *function) {
    w->tmp1 = dh_function_local(function, dh_program_name(w->program, "$1", 2));
    w->tmp2 = dh_function_local(function, dh_program_name(w->program, "$2", 2));
    w->number = dh_function_local(function, dh_program_name(w->program, "$x", 2));
    for (uint32_t b = 0; b < function->block_count; b++) {
        struct ir_block old = function->blocks[b];
        function->blocks[b] = (struct ir_block){.end = old.end};
        w->block = &function->blocks[b];
        for (uint32_t k = 0; k < old.count; k++) {
            struct ir_instruction const *i = &old.instructions[k];
            char const *why = refusal(w->program, i);
            if (why && !w->why) w->why = why, w->where = i->position;
            if (why)
                continue;
            else if (i->op == IR_OP_READ || i->op == IR_OP_WRITE)
                access(w, i);
            else if (i->op == IR_OP_ACQUIRE || i->op == IR_OP_RELEASE || i->op == IR_OP_SPAWN
                     || i->op == IR_OP_WAIT)
                synchronise(w, i);
            else
                dh_block_append(w->block, *i);
        }
        free(old.instructions);
    }
}

static uint32_t new_array(struct writer *w, char const *name, uint32_t count) {
    return dh_program_global(w->program,
                             (struct ir_global){.name = dh_program_name(w->program, name, 2),
                                                .kind = IR_ARRAY,
                                                .count = count ? count : 1});
}

/* Every thread is in its first epoch. Threads that run from the beginning were spawned by main
 * before it did anything else: as the rule for spawn says. */
static void first_clocks(struct writer *w) {
    uint32_t z = w->z;
    int64_t *C = calloc((size_t)z * z, sizeof *C);
    if (!C) dh_fail("out of memory");
    for (uint32_t t = 0; t < z; t++)
        C[t * z + t] = 1;
    for (uint32_t d = 1; d < w->program->thread_count; d++) {
        struct ir_thread const *declared = &w->program->threads[d];
        for (uint32_t k = 0; k < declared->count && declared->at_start; k++)
            C[(declared->first + k) * z] = C[0]++;
    }
    w->program->globals[w->C].initial = C;
}

struct ir_program *dh_instrument(struct ir_program const *program, enum dh_instrument_locks locks,
                                 char const **why, struct ir_position *where) {
    struct writer w = {.program = dh_program_copy(program), .locks = locks};
    uint32_t globals = program->global_count, locations = 0, named_locks = 0;
    w.z = program->thread_total;
    w.first = calloc(globals ? globals : 1, sizeof *w.first);
    if (!w.first) dh_fail("out of memory");
    for (uint32_t g = 0; g < globals; g++) {
        uint32_t *next = program->globals[g].kind == IR_OBJECTS ? &named_locks : &locations;
        w.first[g] = *next;
        *next += program->globals[g].count;
    }
    w.C = new_array(&w, "$C", w.z * w.z);
    w.L = new_array(&w, "$L", named_locks * w.z);
    w.R = new_array(&w, "$R", locations * w.z);
    w.W = new_array(&w, "$W", locations * w.z);
    w.X =
        dh_program_global(w.program, (struct ir_global){.name = dh_program_name(w.program, "$X", 2),
                                                        .kind = IR_OBJECTS,
                                                        .count = locations ? locations : 1});
    first_clocks(&w);
    for (uint32_t f = 0; f < w.program->function_count; f++)
        rewrite(&w, &w.program->functions[f]);
    free(w.first);
    if (!w.why) return w.program;
    *why = w.why;
    *where = w.where;
    where->file = program->file; /* the copy goes */
    dh_program_free(w.program);
    return NULL;
}
