#include "model/machine.h"

#include "util/diag.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) dh_fail("out of memory");
    return memory;
}

/* ---- Layout ---- */

static uint32_t object_words(struct ir_program const *program, struct ir_global const *global) {
    if (global->kind == IR_SCALAR) return 1;
    if (global->kind == IR_ARRAY) return DH_HEADER + global->count;
    return global->count * (DH_HEADER + program->classes[global->class_id].field_count);
}

static void lay_out_globals(struct dh_machine *m) {
    struct ir_program const *program = m->program;
    m->global_at = allocate(program->global_count, sizeof *m->global_at);
    for (uint32_t g = 0; g < program->global_count; g++) {
        m->global_at[g] = m->global_words;
        m->global_words += object_words(program, &program->globals[g]);
    }
    m->starts = allocate(m->global_words, sizeof *m->starts);
    for (uint32_t g = 0; g < program->global_count; g++) {
        struct ir_global const *global = &program->globals[g];
        if (global->kind == IR_SCALAR) continue;
        uint32_t count = global->kind == IR_ARRAY ? 1 : global->count;
        for (uint32_t i = 0; i < count; i++)
            m->starts[m->global_at[g] + i * (object_words(program, global) / count)] = true;
    }
}

/* How deep the calls of a function can get, in words; `limit` where that has no end. */
static uint32_t stack_of(struct ir_program const *program, uint32_t f, uint32_t limit,
                         uint32_t *known) {
    enum { UNKNOWN, OPEN };
    if (known[f] == OPEN) return limit;
    if (known[f] != UNKNOWN) return known[f];
    known[f] = OPEN;
    uint32_t deepest = 0;
    struct ir_function const *function = &program->functions[f];
    for (uint32_t b = 0; b < function->block_count; b++)
        for (uint32_t i = 0; i < function->blocks[b].count; i++) {
            struct ir_instruction const *in = &function->blocks[b].instructions[i];
            if (in->op != IR_OP_CALL) continue;
            uint32_t words = stack_of(program, in->callee, limit, known);
            if (words > deepest) deepest = words;
        }
    if (deepest > limit) deepest = limit;
    return known[f] = DH_FRAME_WORDS + function->local_count + deepest;
}

static bool allocates(struct ir_program const *program) {
    for (uint32_t f = 0; f < program->function_count; f++)
        for (uint32_t b = 0; b < program->functions[f].block_count; b++)
            for (uint32_t i = 0; i < program->functions[f].blocks[b].count; i++) {
                enum ir_opcode op = program->functions[f].blocks[b].instructions[i].op;
                if (op == IR_OP_NEW || op == IR_OP_NEW_ARRAY) return true;
            }
    return false;
}

void dh_machine_init(struct dh_machine *m, struct ir_program const *program,
                     struct dh_limits limits) {
    *m =
        (struct dh_machine){.program = program, .limits = limits, .threads = program->thread_total};
    lay_out_globals(m);
    uint32_t *known = allocate(program->function_count, sizeof *known);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        uint32_t words = stack_of(program, program->threads[t].function, limits.stack, known);
        if (words > m->stack_words) m->stack_words = words;
    }
    free(known);
    if (allocates(program)) m->heap_words = limits.heap;
    size_t words = m->global_words + (size_t)m->threads * (m->stack_words + m->heap_words);
    m->state_size = sizeof(struct dh_state) + words * sizeof(int64_t);
    m->scratch = allocate(1, m->state_size);
}

void dh_machine_free(struct dh_machine *m) {
    free(m->global_at);
    free(m->starts);
    free(m->scratch);
}

/* ---- States ---- */

struct dh_state *dh_state_new(struct dh_machine const *m) {
    struct dh_state *state = allocate(1, m->state_size);
    for (uint32_t g = 0; g < m->program->global_count; g++) {
        struct ir_global const *global = &m->program->globals[g];
        int64_t *words = state->words + m->global_at[g];
        if (global->kind == IR_SCALAR) {
            if (global->initial) *words = *global->initial;
            continue;
        }
        uint32_t count = global->kind == IR_ARRAY ? 1 : global->count;
        uint32_t each = object_words(m->program, global) / count;
        int64_t kind = global->atomic ? DH_KIND_ATOMIC_ARRAY : DH_KIND_ARRAY;
        if (global->kind == IR_OBJECTS) kind = global->class_id;
        for (uint32_t i = 0; i < count; i++) {
            words[i * each + DH_HEADER_KIND] = kind;
            words[i * each + DH_HEADER_LENGTH] = each - DH_HEADER;
        }
        if (global->initial)
            memcpy(words + DH_HEADER, global->initial, global->count * sizeof *words);
    }
    return state;
}

void dh_state_copy(struct dh_machine const *m, struct dh_state *to, struct dh_state const *from) {
    memcpy(to, from, m->state_size);
}

/* ---- Footprints ---- */

static enum dh_dependence of_two(struct dh_touched first, struct dh_touched second) {
    bool memory = first.how <= DH_TOUCH_WRITE, locks = !memory && first.how <= DH_TOUCH_RELEASE;
    if (first.where != second.where) return DH_INDEPENDENT;
    if (memory) {
        bool both_read = first.how == DH_TOUCH_READ && second.how == DH_TOUCH_READ;
        return second.how <= DH_TOUCH_WRITE && !both_read ? DH_CONFLICT : DH_INDEPENDENT;
    }
    if (locks) {
        if (second.how != DH_TOUCH_ACQUIRE && second.how != DH_TOUCH_RELEASE) return DH_INDEPENDENT;
        bool handover = first.how == DH_TOUCH_RELEASE && second.how == DH_TOUCH_ACQUIRE;
        return handover ? DH_HANDOVER : DH_CONFLICT;
    }
    if (first.how == DH_TOUCH_END && second.how == DH_TOUCH_WAIT) return DH_ORDERED;
    if (first.how == DH_TOUCH_START && second.how == DH_TOUCH_START) return DH_CONFLICT;
    return DH_INDEPENDENT;
}

enum dh_dependence dh_dependence(struct dh_footprint const *first,
                                 struct dh_footprint const *second) {
    if (first->count > DH_FOOTPRINT || second->count > DH_FOOTPRINT) return DH_CONFLICT;
    enum dh_dependence strongest = DH_INDEPENDENT;
    for (uint32_t i = 0; i < first->count; i++)
        for (uint32_t j = 0; j < second->count; j++) {
            enum dh_dependence d = of_two(first->touched[i], second->touched[j]);
            if (d > strongest) strongest = d;
        }
    return strongest;
}
