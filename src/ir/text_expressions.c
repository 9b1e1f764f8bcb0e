#include "ir/text_parser.h"

/* ---- Reading what is shared ---- */

ir_expression dh_parse_read(struct parser *p, struct token at, struct parse_target target) {
    if (!target.is_place) return dh_program_local(p->program, target.local);
    uint32_t temporary = dh_parse_temporary(p);
    dh_parse_emit(p, (struct ir_instruction){.op = IR_OP_READ,
                                             .target = temporary,
                                             .place = target.place,
                                             .position = dh_parse_position(p, at)});
    return dh_program_local(p->program, temporary);
}

void dh_parse_arguments(struct parser *p, ir_expression receiver, uint32_t *first,
                        uint32_t *count) {
    enum { MOST = 16 };
    ir_expression list[MOST];
    uint32_t n = 0;
    if (receiver != IR_NONE) list[n++] = receiver;
    dh_parse_expect(p, "(");
    while (!dh_parse_is(p, ")")) {
        if (n == MOST) dh_parse_fail(p, p->token, "a call has at most %d arguments", MOST);
        list[n++] = dh_parse_expression(p);
        if (!dh_parse_take(p, ",")) break;
    }
    dh_parse_expect(p, ")");
    /* Together at last: the arguments' own calls have put theirs first. */
    *first = p->program->argument_count;
    *count = n;
    for (uint32_t i = 0; i < n; i++)
        dh_program_argument(p->program, list[i]);
}

static ir_expression call(struct parser *p, struct token name, ir_expression receiver) {
    uint32_t callee = dh_parse_the_function(p, dh_parse_text(p, name)), first, count;
    dh_parse_arguments(p, receiver, &first, &count);
    dh_parse_use(p, (struct parse_use){.token = name,
                                       .what = receiver == IR_NONE ? USE_CALL : USE_METHOD,
                                       .which = callee,
                                       .arguments = count});
    uint32_t temporary = dh_parse_temporary(p);
    dh_parse_emit(p, (struct ir_instruction){.op = IR_OP_CALL,
                                             .target = temporary,
                                             .callee = callee,
                                             .arguments = first,
                                             .argument_count = count,
                                             .position = dh_parse_position(p, name)});
    return dh_program_local(p->program, temporary);
}

/* cas(place, expected, new), exchange(place, new), fetch_add(place, addend) */
static ir_expression read_modify_write(struct parser *p, enum ir_opcode op) {
    struct token at = p->token;
    dh_parse_next(p);
    dh_parse_expect(p, "(");
    struct token where = p->token;
    struct parse_target target = dh_parse_target(p);
    if (!target.is_place) dh_parse_fail(p, where, "a local needs no atomic operation");
    struct ir_instruction instruction = {
        .op = op, .place = target.place, .position = dh_parse_position(p, at)};
    dh_parse_expect(p, ",");
    if (op == IR_OP_COMPARE) {
        instruction.expected = dh_parse_expression(p);
        dh_parse_expect(p, ",");
    }
    instruction.value = dh_parse_expression(p);
    dh_parse_expect(p, ")");
    instruction.target = dh_parse_temporary(p);
    dh_parse_emit(p, instruction);
    return dh_program_local(p->program, instruction.target);
}

static ir_expression new_object(struct parser *p) {
    struct ir_instruction instruction = {.op = IR_OP_NEW,
                                         .position = dh_parse_position(p, p->token)};
    dh_parse_expect(p, "new");
    if (dh_parse_take(p, "[")) {
        instruction.op = IR_OP_NEW_ARRAY;
        instruction.value = dh_parse_expression(p);
        dh_parse_expect(p, "]");
    } else {
        struct token name = dh_parse_name(p, "a class, or the size of an array in brackets,");
        instruction.which = dh_parse_find_class(p, dh_parse_text(p, name));
        if (instruction.which == IR_NONE) dh_parse_fail(p, name, "there is no such class");
    }
    instruction.target = dh_parse_temporary(p);
    dh_parse_emit(p, instruction);
    return dh_program_local(p->program, instruction.target);
}

static ir_expression two_operands(struct parser *p, enum ir_node_op op) {
    dh_parse_next(p);
    dh_parse_expect(p, "(");
    ir_expression a = dh_parse_expression(p);
    dh_parse_expect(p, ",");
    ir_expression b = dh_parse_expression(p);
    dh_parse_expect(p, ")");
    return dh_program_binary(p->program, op, a, b);
}

/* ---- Names, and what may follow them ---- */

/* A global, a local, or a call; also one of several objects side by side. */
static ir_expression named(struct parser *p, struct parse_target *target, bool *is_value) {
    struct token token = dh_parse_name(p, "an expression");
    char const *name = dh_parse_text(p, token);
    *is_value = true;
    if (dh_parse_is(p, "(")) return call(p, token, IR_NONE);

    uint32_t local = dh_parse_find_local(p, name), g = dh_parse_find_global(p, name);
    if (local != IR_NONE) {
        *is_value = false;
        *target = (struct parse_target){.local = local};
        return 0;
    }
    if (g == IR_NONE)
        dh_parse_fail(p, token, "'%s' is not shared, and nothing was assigned to it", name);
    struct ir_global const *global = &p->program->globals[g];
    if (global->kind == IR_SCALAR) {
        *is_value = false;
        *target =
            (struct parse_target){.is_place = true, .place = {.kind = IR_PLACE_GLOBAL, .which = g}};
        return 0;
    }
    struct ir_node node = {.op = IR_NODE_OBJECT, .value = g};
    if (global->kind == IR_OBJECTS && global->count > 1) {
        dh_parse_expect(p, "[");
        node.a = dh_parse_expression(p);
        dh_parse_expect(p, "]");
    }
    return dh_program_node(p->program, node);
}

static ir_expression primary(struct parser *p, struct parse_target *target, bool *is_value) {
    struct ir_program *program = p->program;
    struct token token = p->token;
    *is_value = true;
    if (token.kind == TOKEN_NUMBER) {
        dh_parse_next(p);
        return dh_program_constant(program, token.number);
    }
    if (dh_parse_take(p, "true")) return dh_program_constant(program, 1);
    if (dh_parse_take(p, "false") || dh_parse_take(p, "null")) return 0;
    if (dh_parse_take(p, "self"))
        return dh_program_node(program, (struct ir_node){.op = IR_NODE_SELF});
    if (dh_parse_is(p, "max")) return two_operands(p, IR_NODE_MAXIMUM);
    if (dh_parse_is(p, "min")) return two_operands(p, IR_NODE_MINIMUM);
    if (dh_parse_is(p, "cas")) return read_modify_write(p, IR_OP_COMPARE);
    if (dh_parse_is(p, "exchange")) return read_modify_write(p, IR_OP_EXCHANGE);
    if (dh_parse_is(p, "fetch_add")) return read_modify_write(p, IR_OP_FETCH_ADD);
    if (dh_parse_is(p, "new")) return new_object(p);
    if (dh_parse_take(p, "length")) {
        dh_parse_expect(p, "(");
        ir_expression array = dh_parse_expression(p);
        dh_parse_expect(p, ")");
        return dh_program_node(program, (struct ir_node){.op = IR_NODE_LENGTH, .a = array});
    }
    if (dh_parse_take(p, "(")) {
        ir_expression inner = dh_parse_expression(p);
        dh_parse_expect(p, ")");
        return inner;
    }
    return named(p, target, is_value);
}

ir_expression dh_parse_postfix(struct parser *p, struct parse_target *target, bool *is_value) {
    struct token at = p->token;
    ir_expression value = primary(p, target, is_value);
    for (;;) {
        struct token sign = p->token;
        bool field = dh_parse_is(p, "."), element = dh_parse_is(p, "[");
        if (!field && !element) return value;
        dh_parse_next(p);
        if (!*is_value) value = dh_parse_read(p, at, *target);
        *is_value = false;
        *target = (struct parse_target){.is_place = true, .place = {.base = value}};
        if (element) {
            target->place.kind = IR_PLACE_ELEMENT;
            target->place.index = dh_parse_expression(p);
            /* A range, which only checks have: the caller sees the dots. */
            if (dh_parse_is(p, "..")) return 0;
            dh_parse_expect(p, "]");
        } else {
            struct token name = dh_parse_name(p, "a field or method");
            if (dh_parse_is(p, "(")) {
                *is_value = true;
                value = call(p, name, value);
            } else {
                target->place.kind = IR_PLACE_FIELD;
                target->place.which = dh_parse_find_field(p, dh_parse_text(p, name));
                dh_parse_use(p, (struct parse_use){.token = name,
                                                   .what = USE_FIELD,
                                                   .which = target->place.which});
            }
        }
        at = sign;
    }
}

struct parse_target dh_parse_target(struct parser *p) {
    struct token at = p->token;
    struct parse_target target;
    bool is_value;
    dh_parse_postfix(p, &target, &is_value);
    if (is_value) dh_parse_fail(p, at, "this is a value, not a variable");
    return target;
}

/* ---- Operators ---- */

static ir_expression unary(struct parser *p) {
    dh_parse_deeper(p);
    ir_expression result;
    if (dh_parse_take(p, "-")) {
        struct ir_node node = {.op = IR_NODE_NEGATE, .a = unary(p)};
        result = dh_program_node(p->program, node);
    } else if (dh_parse_take(p, "!")) {
        struct ir_node node = {.op = IR_NODE_NOT, .a = unary(p)};
        result = dh_program_node(p->program, node);
    } else {
        struct token at = p->token;
        struct parse_target target;
        bool is_value;
        result = dh_parse_postfix(p, &target, &is_value);
        if (!is_value) result = dh_parse_read(p, at, target);
    }
    p->depth--;
    return result;
}

struct operator{
    char const *sign;
    uint8_t level;
    enum ir_node_op op;
    bool swapped; /* a > b is b < a */
};
enum { LEVELS = 5, LOGICAL_LEVELS = 2 };
static struct operator const operators[] = {
    {"||", 0, IR_NODE_OR, false},       {"&&", 1, IR_NODE_AND, false},
    {"==", 2, IR_NODE_EQUAL, false},    {"!=", 2, IR_NODE_NOT_EQUAL, false},
    {"<", 2, IR_NODE_LESS, false},      {"<=", 2, IR_NODE_LESS_EQUAL, false},
    {">", 2, IR_NODE_LESS, true},       {">=", 2, IR_NODE_LESS_EQUAL, true},
    {"+", 3, IR_NODE_ADD, false},       {"-", 3, IR_NODE_SUBTRACT, false},
    {"*", 4, IR_NODE_MULTIPLY, false},  {"/", 4, IR_NODE_DIVIDE, false},
    {"%", 4, IR_NODE_REMAINDER, false},
};

static struct operator const * operator_here(struct parser *p, unsigned level) {
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].level == level && dh_parse_is(p, operators[i].sign)) return &operators[i];
    return NULL;
}

static ir_expression binary(struct parser *p, unsigned level);

/* a && b, where b may read what is shared: then it must not be read if a decides. Both ways end in
 * one temporary. Where b reads nothing the extra blocks are taken back. */
static ir_expression logical(struct parser *p, struct operator const * op, ir_expression a,
                             unsigned level) {
    struct ir_function *function = dh_parse_function(p);
    uint32_t before = p->block;
    uint32_t right = dh_function_block(function), blocks = function->block_count;
    p->block = right;
    ir_expression b = binary(p, level + 1);
    function = dh_parse_function(p);
    if (p->block == right && function->blocks[right].count == 0
        && function->block_count == blocks) {
        function->block_count--;
        p->block = before;
        return dh_program_binary(p->program, op->op, a, b);
    }
    uint32_t after = dh_function_block(function), result = dh_parse_temporary(p);
    ir_expression zero = dh_program_constant(p->program, 0);
    struct ir_instruction assign = {.op = IR_OP_ASSIGN, .target = result};
    assign.value = dh_program_binary(p->program, IR_NODE_NOT_EQUAL, b, zero);
    dh_parse_emit(p, assign);
    dh_parse_end(p, (struct ir_terminator){.kind = IR_JUMP, .to = {after}}, before);
    assign.value = dh_program_binary(p->program, IR_NODE_NOT_EQUAL, a, zero);
    dh_parse_emit(p, assign);
    struct ir_terminator branch = {.kind = IR_BRANCH, .value = a, .to = {right, after}};
    if (op->op == IR_NODE_OR) branch.to[0] = after, branch.to[1] = right;
    dh_parse_end(p, branch, after);
    return dh_program_local(p->program, result);
}

static ir_expression binary(struct parser *p, unsigned level) {
    if (level == LEVELS) return unary(p);
    ir_expression left = binary(p, level + 1);
    struct operator const * op;
    while ((op = operator_here(p, level))) {
        dh_parse_next(p);
        if (level < LOGICAL_LEVELS) {
            left = logical(p, op, left, level);
            continue;
        }
        ir_expression right = binary(p, level + 1);
        left = op->swapped ? dh_program_binary(p->program, op->op, right, left)
                           : dh_program_binary(p->program, op->op, left, right);
    }
    return left;
}

ir_expression dh_parse_expression(struct parser *p) {
    enum { TALLEST = 1000 };
    struct token at = p->token;
    dh_parse_deeper(p);
    ir_expression result = binary(p, 0);
    p->depth--;
    if (p->program->nodes[result].height > TALLEST)
        dh_parse_fail(p, at, "this expression has too many operators");
    return result;
}
