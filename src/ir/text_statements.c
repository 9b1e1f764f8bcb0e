#include "ir/text_parser.h"

#include <string.h>

/* ---- Building ---- */

struct ir_function *dh_parse_function(struct parser *p) {
    return &p->program->functions[p->function];
}

struct ir_instruction *dh_parse_emit(struct parser *p, struct ir_instruction instruction) {
    return dh_block_append(&dh_parse_function(p)->blocks[p->block], instruction);
}

uint32_t dh_parse_temporary(struct parser *p) {
    return dh_function_local(dh_parse_function(p), dh_program_name(p->program, "", 0));
}

/* Ends the current block; what follows goes to `next`. */
void dh_parse_end(struct parser *p, struct ir_terminator end, uint32_t next) {
    dh_parse_function(p)->blocks[p->block].end = end;
    p->block = next;
}

static uint32_t new_block(struct parser *p) { return dh_function_block(dh_parse_function(p)); }

static void jump(struct parser *p, uint32_t to, uint32_t next) {
    dh_parse_end(p, (struct ir_terminator){.kind = IR_JUMP, .to = {to}}, next);
}

static void branch(struct parser *p, ir_expression value, uint32_t yes, uint32_t no,
                   uint32_t next) {
    dh_parse_end(p, (struct ir_terminator){.kind = IR_BRANCH, .value = value, .to = {yes, no}},
                 next);
}

static void statement(struct parser *p);

/* ---- Assignments and calls ---- */

static void store(struct parser *p, struct token at, struct parse_target target,
                  ir_expression value) {
    struct ir_instruction instruction = {.op = IR_OP_ASSIGN,
                                         .target = target.local,
                                         .value = value,
                                         .position = dh_parse_position(p, at)};
    if (target.is_place) {
        instruction.op = IR_OP_WRITE;
        instruction.target = IR_NONE;
        instruction.place = target.place;
    }
    dh_parse_emit(p, instruction);
}

/* The last instruction gives its result to a local directly, if it made that result. */
static bool retarget(struct parser *p, ir_expression value, uint32_t local) {
    struct ir_block *block = &dh_parse_function(p)->blocks[p->block];
    struct ir_node node = p->program->nodes[value];
    if (block->count == 0 || node.op != IR_NODE_LOCAL) return false;
    struct ir_instruction *last = &block->instructions[block->count - 1];
    bool temporary = *dh_parse_function(p)->locals[node.value] == '\0';
    if (!temporary || last->target != node.value || last->op == IR_OP_ASSIGN) return false;
    last->target = local;
    return true;
}

/* x <- y: the value of y gets a new name. */
static void rename_local(struct parser *p, struct token at) {
    dh_parse_next(p);
    struct token name = p->token;
    struct parse_target from = dh_parse_target(p);
    if (from.is_place) dh_parse_fail(p, name, "only locals are renamed");
    char const *text = dh_parse_text(p, at);
    uint32_t local = dh_parse_find_local(p, text);
    if (local == IR_NONE) local = dh_function_local(dh_parse_function(p), text);
    dh_parse_emit(p, (struct ir_instruction){.op = IR_OP_RENAME,
                                             .target = local,
                                             .value = dh_program_local(p->program, from.local),
                                             .position = dh_parse_position(p, at)});
}

/* The first assignment to a name that nobody shares makes it a local. */
static bool assigns_new_local(struct parser *p) {
    if (p->token.kind != TOKEN_NAME || !dh_parse_follows(p, "=") || dh_parse_follows(p, "=="))
        return false;
    char const *name = dh_parse_text(p, p->token);
    return dh_parse_find_local(p, name) == IR_NONE && dh_parse_find_global(p, name) == IR_NONE;
}

static void assign_value(struct parser *p, struct token at, struct parse_target target) {
    ir_expression value = dh_parse_expression(p);
    if (target.is_place || !retarget(p, value, target.local)) store(p, at, target, value);
}

static void assignment_or_call(struct parser *p) {
    struct token at = p->token;
    if (assigns_new_local(p)) {
        struct token name = dh_parse_name(p, "a variable");
        dh_parse_expect(p, "=");
        char const *text = dh_parse_text(p, name);
        /* Only what was assigned can be read, so the name comes after the value. */
        ir_expression value = dh_parse_expression(p);
        uint32_t local = dh_function_local(dh_parse_function(p), text);
        if (!retarget(p, value, local)) store(p, at, (struct parse_target){.local = local}, value);
        return;
    }
    if (at.kind == TOKEN_NAME && dh_parse_follows(p, "<-")
        && dh_parse_find_global(p, dh_parse_text(p, at)) == IR_NONE) {
        dh_parse_name(p, "a variable");
        rename_local(p, at);
        return;
    }

    struct parse_target target;
    bool is_value;
    ir_expression value = dh_parse_postfix(p, &target, &is_value);
    if (is_value) {
        /* Calls and atomic operations have left an instruction; anything else is a slip. */
        struct ir_block *block = &dh_parse_function(p)->blocks[p->block];
        struct ir_node node = p->program->nodes[value];
        bool acted = block->count > 0 && node.op == IR_NODE_LOCAL
                     && block->instructions[block->count - 1].target == node.value;
        if (!acted) dh_parse_fail(p, at, "this value is not used");
        return;
    }
    if (dh_parse_take(p, "=")) {
        assign_value(p, at, target);
        return;
    }
    struct token sign = p->token;
    enum ir_node_op op = IR_NODE_ADD;
    ir_expression by = 0;
    if (dh_parse_is(p, "-=") || dh_parse_is(p, "--")) op = IR_NODE_SUBTRACT;
    ir_expression old = dh_parse_read(p, at, target);
    if (dh_parse_take(p, "+=") || dh_parse_take(p, "-="))
        by = dh_parse_expression(p);
    else if (dh_parse_take(p, "++") || dh_parse_take(p, "--"))
        by = dh_program_constant(p->program, 1);
    else
        dh_parse_fail(p, sign, "'=' is expected here");
    store(p, at, target, dh_program_binary(p->program, op, old, by));
}

/* ---- Control ---- */

static ir_expression condition(struct parser *p) {
    dh_parse_expect(p, "(");
    ir_expression value = dh_parse_expression(p);
    dh_parse_expect(p, ")");
    return value;
}

static void if_statement(struct parser *p) {
    ir_expression value = condition(p);
    uint32_t yes = new_block(p), after = new_block(p);
    uint32_t before = p->block;
    branch(p, value, yes, after, yes);
    statement(p);
    if (dh_parse_take(p, "else")) {
        uint32_t no = new_block(p);
        jump(p, after, no);
        dh_parse_function(p)->blocks[before].end.to[1] = no;
        statement(p);
    }
    jump(p, after, after);
}

static void loop_body(struct parser *p, uint32_t after) {
    uint32_t outer = p->after_loop;
    p->after_loop = after;
    statement(p);
    p->after_loop = outer;
}

static void while_statement(struct parser *p) {
    uint32_t head = new_block(p), body = new_block(p), after = new_block(p);
    jump(p, head, head);
    branch(p, condition(p), body, after, body);
    loop_body(p, after);
    jump(p, head, after);
}

static void do_statement(struct parser *p) {
    uint32_t body = new_block(p), after = new_block(p);
    jump(p, body, body);
    loop_body(p, after);
    dh_parse_expect(p, "while");
    branch(p, condition(p), body, after, after);
    dh_parse_expect(p, ";");
}

static void loop_statement(struct parser *p) {
    uint32_t body = new_block(p), after = new_block(p);
    jump(p, body, body);
    loop_body(p, after);
    jump(p, body, after);
}

static void for_statement(struct parser *p) {
    dh_parse_expect(p, "(");
    assignment_or_call(p);
    dh_parse_expect(p, ";");
    uint32_t head = new_block(p), body = new_block(p), step = new_block(p), after = new_block(p);
    jump(p, head, head);
    branch(p, dh_parse_expression(p), body, after, step);
    dh_parse_expect(p, ";");
    assignment_or_call(p);
    dh_parse_expect(p, ")");
    jump(p, head, body);
    loop_body(p, after);
    jump(p, step, after);
}

static void break_statement(struct parser *p, struct token at) {
    if (p->after_loop == IR_NONE) dh_parse_fail(p, at, "there is no loop to leave here");
    jump(p, p->after_loop, new_block(p));
    dh_parse_expect(p, ";");
}

static void return_statement(struct parser *p, struct token at) {
    if (p->in_atomic) dh_parse_fail(p, at, "an atomic block is left at its end only");
    struct ir_terminator end = {.kind = IR_RETURN, .position = dh_parse_position(p, at)};
    if (!dh_parse_is(p, ";")) end.value = dh_parse_expression(p);
    dh_parse_end(p, end, new_block(p));
    dh_parse_expect(p, ";");
}

static void atomic_statement(struct parser *p, struct token at) {
    if (p->in_atomic) dh_parse_fail(p, at, "this is in an atomic block already");
    uint32_t outer = p->after_loop;
    p->after_loop = IR_NONE;
    p->in_atomic = true;
    struct ir_position position = dh_parse_position(p, at);
    dh_parse_emit(
        p, (struct ir_instruction){.op = IR_OP_ATOMIC, .target = IR_NONE, .position = position});
    dh_parse_expect(p, "{");
    dh_parse_block(p);
    dh_parse_emit(p, (struct ir_instruction){
                         .op = IR_OP_END_ATOMIC, .target = IR_NONE, .position = position});
    p->in_atomic = false;
    p->after_loop = outer;
}

/* ---- Synchronisation ---- */

static void not_in_atomic(struct parser *p, struct token at) {
    if (p->in_atomic) dh_parse_fail(p, at, "an atomic block does not synchronise");
}

static void lock_statement(struct parser *p, struct token at, enum ir_opcode op) {
    not_in_atomic(p, at);
    ir_expression object = condition(p);
    dh_parse_emit(
        p, (struct ir_instruction){
               .op = op, .target = IR_NONE, .value = object, .position = dh_parse_position(p, at)});
    dh_parse_expect(p, ";");
}

/* spawn t; spawn t(x); spawn t[i](x); wait t; wait t[i]; */
static void thread_statement(struct parser *p, struct token at, enum ir_opcode op) {
    not_in_atomic(p, at);
    struct token name = dh_parse_name(p, "a thread");
    struct parse_use use = {.token = name, .what = op == IR_OP_SPAWN ? USE_SPAWN : USE_WAIT};
    use.which = dh_parse_the_thread(p, dh_parse_text(p, name));
    struct ir_node number = {.op = IR_NODE_THREAD, .value = use.which};
    if (dh_parse_take(p, "[")) {
        use.indexed = true;
        number.a = dh_parse_expression(p);
        dh_parse_expect(p, "]");
    }
    struct ir_instruction instruction = {
        .op = op, .target = IR_NONE, .position = dh_parse_position(p, at)};
    if (op == IR_OP_SPAWN && dh_parse_is(p, "("))
        dh_parse_arguments(p, IR_NONE, &instruction.arguments, &instruction.argument_count);
    use.arguments = instruction.argument_count;
    instruction.value = dh_program_node(p->program, number);
    instruction.callee = use.which; /* the thread; its function is known at the end */
    dh_parse_use(p, use);
    dh_parse_emit(p, instruction);
    dh_parse_expect(p, ";");
}

/* The condition reads one shared place, and that read is what waits. */
static void await_statement(struct parser *p, struct token at) {
    not_in_atomic(p, at);
    uint32_t block = p->block, first = dh_parse_function(p)->blocks[block].count;
    ir_expression value = condition(p);
    struct ir_block *now = &dh_parse_function(p)->blocks[p->block];
    bool one =
        p->block == block && now->count == first + 1 && now->instructions[first].op == IR_OP_READ;
    if (!one) dh_parse_fail(p, at, "await looks at exactly one shared variable");
    now->instructions[first].op = IR_OP_AWAIT;
    now->instructions[first].value = value;
    dh_parse_expect(p, ";");
}

/* ---- Checks ---- */

static void check_path(struct parser *p, struct ir_instruction check) {
    struct token at = p->token;
    struct parse_target target;
    bool is_value;
    dh_parse_postfix(p, &target, &is_value);
    if (is_value || !target.is_place) dh_parse_fail(p, at, "only what is shared is checked");
    check.place = target.place;
    if (target.place.kind == IR_PLACE_ELEMENT) {
        ir_expression one = dh_program_constant(p->program, 1);
        check.stride = one;
        check.end = dh_program_binary(p->program, IR_NODE_ADD, target.place.index, one);
        if (dh_parse_take(p, "..")) {
            check.end = dh_parse_expression(p);
            if (dh_parse_take(p, ":")) check.stride = dh_parse_expression(p);
            dh_parse_expect(p, "]");
        }
    }
    dh_parse_emit(p, check);
    /* x.f/g/h */
    while (target.place.kind == IR_PLACE_FIELD && dh_parse_take(p, "/")) {
        struct token name = dh_parse_name(p, "a field");
        check.place.which = dh_parse_find_field(p, dh_parse_text(p, name));
        dh_parse_use(
            p, (struct parse_use){.token = name, .what = USE_FIELD, .which = check.place.which});
        dh_parse_emit(p, check);
    }
}

static void check_statement(struct parser *p, struct token at) {
    struct ir_instruction check = {.op = IR_OP_CHECK,
                                   .target = IR_NONE,
                                   .kind = IR_READ,
                                   .position = dh_parse_position(p, at)};
    if (dh_parse_take(p, "write"))
        check.kind = IR_WRITE;
    else if (!dh_parse_take(p, "read"))
        dh_parse_fail(p, p->token, "'read' or 'write' is expected here");
    dh_parse_expect(p, "(");
    do
        check_path(p, check);
    while (dh_parse_take(p, ","));
    dh_parse_expect(p, ")");
    dh_parse_expect(p, ";");
}

static void assert_statement(struct parser *p, struct token at) {
    ir_expression value = condition(p);
    dh_parse_emit(p, (struct ir_instruction){.op = IR_OP_ASSERT,
                                             .target = IR_NONE,
                                             .value = value,
                                             .position = dh_parse_position(p, at)});
    dh_parse_expect(p, ";");
}

/* ---- Statements ---- */

static void statement_inside(struct parser *p) {
    struct token at = p->token;
    if (dh_parse_take(p, ";")) return;
    if (dh_parse_take(p, "{")) return dh_parse_block(p);
    if (dh_parse_take(p, "if")) return if_statement(p);
    if (dh_parse_take(p, "while")) return while_statement(p);
    if (dh_parse_take(p, "do")) return do_statement(p);
    if (dh_parse_take(p, "loop")) return loop_statement(p);
    if (dh_parse_take(p, "for")) return for_statement(p);
    if (dh_parse_take(p, "break")) return break_statement(p, at);
    if (dh_parse_take(p, "return")) return return_statement(p, at);
    if (dh_parse_take(p, "atomic")) return atomic_statement(p, at);
    if (dh_parse_take(p, "acquire")) return lock_statement(p, at, IR_OP_ACQUIRE);
    if (dh_parse_take(p, "release")) return lock_statement(p, at, IR_OP_RELEASE);
    if (dh_parse_take(p, "spawn")) return thread_statement(p, at, IR_OP_SPAWN);
    if (dh_parse_take(p, "wait")) return thread_statement(p, at, IR_OP_WAIT);
    if (dh_parse_take(p, "await")) return await_statement(p, at);
    if (dh_parse_take(p, "check")) return check_statement(p, at);
    if (dh_parse_take(p, "assert")) return assert_statement(p, at);
    if (!dh_parse_take(p, "skip")) assignment_or_call(p);
    dh_parse_expect(p, ";");
}

static void statement(struct parser *p) {
    dh_parse_deeper(p);
    statement_inside(p);
    p->depth--;
}

void dh_parse_block(struct parser *p) {
    while (!dh_parse_take(p, "}"))
        statement(p);
}
