#include "ir/text_parser.h"

#include "util/diag.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 4096, MOST_SHARED = 16384, MOST_THREADS = 16 };

/* ---- Names ---- */

char const *dh_parse_text(struct parser *p, struct token name) {
    return dh_program_name(p->program, name.at, name.length);
}

uint32_t dh_parse_find_global(struct parser const *p, char const *name) {
    for (uint32_t i = 0; i < p->program->global_count; i++)
        if (p->program->globals[i].name == name) return i;
    return IR_NONE;
}

uint32_t dh_parse_find_class(struct parser const *p, char const *name) {
    for (uint32_t i = 0; i < p->program->class_count; i++)
        if (p->program->classes[i].name == name) return i;
    return IR_NONE;
}

uint32_t dh_parse_find_local(struct parser const *p, char const *name) {
    struct ir_function const *function = &p->program->functions[p->function];
    for (uint32_t i = 0; i < function->local_count; i++)
        if (function->locals[i] == name) return i;
    return IR_NONE;
}

/* A field is known by its name alone, whatever class it is in: there are no static types. One that
 * no class has declared yet gets its place here, and the end of the text asks for it again. */
uint32_t dh_parse_find_field(struct parser const *p, char const *name) {
    for (uint32_t i = 0; i < p->program->field_count; i++)
        if (p->program->fields[i].name == name) return i;
    return dh_program_field(p->program, (struct ir_field){.name = name});
}

static bool *longer(bool *list, uint32_t count, uint32_t *room) {
    if (count < *room) return list;
    list = reallocarray(list, count + 64, sizeof *list);
    if (!list) dh_fail("out of memory");
    memset(list + *room, 0, count + 64 - *room);
    *room = count + 64;
    return list;
}

uint32_t dh_parse_the_function(struct parser *p, char const *name) {
    for (uint32_t i = 0; i < p->program->function_count; i++)
        if (p->program->functions[i].name == name) return i;
    uint32_t f = dh_program_function(p->program, (struct ir_function){.name = name});
    uint32_t room = p->function_room;
    p->function_defined = longer(p->function_defined, f, &room);
    p->method = longer(p->method, f, &p->function_room);
    dh_function_block(&p->program->functions[f]);
    return f;
}

uint32_t dh_parse_the_thread(struct parser *p, char const *name) {
    for (uint32_t i = 0; i < p->program->thread_count; i++)
        if (p->program->threads[i].name == name) return i;
    uint32_t t = dh_program_thread(p->program, (struct ir_thread){.name = name, .at_start = true});
    p->thread_defined = longer(p->thread_defined, t, &p->thread_room);
    return t;
}

void dh_parse_use(struct parser *p, struct parse_use use) {
    if ((p->use_count & (p->use_count - 1)) == 0) {
        size_t room = p->use_count ? 2 * (size_t)p->use_count : 1;
        p->uses = reallocarray(p->uses, room, sizeof *p->uses);
        if (!p->uses) dh_fail("out of memory");
    }
    p->uses[p->use_count++] = use;
}

static char const *new_name(struct parser *p, struct token token) {
    char const *name = dh_parse_text(p, token);
    bool taken =
        dh_parse_find_global(p, name) != IR_NONE || dh_parse_find_class(p, name) != IR_NONE;
    if (taken) dh_parse_fail(p, token, "'%s' is declared already", name);
    return name;
}

/* ---- What is shared ---- */

/* = 3, or = { 1, 2, 3 } */
static void initial_values(struct parser *p, struct ir_global *global) {
    struct token at = p->token;
    int64_t *values = calloc(global->count, sizeof *values);
    if (!values) dh_fail("out of memory");
    /* The program owns them from here on, so that an error can leave. */
    global->initial = values;
    if (global->kind == IR_SCALAR) {
        values[0] = dh_parse_number(p, INT64_MIN, INT64_MAX, "a number");
        return;
    }
    dh_parse_expect(p, "{");
    for (uint32_t i = 0; i < global->count; i++) {
        if (i > 0) dh_parse_expect(p, ",");
        values[i] = dh_parse_number(p, INT64_MIN, INT64_MAX, "a number");
    }
    if (!dh_parse_take(p, "}")) dh_parse_fail(p, at, "there must be %u values", global->count);
}

static uint32_t fields_of(struct parser *p, uint32_t class_id) {
    return p->program->classes[class_id].field_count;
}

/* var a, b = 1, c[3]; atomic d; lock m, n[2]; Point p, q[2]; */
static void globals(struct parser *p, enum ir_global_kind kind, bool atomic, uint32_t class_id) {
    do {
        struct token name = dh_parse_name(p, "the name of a variable");
        struct ir_global global = {.name = new_name(p, name),
                                   .kind = kind,
                                   .atomic = atomic,
                                   .count = 1,
                                   .class_id = class_id};
        if (dh_parse_take(p, "[")) {
            global.count = (uint32_t)dh_parse_number(p, 1, MOST_ELEMENTS, "how many there are");
            dh_parse_expect(p, "]");
            if (kind == IR_SCALAR) global.kind = IR_ARRAY;
        }
        p->shared += global.count * (kind == IR_OBJECTS ? 1 + fields_of(p, class_id) : 1);
        if (p->shared > MOST_SHARED)
            dh_parse_fail(p, name, "a program shares at most %d variables", MOST_SHARED);
        uint32_t g = dh_program_global(p->program, global);
        if (kind == IR_SCALAR && dh_parse_take(p, "=")) initial_values(p, &p->program->globals[g]);
    } while (dh_parse_take(p, ","));
    dh_parse_expect(p, ";");
}

/* ---- Functions and threads ---- */

static void parameters(struct parser *p) {
    struct ir_function *function = dh_parse_function(p);
    while (!dh_parse_take(p, ")")) {
        struct token token = dh_parse_name(p, "a parameter");
        char const *name = new_name(p, token);
        if (dh_parse_find_local(p, name) != IR_NONE)
            dh_parse_fail(p, token, "there are two parameters '%s'", name);
        if (function->parameters == 16) dh_parse_fail(p, token, "too many parameters");
        dh_function_local(function, name);
        function->parameters++;
        if (!dh_parse_is(p, ")")) dh_parse_expect(p, ",");
    }
}

static void body(struct parser *p) {
    p->block = 0;
    p->after_loop = IR_NONE;
    p->in_atomic = false;
    dh_parse_expect(p, "{");
    dh_parse_block(p);
    dh_parse_end(p, (struct ir_terminator){.kind = IR_RETURN}, 0);
}

static void function(struct parser *p, bool method) {
    struct token token = dh_parse_name(p, "the name of a function");
    uint32_t f = dh_parse_the_function(p, dh_parse_text(p, token));
    if (p->function_defined[f]) dh_parse_fail(p, token, "this function is declared already");
    p->function_defined[f] = true;
    p->method[f] = method;
    p->function = f;
    if (method) {
        dh_function_local(dh_parse_function(p), dh_program_name(p->program, "this", 4));
        dh_parse_function(p)->parameters = 1;
    }
    dh_parse_expect(p, "(");
    parameters(p);
    body(p);
}

/* thread t { } thread t(x) { } thread t[3](x) { } */
static void thread(struct parser *p) {
    struct token token = dh_parse_name(p, "the name of a thread");
    char const *name = new_name(p, token);
    uint32_t t = dh_parse_the_thread(p, name);
    if (p->thread_defined[t]) dh_parse_fail(p, token, "this thread is declared already");
    p->thread_defined[t] = true;

    uint32_t count = 1;
    if (dh_parse_take(p, "[")) {
        count = (uint32_t)dh_parse_number(p, 1, MOST_THREADS - 1, "how many threads there are");
        dh_parse_expect(p, "]");
    }
    if (p->program->thread_total + count > MOST_THREADS)
        dh_parse_fail(p, token, "a program has at most %d threads", MOST_THREADS);

    uint32_t f = dh_program_function(p->program, (struct ir_function){.name = name});
    dh_function_block(&p->program->functions[f]);
    uint32_t room = p->function_room;
    p->function_defined = longer(p->function_defined, f, &room);
    p->method = longer(p->method, f, &p->function_room);
    p->function_defined[f] = true;
    p->program->threads[t].first = p->program->thread_total;
    p->program->threads[t].count = count;
    p->program->threads[t].function = f;
    p->program->thread_total += count;
    p->function = f;
    if (dh_parse_take(p, "(")) parameters(p);
    body(p);
}

static void main_body(struct parser *p, struct token at) {
    if (p->thread_defined[0]) dh_parse_fail(p, at, "there are two mains");
    p->thread_defined[0] = true;
    p->function = p->program->threads[0].function;
    body(p);
}

static void class_fields(struct parser *p, uint32_t c, bool atomic) {
    do {
        struct token name = dh_parse_name(p, "a field");
        uint32_t f = dh_parse_find_field(p, dh_parse_text(p, name));
        struct ir_class *class_ = &p->program->classes[c];
        for (uint32_t i = 0; i < class_->field_count; i++)
            if (class_->fields[i] == f) dh_parse_fail(p, name, "this field is declared already");
        /* Classes agree about a name. The first that declares it decides. */
        for (uint32_t other = 0; other < c; other++)
            for (uint32_t i = 0; i < p->program->classes[other].field_count; i++)
                if (p->program->classes[other].fields[i] == f
                    && p->program->fields[f].atomic != atomic)
                    dh_parse_fail(p, name, "another class has this field, and there it is %satomic",
                                  atomic ? "not " : "");
        p->program->fields[f].atomic = atomic;
        dh_class_field(class_, f);
    } while (dh_parse_take(p, ","));
    dh_parse_expect(p, ";");
}

static void class_declaration(struct parser *p) {
    struct token name = dh_parse_name(p, "the name of a class");
    uint32_t c = dh_program_class(p->program, (struct ir_class){.name = new_name(p, name)});
    dh_parse_expect(p, "{");
    while (!dh_parse_take(p, "}")) {
        if (dh_parse_take(p, "var"))
            class_fields(p, c, false);
        else if (dh_parse_take(p, "atomic"))
            class_fields(p, c, true);
        else if (dh_parse_take(p, "function"))
            function(p, true);
        else
            dh_parse_fail(p, p->token, "'var', 'atomic', 'function' or '}' is expected here");
    }
}

static void declaration(struct parser *p) {
    struct token at = p->token;
    if (dh_parse_take(p, "var")) return globals(p, IR_SCALAR, false, 0);
    if (dh_parse_take(p, "atomic")) return globals(p, IR_SCALAR, true, 0);
    if (dh_parse_take(p, "lock")) return globals(p, IR_OBJECTS, false, 0);
    if (dh_parse_take(p, "class")) return class_declaration(p);
    if (dh_parse_take(p, "function")) return function(p, false);
    if (dh_parse_take(p, "thread")) return thread(p);
    if (dh_parse_take(p, "main")) return main_body(p, at);
    struct token name = dh_parse_name(p, "a declaration");
    uint32_t c = dh_parse_find_class(p, dh_parse_text(p, name));
    if (c == IR_NONE) dh_parse_fail(p, name, "a declaration is expected here");
    globals(p, IR_OBJECTS, false, c);
}

/* ---- At the end ---- */

static void settle_field(struct parser *p, struct parse_use const *use) {
    for (uint32_t c = 0; c < p->program->class_count; c++)
        for (uint32_t i = 0; i < p->program->classes[c].field_count; i++)
            if (p->program->classes[c].fields[i] == use->which) return;
    dh_parse_fail(p, use->token, "no class has this field");
}

static void settle_function(struct parser *p, struct parse_use const *use) {
    if (!p->function_defined[use->which]) dh_parse_fail(p, use->token, "there is no such function");
    bool method = use->what == USE_METHOD;
    if (p->method[use->which] != method)
        dh_parse_fail(p, use->token,
                      method ? "this is a function, not a method"
                             : "this is a method: an object must be named");
    uint32_t wanted = p->program->functions[use->which].parameters;
    if (use->arguments != wanted)
        dh_parse_fail(p, use->token, "%u argument%s expected here", wanted - method,
                      wanted - method == 1 ? " is" : "s are");
}

static void settle_thread(struct parser *p, struct parse_use const *use) {
    if (!p->thread_defined[use->which]) dh_parse_fail(p, use->token, "there is no such thread");
    struct ir_thread *declared = &p->program->threads[use->which];
    if (use->indexed != (declared->count > 1))
        dh_parse_fail(p, use->token,
                      use->indexed ? "there is only one thread of this name"
                                   : "there are several threads of this name");
    if (use->what == USE_WAIT) return;
    declared->at_start = false;
    uint32_t wanted = p->program->functions[declared->function].parameters;
    if (use->arguments != wanted)
        dh_parse_fail(p, use->token, "%u argument%s expected here", wanted,
                      wanted == 1 ? " is" : "s are");
}

static void settle(struct parser *p) {
    for (uint32_t i = 0; i < p->use_count; i++) {
        struct parse_use const *use = &p->uses[i];
        if (use->what == USE_FIELD)
            settle_field(p, use);
        else if (use->what == USE_SPAWN || use->what == USE_WAIT)
            settle_thread(p, use);
        else
            settle_function(p, use);
    }
    for (uint32_t t = 1; t < p->program->thread_count; t++) {
        struct ir_thread const *declared = &p->program->threads[t];
        if (declared->at_start && p->program->functions[declared->function].parameters > 0)
            dh_parse_fail(p, p->token, "nobody spawns thread '%s', and it has parameters",
                          declared->name);
    }
    /* SPAWN names the function, now that all are known. */
    for (uint32_t f = 0; f < p->program->function_count; f++)
        for (uint32_t b = 0; b < p->program->functions[f].block_count; b++) {
            struct ir_block *block = &p->program->functions[f].blocks[b];
            for (uint32_t i = 0; i < block->count; i++)
                if (block->instructions[i].op == IR_OP_SPAWN)
                    block->instructions[i].callee =
                        p->program->threads[block->instructions[i].callee].function;
        }
}

/* Main is thread 0 and may be left out; the class of locks has no name that could be written. */
static void begin(struct parser *p) {
    dh_program_class(p->program, (struct ir_class){.name = dh_program_name(p->program, "lock", 4)});
    char const *name = dh_program_name(p->program, "main", 4);
    uint32_t t = dh_parse_the_thread(p, name), f = dh_parse_the_function(p, name);
    p->program->threads[t] =
        (struct ir_thread){.name = name, .count = 1, .function = f, .at_start = true};
    p->program->thread_total = 1;
    p->function_defined[f] = true;
}

struct ir_program *dh_parse(char const *file, char const *text, size_t length,
                            struct dh_parse_error *error) {
    struct parser *p = calloc(1, sizeof *p);
    if (!p) dh_fail("out of memory");
    p->program = dh_program_new(file);
    p->text = p->rest = text;
    p->end = text + length;
    p->error = error;
    *error = (struct dh_parse_error){0};
    begin(p);
    if (setjmp(p->failed) == 0) {
        dh_parse_next(p);
        while (p->token.kind != TOKEN_END)
            declaration(p);
        settle(p);
    } else {
        dh_program_free(p->program);
        p->program = NULL;
    }
    struct ir_program *program = p->program;
    free(p->uses);
    free(p->function_defined);
    free(p->thread_defined);
    free(p->method);
    free(p);
    return program;
}
