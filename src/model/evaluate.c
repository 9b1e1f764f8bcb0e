/* Expressions, references and places of a state. Nothing here changes the state. */
#include "model/machine.h"

#define GLOBALS_AT ((uint64_t)0x1000)

int64_t *dh_state_region(struct dh_machine const *m, struct dh_state const *state,
                         uint32_t region) {
    int64_t *words = (int64_t *)state->words;
    if (region == 0) return words;
    return words + m->global_words + (size_t)m->threads * m->stack_words
           + (size_t)(region - 1) * m->heap_words;
}

int64_t *dh_machine_locals(struct dh_machine const *m, struct dh_state *state, uint32_t thread) {
    return state->words + m->global_words + (size_t)thread * m->stack_words
           + state->threads[thread].frame + DH_FRAME_WORDS;
}

uint64_t dh_address(uint32_t region, uint32_t word) {
    return region == 0 ? GLOBALS_AT + 8u * word : ((uint64_t)region << 32) + 8u * word;
}

bool dh_state_global(struct dh_machine const *m, struct dh_state const *state, char const *name,
                     int64_t *value) {
    for (uint32_t g = 0; g < m->program->global_count; g++) {
        struct ir_global const *global = &m->program->globals[g];
        char const *a = global->name, *b = name;
        while (*a && *a == *b)
            a++, b++;
        if (*a != *b || global->kind != IR_SCALAR) continue;
        *value = state->words[m->global_at[g]];
        return true;
    }
    return false;
}

static struct dh_block_view wrong(struct dh_evaluation *e, char const *error) {
    if (!e->error) e->error = error;
    return (struct dh_block_view){0, NULL};
}

struct dh_block_view dh_evaluate_block(struct dh_evaluation *e, int64_t reference) {
    uint64_t address = (uint64_t)reference;
    uint32_t region = (uint32_t)(address >> 32), word;
    if (reference == 0) return wrong(e, "null has no fields, elements or lock");
    if (region > e->machine->threads || address % 8 != 0) return wrong(e, "not a reference");
    int64_t *words = dh_state_region(e->machine, e->state, region);
    if (region == 0) {
        word = (uint32_t)((address - GLOBALS_AT) / 8);
        if (address < GLOBALS_AT || word >= e->machine->global_words || !e->machine->starts[word])
            return wrong(e, "not a reference");
    } else {
        uint32_t used = e->state->threads[region - 1].heap, at = 0;
        word = (uint32_t)address / 8;
        while (at < used && at < word)
            at += DH_HEADER + (uint32_t)words[at + DH_HEADER_LENGTH];
        if (at != word || at >= used) return wrong(e, "not a reference");
    }
    return (struct dh_block_view){address, words + word};
}

static struct dh_spot nowhere(struct dh_evaluation *e, char const *error) {
    if (!e->error) e->error = error;
    return (struct dh_spot){0, NULL, false};
}

struct dh_spot dh_evaluate_place(struct dh_evaluation *e, struct ir_place place) {
    struct ir_program const *program = e->machine->program;
    if (place.kind == IR_PLACE_GLOBAL) {
        uint32_t word = e->machine->global_at[place.which];
        return (struct dh_spot){dh_address(0, word), e->state->words + word,
                                program->globals[place.which].atomic};
    }
    struct dh_block_view block = dh_evaluate_block(e, dh_evaluate(e, place.base));
    if (e->error) return nowhere(e, e->error);
    int64_t kind = block.header[DH_HEADER_KIND], index = 0;
    bool atomic = kind == DH_KIND_ATOMIC_ARRAY;
    if (place.kind == IR_PLACE_ELEMENT) {
        index = dh_evaluate(e, place.index);
        if (kind >= 0) return nowhere(e, "an object has no elements");
        if (index < 0 || index >= block.header[DH_HEADER_LENGTH])
            return nowhere(e, "the index is outside the array");
    } else {
        if (kind < 0) return nowhere(e, "an array has no fields");
        struct ir_class const *class_ = &program->classes[kind];
        while (index < class_->field_count && class_->fields[index] != place.which)
            index++;
        if (index == class_->field_count) return nowhere(e, "the object has no such field");
        atomic = program->fields[place.which].atomic;
    }
    if (e->error) return nowhere(e, e->error);
    return (struct dh_spot){block.address + 8u * (DH_HEADER + (uint64_t)index),
                            block.header + DH_HEADER + index, atomic};
}

/* Arithmetic wraps around, so that no program makes the machine's own undefined. */
static int64_t wrap(uint64_t value) { return (int64_t)value; }

static int64_t divide(struct dh_evaluation *e, int64_t a, int64_t b, bool remainder) {
    if (b == 0) {
        if (!e->error) e->error = "division by zero";
        return 0;
    }
    if (b == -1) return remainder ? 0 : wrap(-(uint64_t)a);
    return remainder ? a % b : a / b;
}

static int64_t object(struct dh_evaluation *e, struct ir_node node) {
    struct ir_global const *global = &e->machine->program->globals[node.value];
    int64_t index = dh_evaluate(e, node.a);
    uint32_t count = global->kind == IR_OBJECTS ? global->count : 1, stride = DH_HEADER;
    if (global->kind == IR_OBJECTS)
        stride += e->machine->program->classes[global->class_id].field_count;
    if (index < 0 || index >= count) {
        if (!e->error) e->error = "there are not so many of these objects";
        return 0;
    }
    return wrap(dh_address(0, e->machine->global_at[node.value] + (uint32_t)index * stride));
}

static int64_t thread_number(struct dh_evaluation *e, struct ir_node node) {
    struct ir_thread const *declared = &e->machine->program->threads[node.value];
    int64_t index = dh_evaluate(e, node.a);
    if (index >= 0 && index < declared->count) return declared->first + index;
    if (!e->error) e->error = "there are not so many of these threads";
    return 0;
}

static int64_t length(struct dh_evaluation *e, int64_t reference) {
    struct dh_block_view block = dh_evaluate_block(e, reference);
    if (e->error) return 0;
    if (block.header[DH_HEADER_KIND] < 0) return block.header[DH_HEADER_LENGTH];
    e->error = "only arrays have a length";
    return 0;
}

int64_t dh_evaluate(struct dh_evaluation *e, ir_expression expression) {
    struct ir_node node = e->machine->program->nodes[expression];
    switch (node.op) {
    case IR_NODE_CONSTANT: return node.value;
    case IR_NODE_LOCAL: return dh_machine_locals(e->machine, e->state, e->thread)[node.value];
    case IR_NODE_SELF: return e->thread;
    case IR_NODE_OBJECT: return object(e, node);
    case IR_NODE_THREAD: return thread_number(e, node);
    default: break;
    }
    int64_t a = dh_evaluate(e, node.a);
    if (node.op == IR_NODE_LENGTH) return length(e, a);
    if (node.op == IR_NODE_NEGATE) return wrap(-(uint64_t)a);
    if (node.op == IR_NODE_NOT) return !a;
    if (node.op == IR_NODE_AND && !a) return 0;
    if (node.op == IR_NODE_OR && a) return 1;
    int64_t b = dh_evaluate(e, node.b);
    switch (node.op) {
    case IR_NODE_ADD: return wrap((uint64_t)a + (uint64_t)b);
    case IR_NODE_SUBTRACT: return wrap((uint64_t)a - (uint64_t)b);
    case IR_NODE_MULTIPLY: return wrap((uint64_t)a * (uint64_t)b);
    case IR_NODE_DIVIDE: return divide(e, a, b, false);
    case IR_NODE_REMAINDER: return divide(e, a, b, true);
    case IR_NODE_LESS: return a < b;
    case IR_NODE_LESS_EQUAL: return a <= b;
    case IR_NODE_EQUAL: return a == b;
    case IR_NODE_NOT_EQUAL: return a != b;
    case IR_NODE_MINIMUM: return a < b ? a : b;
    case IR_NODE_MAXIMUM: return a > b ? a : b;
    default: return b != 0; /* AND and OR, which a did not decide */
    }
}
