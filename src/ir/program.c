#include "ir/program.h"

#include "util/diag.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) dh_fail("out of memory");
    return memory;
}

/* Room for one more. Lists have 8, 16, 32, ... places, so the count says when one is full. */
static void *grow(void *list, uint32_t count, size_t size) {
    bool full = count == 0 || (count >= 8 && (count & (count - 1)) == 0);
    if (!full) return list;
    list = reallocarray(list, count ? 2 * (size_t)count : 8, size);
    if (!list) dh_fail("out of memory");
    return list;
}

#define PUSH(list, count, item) \
    ((list) = grow((list), (count), sizeof *(list)), (list)[(count)] = (item), (count)++)

struct ir_program *dh_program_new(char const *file) {
    struct ir_program *program = allocate(1, sizeof *program);
    program->file = dh_program_name(program, file, strlen(file));
    dh_program_constant(program, 0);
    return program;
}

void dh_program_free(struct ir_program *program) {
    if (!program) return;
    for (uint32_t f = 0; f < program->function_count; f++) {
        struct ir_function *function = &program->functions[f];
        for (uint32_t b = 0; b < function->block_count; b++)
            free(function->blocks[b].instructions);
        free(function->blocks);
        free(function->locals);
    }
    for (uint32_t c = 0; c < program->class_count; c++)
        free(program->classes[c].fields);
    for (uint32_t g = 0; g < program->global_count; g++)
        free(program->globals[g].initial);
    for (uint32_t n = 0; n < program->name_count; n++)
        free(program->names[n]);
    free(program->nodes);
    free(program->arguments);
    free(program->fields);
    free(program->classes);
    free(program->globals);
    free(program->functions);
    free(program->threads);
    free(program->names);
    free(program);
}

char const *dh_program_name(struct ir_program *program, char const *text, size_t length) {
    for (uint32_t n = 0; n < program->name_count; n++) {
        char const *name = program->names[n];
        if (strncmp(name, text, length) == 0 && name[length] == '\0') return name;
    }
    char *name = allocate(length + 1, 1);
    memcpy(name, text, length);
    PUSH(program->names, program->name_count, name);
    return name;
}

ir_expression dh_program_node(struct ir_program *program, struct ir_node node) {
    node.height = 0;
    if (program->node_count > 0) {
        uint32_t a = program->nodes[node.a].height, b = program->nodes[node.b].height;
        node.height = 1 + (a > b ? a : b);
    }
    return PUSH(program->nodes, program->node_count, node);
}

ir_expression dh_program_constant(struct ir_program *program, int64_t value) {
    if (value == 0 && program->node_count > 0) return 0;
    return dh_program_node(program, (struct ir_node){.op = IR_NODE_CONSTANT, .value = value});
}

ir_expression dh_program_local(struct ir_program *program, uint32_t local) {
    return dh_program_node(program, (struct ir_node){.op = IR_NODE_LOCAL, .value = local});
}

ir_expression dh_program_binary(struct ir_program *program, enum ir_node_op op, ir_expression a,
                                ir_expression b) {
    return dh_program_node(program, (struct ir_node){.op = op, .a = a, .b = b});
}

uint32_t dh_program_argument(struct ir_program *program, ir_expression argument) {
    return PUSH(program->arguments, program->argument_count, argument);
}

uint32_t dh_program_field(struct ir_program *program, struct ir_field field) {
    return PUSH(program->fields, program->field_count, field);
}

uint32_t dh_program_class(struct ir_program *program, struct ir_class class_) {
    return PUSH(program->classes, program->class_count, class_);
}

void dh_class_field(struct ir_class *class_, uint32_t field) {
    PUSH(class_->fields, class_->field_count, field);
}

uint32_t dh_program_global(struct ir_program *program, struct ir_global global) {
    return PUSH(program->globals, program->global_count, global);
}

uint32_t dh_program_function(struct ir_program *program, struct ir_function function) {
    return PUSH(program->functions, program->function_count, function);
}

uint32_t dh_program_thread(struct ir_program *program, struct ir_thread thread) {
    return PUSH(program->threads, program->thread_count, thread);
}

uint32_t dh_function_local(struct ir_function *function, char const *name) {
    return PUSH(function->locals, function->local_count, name);
}

uint32_t dh_function_block(struct ir_function *function) {
    struct ir_block block = {.end = {.kind = IR_RETURN}};
    return PUSH(function->blocks, function->block_count, block);
}

struct ir_instruction *dh_block_append(struct ir_block *block, struct ir_instruction instruction) {
    PUSH(block->instructions, block->count, instruction);
    return &block->instructions[block->count - 1];
}

struct ir_program *dh_program_copy(struct ir_program const *from) {
    struct ir_program *to = allocate(1, sizeof *to);
    to->file = dh_program_name(to, from->file, strlen(from->file));
#define NAME(text) dh_program_name(to, (text), strlen(text))
    for (uint32_t i = 0; i < from->node_count; i++)
        dh_program_node(to, from->nodes[i]);
    for (uint32_t i = 0; i < from->argument_count; i++)
        dh_program_argument(to, from->arguments[i]);
    for (uint32_t i = 0; i < from->field_count; i++) {
        struct ir_field field = from->fields[i];
        field.name = NAME(field.name);
        dh_program_field(to, field);
    }
    for (uint32_t i = 0; i < from->class_count; i++) {
        uint32_t c = dh_program_class(to, (struct ir_class){.name = NAME(from->classes[i].name)});
        for (uint32_t f = 0; f < from->classes[i].field_count; f++)
            dh_class_field(&to->classes[c], from->classes[i].fields[f]);
    }
    for (uint32_t i = 0; i < from->global_count; i++) {
        struct ir_global global = from->globals[i];
        global.name = NAME(global.name);
        if (global.initial) {
            global.initial = allocate(global.count, sizeof *global.initial);
            memcpy(global.initial, from->globals[i].initial, global.count * sizeof(int64_t));
        }
        dh_program_global(to, global);
    }
    for (uint32_t i = 0; i < from->thread_count; i++) {
        struct ir_thread thread = from->threads[i];
        thread.name = NAME(thread.name);
        dh_program_thread(to, thread);
    }
    to->thread_total = from->thread_total;
    for (uint32_t i = 0; i < from->function_count; i++) {
        struct ir_function const *old = &from->functions[i];
        struct ir_function new = {.name = NAME(old->name), .parameters = old->parameters};
        for (uint32_t n = 0; n < old->local_count; n++)
            dh_function_local(&new, NAME(old->locals[n]));
        for (uint32_t b = 0; b < old->block_count; b++) {
            dh_function_block(&new);
            for (uint32_t k = 0; k < old->blocks[b].count; k++)
                dh_block_append(&new.blocks[b], old->blocks[b].instructions[k])->position.file =
                    to->file;
            new.blocks[b].end = old->blocks[b].end;
            new.blocks[b].end.position.file = to->file;
        }
        dh_program_function(to, new);
    }
#undef NAME
    return to;
}
