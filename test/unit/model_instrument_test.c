/* The instrumentation of paper 002: its sequences, what it refuses, and why it needs the locks of
 * section 4.3. That it finds races exactly is tested on many programs elsewhere (test/model,
 * test/oracle/model_instrument.c).
 */
#include "ir/text.h"
#include "model/explore.h"
#include "model/instrument.h"

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

static struct ir_program *instrument(char const *text, enum dh_instrument_locks locks) {
    char const *why;
    struct ir_position where;
    struct ir_program *program = parse(text);
    struct ir_program *instrumented = dh_instrument(program, locks, &why, &where);
    dh_program_free(program);
    if (!instrumented) fail_msg("%s: %s", text, why);
    return instrumented;
}

/* The first block of main, a letter an instruction: reads and writes of what the instrumentation
 * keeps are small letters followed by the array, those of the program are capitals. */
static char const *sequence(struct ir_program const *program) {
    static char text[2000];
    char *at = text;
    struct ir_block const *block = &program->functions[program->threads[0].function].blocks[0];
    for (uint32_t i = 0; i < block->count; i++) {
        struct ir_instruction const *in = &block->instructions[i];
        bool ours = in->position.line == 0;
        struct ir_node base = program->nodes[in->place.base], lock = program->nodes[in->value];
        static char const letters[IR_OP_COUNT] = {
            [IR_OP_ASSIGN] = '=',  [IR_OP_READ] = 'R',    [IR_OP_WRITE] = 'W',
            [IR_OP_ACQUIRE] = 'A', [IR_OP_RELEASE] = 'L', [IR_OP_SPAWN] = 'S',
            [IR_OP_WAIT] = 'J',    [IR_OP_CHECK] = '?',   [IR_OP_ASSERT] = '!'};
        char letter = letters[in->op];
        assert_int_not_equal(letter, 0);
        *at++ = ours && letter >= 'A' ? (char)(letter + 'a' - 'A') : letter;
        if (ours && (in->op == IR_OP_READ || in->op == IR_OP_WRITE))
            *at++ = program->globals[base.value].name[1];
        if (ours && (in->op == IR_OP_ACQUIRE || in->op == IR_OP_RELEASE))
            *at++ = program->globals[lock.value].name[1];
        *at++ = ' ';
    }
    *at = '\0';
    return text;
}

static void assert_sequence(char const *text, enum dh_instrument_locks locks,
                            char const *expected) {
    struct ir_program *program = instrument(text, locks);
    assert_string_equal(sequence(program), expected);
    dh_program_free(program);
}

/* Figures 8 and 9. With one thread every clock has one entry. */
static void the_sequences(void **state) {
    enum dh_instrument_locks with = DH_WITH_LOCKS, without = DH_WITHOUT_LOCKS;
    assert_sequence("var x; main { r = x; }", with, "aX ? rW rC ! rC wR R lX ");
    assert_sequence("var x; main { x = 1; }", with, "aX ? rW rC ! rR rC ! rC wW W lX ");
    assert_sequence("var x; main { r = x; }", without, "? rW rC ! rC wR R ");
    assert_sequence("var x; main { x = 1; }", without, "? rW rC ! rR rC ! rC wW W ");
    assert_sequence("lock m; main { acquire(m); release(m); }", with,
                    "A rL rC = wC rC wL rC = wC L ");
    assert_sequence("thread t { } main { spawn t; wait t; }", with,
                    "rC rC = wC rC rC = wC rC = wC S J rC rC = wC rC rC = wC rC = wC ");
    /* The number of an element is kept: here the load changes the index. */
    assert_sequence("var a[2]; main { i = 0; i = a[i]; }", with, "= = aX ? rW rC ! rC wR R lX ");
}

static void what_is_not_in_the_language(void **state) {
    static struct {
        char const *text, *why;
    } const refused[] = {
        {"atomic f; main {\n f = 1; }", "only plain globals and their elements are locations"},
        {"class P { var f; } P p; main {\n p.f = 1; }",
         "only plain globals and their elements are locations"},
        {"atomic f[2]; main {\n f[0] = 1; }",
         "only plain globals and their elements are locations"},
        {"var a[2]; main { b = a;\n b[0] = 1; }",
         "only plain globals and their elements are locations"},
        {"var a[2]; main {\n acquire(a); }", "only locks with names are locks"},
        {"atomic f; main {\n r = cas(f, 0, 1); }", "there are no atomics"},
        {"var x; main {\n atomic { x = 1; } }", "there are no atomics"},
        {"main {\n b = new [2]; }", "there is no memory made at run time"},
        {"var x; main {\n check read(x); }", "there are no checks but the instrumentation's"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char const *why = NULL;
        struct ir_position where = {0};
        struct ir_program *program = parse(refused[i].text);
        assert_null(dh_instrument(program, DH_WITH_LOCKS, &why, &where));
        assert_string_equal(why, refused[i].why);
        assert_int_equal(where.line, 2);
        assert_string_equal(where.file, "test.dh");
        dh_program_free(program);
    }
}

static int count_quiet(void *context, struct dh_run const *run) {
    *(uint64_t *)context += !run->failed;
    return 0;
}

/* Figure 10: a load and a store of x, never ordered. Without the locks there are interleavings of
 * the two sequences in which both sides check before either has left its mark. Every interleaving,
 * and one of each class. */
static void figure_10(void **state) {
    char const *text = "var x; thread t { a = x; } main { spawn t; x = 2; }";
    for (int reduce = 0; reduce <= 1; reduce++) {
        struct dh_explore_options options = {.limits = DH_LIMITS_DEFAULT, .reduce = reduce};
        uint64_t missed = 0, missed_with_locks = 0;
        struct ir_program *program = instrument(text, DH_WITHOUT_LOCKS);
        struct dh_explore_stats stats = dh_explore(program, options, count_quiet, &missed);
        dh_program_free(program);
        program = instrument(text, DH_WITH_LOCKS);
        dh_explore(program, options, count_quiet, &missed_with_locks);
        dh_program_free(program);
        print_message(
            "Figure 10, %s: without the locks %llu of %llu runs miss the race, with them %llu\n",
            reduce ? "reduced" : "every interleaving", (unsigned long long)missed,
            (unsigned long long)stats.runs, (unsigned long long)missed_with_locks);
        assert_true(missed > 0);
        assert_true(missed < stats.runs);
        assert_int_equal(missed_with_locks, 0);
    }
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(the_sequences),
        cmocka_unit_test(what_is_not_in_the_language),
        cmocka_unit_test(figure_10),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
