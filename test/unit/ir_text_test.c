/* The parser of the model language: what programs become, and what is said about bad ones. */
#include "ir/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct ir_program *parse(char const *text) {
    struct dh_parse_error error;
    struct ir_program *program = dh_parse("test.dh", text, strlen(text), &error);
    if (!program) fail_msg("%s", error.text);
    return program;
}

/* ---- Good programs ---- */

static char const *const opcode_names[] = {
#define NAME(name) #name,
    IR_OPCODES(NAME)
#undef NAME
};

/* The instructions of a function, block by block, as names. */
static char const *shape(struct ir_program const *program, char const *name) {
    static char text[1000];
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t f = 0; f < program->function_count; f++) {
        struct ir_function const *function = &program->functions[f];
        if (strcmp(function->name, name) != 0) continue;
        for (uint32_t b = 0; b < function->block_count; b++) {
            struct ir_block const *block = &function->blocks[b];
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "%s%u:", b ? " " : "", b);
            for (uint32_t i = 0; i < block->count; i++)
                length += (size_t)snprintf(text + length, sizeof text - length, " %s",
                                           opcode_names[block->instructions[i].op]);
            struct ir_terminator end = block->end;
            if (end.kind == IR_JUMP)
                length += (size_t)snprintf(text + length, sizeof text - length, " >%u", end.to[0]);
            if (end.kind == IR_BRANCH)
                length += (size_t)snprintf(text + length, sizeof text - length, " ?%u:%u",
                                           end.to[0], end.to[1]);
        }
    }
    return text;
}

static void assert_shape(char const *text, char const *expected) {
    struct ir_program *program = parse(text);
    assert_string_equal(shape(program, "main"), expected);
    struct ir_program *copy = dh_program_copy(program);
    dh_program_free(program);
    assert_string_equal(shape(copy, "main"), expected);
    dh_program_free(copy);
}

static void statements_become_instructions(void **state) {
    assert_shape("main { }", "0:");
    assert_shape("main { skip; ; i = 3; j <- i; }", "0: ASSIGN RENAME");
    /* Each read of something shared is one instruction, from left to right. */
    assert_shape("var x, y; main { x = x + y; }", "0: READ READ WRITE");
    assert_shape("var x; main { r = x; r = x + 1; }", "0: READ READ ASSIGN");
    assert_shape("var a[4]; main { i = 1; a[a[i]] = a[2]; }", "0: ASSIGN READ READ WRITE");
    assert_shape("var x; main { x++; x -= 2; }", "0: READ WRITE READ WRITE");
    assert_shape("class P { var f; } P p; main { q = p; q.f = p.f; }", "0: ASSIGN READ WRITE");
    assert_shape("class P { var f; } main { q = new P; b = new [3]; b[0] = q; b[0].f = 1; }",
                 "0: NEW NEW_ARRAY WRITE READ WRITE");
    assert_shape("atomic f; main { r = cas(f, 0, 1); exchange(f, 2); s = fetch_add(f, 1) + 1; }",
                 "0: COMPARE EXCHANGE FETCH_ADD ASSIGN");
    assert_shape("lock m, n[2]; main { acquire(m); release(n[1]); }", "0: ACQUIRE RELEASE");
    assert_shape("thread t(x) { } main { spawn t(1); wait t; }", "0: SPAWN WAIT");
    assert_shape("atomic f; main { await(f == 2); }", "0: AWAIT");
    assert_shape("var x; main { atomic { x = 1; } assert(x == 1); }",
                 "0: ATOMIC WRITE END_ATOMIC READ ASSERT");
    assert_shape("class P { var f, g; } P p; var a[9], x; "
                 "main { check read(p.f/g, a[0..9:2], x); check write(a[3]); }",
                 "0: CHECK CHECK CHECK CHECK CHECK");
    assert_shape("function f(x) { return x; } main { r = f(f(1)); f(2); }", "0: CALL CALL CALL");
    assert_shape("class P { function m(x) { return this; } } P p; main { q = p.m(1).m(2); }",
                 "0: CALL CALL");
}

static void control_becomes_blocks(void **state) {
    assert_shape("main { i = 0; if (i) i = 1; else i = 2; }",
                 "0: ASSIGN ?1:3 1: ASSIGN >2 2: 3: ASSIGN >2");
    assert_shape("var x; main { while (x < 3) x++; }", "0: >1 1: READ ?2:3 2: READ WRITE >1 3:");
    assert_shape("main { i = 0; do i++; while (i < 3); }", "0: ASSIGN >1 1: ASSIGN ?1:2 2:");
    assert_shape("main { i = 0; loop { i++; if (i == 3) break; skip; } }",
                 "0: ASSIGN >1 1: ASSIGN ?3:4 2: 3: >2 4: >1 5: >4");
    assert_shape("main { for (i = 0; i < 3; i++) skip; }",
                 "0: ASSIGN >1 1: ?2:4 2: >3 3: ASSIGN >1 4:");
    /* What is on the right of && is read only if the left side holds. */
    assert_shape("var x, y; main { r = x == 1 && y == 2; }",
                 "0: READ ASSIGN ?1:2 1: READ ASSIGN >2 2: ASSIGN");
    assert_shape("var x; main { i = 1; r = x == 1 && i == 2; }", "0: ASSIGN READ ASSIGN");
}

static void positions_are_kept(void **state) {
    struct ir_program *program = parse("var x;\n\nmain {\n    r = x;\n    /* a\n b */ x = r;\n}\n");
    struct ir_block const *block = &program->functions[0].blocks[0];
    assert_int_equal(block->count, 2);
    assert_int_equal(block->instructions[0].position.line, 4);
    assert_int_equal(block->instructions[0].position.column, 9);
    assert_int_equal(block->instructions[1].position.line, 6);
    assert_int_equal(block->instructions[1].position.column, 7);
    dh_program_free(program);
}

static void threads_have_numbers(void **state) {
    struct ir_program *program = parse("main { spawn b[1](0); } thread a { } thread b[3](i) { }");
    assert_int_equal(program->thread_total, 5);
    assert_int_equal(program->thread_count, 3);
    for (uint32_t t = 0; t < 3; t++) {
        struct ir_thread const *thread = &program->threads[t];
        bool is_b = strcmp(thread->name, "b") == 0;
        assert_int_equal(thread->at_start, !is_b);
        assert_int_equal(thread->count, is_b ? 3 : 1);
        if (is_b) assert_int_equal(thread->first, 2);
    }
    dh_program_free(program);
}

/* ---- Bad programs ---- */

static struct {
    char const *text, *message;
    uint32_t line, column;
} const bad[] = {
    {"var x", "';' is expected here", 1, 6},
    {"main { x = y; }", "'y' is not shared, and nothing was assigned to it", 1, 12},
    {"main {\n  i = ;\n}", "an expression is expected here", 2, 7},
    {"main { i = if; }", "an expression is expected here; 'if' is a word of the language", 1, 12},
    {"var x; var x;", "'x' is declared already", 1, 12},
    {"main { break; }", "there is no loop to leave here", 1, 8},
    {"main { loop { atomic { break; } } }", "there is no loop to leave here", 1, 24},
    {"main { f(1); }", "there is no such function", 1, 8},
    {"function f(x) { } main { f(); }", "1 argument is expected here", 1, 26},
    {"class C { function m() { } } C c; main { c.m(1); }", "0 arguments are expected here", 1, 44},
    {"class C { function m() { } } main { m(); }", "this is a method: an object must be named", 1,
     37},
    {"function f(x) { } lock c; main { c.f(); }", "this is a function, not a method", 1, 36},
    {"lock c; main { c.f = 1; }", "no class has this field", 1, 18},
    {"main { spawn t; }", "there is no such thread", 1, 14},
    {"thread t[2] { } main { wait t; }", "there are several threads of this name", 1, 29},
    {"thread t { } main { wait t[0]; }", "there is only one thread of this name", 1, 26},
    {"thread t(x) { }", "nobody spawns thread 't', and it has parameters", 1, 16},
    {"var a[0];", "how many there are is between 1 and 4096", 1, 7},
    {"var a[9999999999];", "how many there are is between 1 and 4096", 1, 7},
    {"var x = 99999999999999999999;", "this number is too large", 1, 9},
    {"var a[2] = {1, 2, 3};", "there must be 2 values", 1, 12},
    {"thread t[16] { }", "how many threads there are is between 1 and 15", 1, 10},
    {"thread t[15] { } thread u { }", "a program has at most 16 threads", 1, 25},
    {"main { /* ", "this comment does not end", 1, 8},
    {"main { 3; }", "this value is not used", 1, 8},
    {"main { 3 = 4; }", "this value is not used", 1, 8},
    {"var x; main { x; }", "'=' is expected here", 1, 16},
    {"main { i = 1 @ 2; }", "this character means nothing here", 1, 14},
    {"var x, y; main { await(x + y == 2); }", "await looks at exactly one shared variable", 1, 18},
    {"main { await(1); }", "await looks at exactly one shared variable", 1, 8},
    {"lock m; main { atomic { acquire(m); } }", "an atomic block does not synchronise", 1, 25},
    {"main { atomic { return; } }", "an atomic block is left at its end only", 1, 17},
    {"main { i = 0; check read(i); }", "only what is shared is checked", 1, 26},
    {"var x; main { check(x); }", "'read' or 'write' is expected here", 1, 20},
    {"main { i = 0; cas(i, 0, 1); }", "a local needs no atomic operation", 1, 19},
    {"var x; main { y <- x; }", "only locals are renamed", 1, 20},
    {"main { } main { }", "there are two mains", 1, 10},
    {"class C { var f; } class D { atomic f; }",
     "another class has this field, and there it is not atomic", 1, 37},
    {"main { x = new D; }", "there is no such class", 1, 16},
    {"nonsense", "a declaration is expected here", 1, 1},
};

static void mistakes_are_shown(void **state) {
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct dh_parse_error error;
        struct ir_program *program = dh_parse("bad.dh", bad[i].text, strlen(bad[i].text), &error);
        if (program) fail_msg("this was parsed: %s", bad[i].text);
        if (strcmp(error.message, bad[i].message) != 0 || error.line != bad[i].line
            || error.column != bad[i].column)
            fail_msg("%s\ngives\n%s", bad[i].text, error.text);
    }
}

static void the_line_and_a_caret(void **state) {
    struct dh_parse_error error;
    char const *text = "var x;\nmain {\n\tx = y;\n}\n";
    assert_null(dh_parse("dir/p.dh", text, strlen(text), &error));
    assert_string_equal(error.text,
                        "dir/p.dh:3:6: 'y' is not shared, and nothing was assigned to it\n"
                        " x = y;\n"
                        "     ^");
    /* Of a long line the part around the mistake; what cannot be printed does not disturb. */
    char line[1000];
    memset(line, ' ', sizeof line);
    memcpy(line, "main { i = 1;", 13);
    line[600] = '\x01';
    line[601] = '@';
    assert_null(dh_parse("p.dh", line, sizeof line, &error));
    assert_int_equal(error.column, 601);
    assert_true(strlen(error.text) < 250);
    assert_non_null(strstr(error.text, "?@"));
}

static void depth_is_limited(void **state) {
    static char text[20000];
    struct dh_parse_error error;
    memset(text, '(', sizeof text);
    memcpy(text, "main { i = ", 11);
    assert_null(dh_parse("deep.dh", text, sizeof text, &error));
    assert_string_equal(error.message, "nested too deeply");
    memset(text, '{', sizeof text);
    memcpy(text, "main ", 5);
    assert_null(dh_parse("deep.dh", text, sizeof text, &error));
    assert_string_equal(error.message, "nested too deeply");
    for (size_t i = 11; i + 1 < sizeof text; i += 2)
        memcpy(text + i, "1+", 2);
    memcpy(text, "main { i = ", 11);
    memcpy(text + sizeof text - 5, "1 ; }", 5);
    assert_null(dh_parse("wide.dh", text, sizeof text, &error));
    assert_string_equal(error.message, "this expression has too many operators");
}

/* Whatever is cut off or overwritten: an answer, and no crash. */
static void damaged_programs_do_no_harm(void **state) {
    static char const program[] =
        "class P { var x, y; atomic z; function m(d) { this.x = d; return this.y; } }\n"
        "P p, q[2]; var a[3] = {1, -2, 3}, g = 4; lock l[2]; atomic f;\n"
        "function h(n) { if (n <= 0 || a[0] == n) return 1; return n * h(n - 1); }\n"
        "thread t[2](i) { acquire(l[i]); a[i] = h(2); release(l[i]); check write(a[0..i:1]); }\n"
        "main { spawn t[0](0); loop { r = cas(f, 0, 1); if (r) break; } atomic { g += 1; }\n"
        "  for (i = 0; i < length(a); i++) { b = new [3]; b[i] = new P; } await(f == 1);\n"
        "  j <- i; wait t[0]; assert(max(g, 1) >= min(p.m(3), q[1].z)); check read(p.x/y); }\n";
    struct dh_parse_error error;
    char text[sizeof program];
    uint32_t seed = 1, parsed = 0;
    for (size_t length = 0; length <= sizeof program - 1; length++)
        dh_program_free(dh_parse("cut.dh", program, length, &error));
    for (int round = 0; round < 4000; round++) {
        memcpy(text, program, sizeof text);
        for (int change = 0; change < 1 + round % 3; change++) {
            seed = seed * 1664525 + 1013904223;
            size_t from = (seed >> 8) % (sizeof text - 1);
            seed = seed * 1664525 + 1013904223;
            text[(seed >> 8) % (sizeof text - 1)] = program[from];
        }
        struct ir_program *result = dh_parse("bad.dh", text, sizeof text - 1, &error);
        parsed += result != NULL;
        dh_program_free(result);
    }
    assert_true(parsed > 0);
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(statements_become_instructions),
        cmocka_unit_test(control_becomes_blocks),
        cmocka_unit_test(positions_are_kept),
        cmocka_unit_test(threads_have_numbers),
        cmocka_unit_test(mistakes_are_shown),
        cmocka_unit_test(the_line_and_a_caret),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(damaged_programs_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
