/* The machine of the model language, and explorations: values, errors, limits, traces, counts. */
#include "ir/text.h"
#include "model/explore.h"

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

/* What all runs of a program had in common, and the last one. */
struct seen {
    uint64_t failed, errors, deadlocks, out_of_steps;
    int64_t result; /* the shared variable `result` at the end */
    char error[100];
    char trace[1000];
};

static void put_event(char *text, size_t room, struct dh_trace_event const *e) {
    static char const *const names[] = {
#define NAME(upper, lower, operands) #lower,
        DH_OPS(NAME)
#undef NAME
    };
    size_t length = strlen(text);
    bool on_thread = e->op == DH_OP_FORK || e->op == DH_OP_JOIN;
    if (on_thread)
        snprintf(text + length, room - length, "%u:%s(%u)@%u ", e->thread, names[e->op],
                 (unsigned)e->address, e->site);
    else
        snprintf(text + length, room - length, "%u:%s@%u ", e->thread, names[e->op], e->site);
}

static int look(void *context, struct dh_run const *run) {
    struct seen *seen = context;
    seen->failed += run->failed;
    seen->errors += run->error;
    seen->deadlocks += run->deadlock;
    seen->out_of_steps += run->out_of_steps;
    dh_state_global(run->machine, run->state, "result", &seen->result);
    for (uint32_t t = 0; t < run->machine->threads; t++)
        if (run->state->threads[t].error)
            snprintf(seen->error, sizeof seen->error, "%u: %s", run->state->threads[t].stopped.line,
                     run->state->threads[t].error);
    seen->trace[0] = '\0';
    for (size_t i = 0; i < run->event_count; i++)
        put_event(seen->trace, sizeof seen->trace, &run->events[i]);
    return 0;
}

static struct dh_explore_stats explore(char const *text, bool reduce, struct dh_limits limits,
                                       struct seen *seen) {
    *seen = (struct seen){0};
    struct ir_program *program = parse(text);
    struct dh_explore_options options = {.limits = limits, .reduce = reduce};
    struct dh_explore_stats stats = dh_explore(program, options, look, seen);
    dh_program_free(program);
    assert_true(stats.complete);
    return stats;
}

static int64_t result_of(char const *body) {
    char text[1000];
    struct seen seen;
    snprintf(text, sizeof text,
             "class P { var f, g; function sum() { return this.f + this.g; } }\n"
             "P p[2]; var result, a[3] = {5, 6, 7}; atomic n = 1, c[2];\n"
             "function fact(n1) { if (n1 <= 1) return 1; return n1 * fact(n1 - 1); }\n"
             "main { %s }",
             body);
    struct dh_explore_stats stats = explore(text, false, DH_LIMITS_DEFAULT, &seen);
    assert_int_equal(stats.runs, 1);
    if (seen.errors || seen.failed || seen.out_of_steps) fail_msg("%s: %s", body, seen.error);
    return seen.result;
}

static void values(void **state) {
    assert_int_equal(result_of("result = 2 + 3 * 4 - 10 / 3 % 2;"), 13);
    assert_int_equal(result_of("result = -7 / 2;"), -3);
    assert_int_equal(
        result_of("i = 3; result = (1 < i) + (i <= 3) + (i > 3) + (i >= 3) + (i != 3);"), 3);
    assert_int_equal(result_of("result = !0 + !7 + (1 && 2) + (0 || 0) + (0 || 5);"), 3);
    assert_int_equal(result_of("i = 0; result = i != 0 && 1 / i;"), 0);
    assert_int_equal(result_of("result = max(3, min(9, 4)) + length(a);"), 7);
    assert_int_equal(result_of("result = a[0] + a[1] * a[2];"), 47);
    assert_int_equal(result_of("p[1].f = 3; p[1].g = 4; result = p[1].sum() + p[0].sum();"), 7);
    assert_int_equal(result_of("q = new P; q.f = 8; b = new [2]; b[1] = q; result = b[1].f;"), 8);
    assert_int_equal(result_of("result = fact(5);"), 120);
    assert_int_equal(result_of("s = 0; for (i = 0; i < 4; i++) s += i; result = s;"), 6);
    assert_int_equal(result_of("i = 0; do i++; while (i < 3); result = i;"), 3);
    assert_int_equal(result_of("i = 0; loop { i++; if (i == 5) break; i++; } result = i;"), 5);
    assert_int_equal(
        result_of("r = cas(n, 1, 4); s = cas(n, 1, 5); result = n * 100 + r * 10 + s;"), 410);
    assert_int_equal(
        result_of("r = exchange(n, 4); s = fetch_add(n, 2); result = 100*n + 10*r + s;"), 614);
    assert_int_equal(result_of("c[1] = 2; result = fetch_add(c[1], 1) + c[1];"), 5);
    assert_int_equal(result_of("result = 9223372036854775807 + 1;"), INT64_MIN);
    assert_int_equal(result_of("m = 0 - 9223372036854775807 - 1; result = m / -1 + m % -1;"),
                     INT64_MIN);
    assert_int_equal(result_of("result = self;"), 0);
    assert_int_equal(result_of("atomic { i = n; n = i + 1; } result = n;"), 2);
}

static void errors_stop_a_thread(void **state) {
    static char const *const wrong[][2] = {
        {"var a[3]; main {\n a[3] = 1; }", "2: the index is outside the array"},
        {"var a[3]; main {\n r = a[-1]; }", "2: the index is outside the array"},
        {"class P { var f; } main {\n q = null; q.f = 1; }",
         "2: null has no fields, elements or lock"},
        {"class P { var f; } main {\n q = 24; q.f = 1; }", "2: not a reference"},
        {"class P { var f; } main {\n q = new P; q = q + 8; r = q.f; }", "2: not a reference"},
        {"class P { var f; } P p; class Q { var g; } main {\n r = p.g; }",
         "2: the object has no such field"},
        {"class P { var f; } var a[2]; main {\n r = a.f; }", "2: an array has no fields"},
        {"class P { var f; } P p; main {\n r = p[0]; }", "2: an object has no elements"},
        {"main {\n i = 0; i = 1 / i; }", "2: division by zero"},
        {"lock m; main {\n release(m); }", "2: this thread does not hold the lock"},
        {"lock m[2]; main {\n acquire(m[2]); }", "2: there are not so many of these objects"},
        {"thread t { } main {\n spawn t; spawn t; }", "2: this thread was spawned before"},
        {"thread t[2] { } main {\n i = 2; wait t[i]; }",
         "2: there are not so many of these threads"},
        {"var x; main {\n r = cas(x, 0, 1); }", "2: an atomic operation on what is not atomic"},
        {"lock m; function f() { acquire(m); } main { atomic {\n f(); } }",
         "1: an atomic block does not synchronise"},
        {"var a[3]; main {\n check read(a[1..5]); }", "2: the range is outside the array"},
        {"var a[3]; main {\n check read(a[0..3:0]); }", "2: the stride of a range is at least 1"},
        {"main {\n i = -1; b = new [i]; }", "2: an array cannot have so few elements"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct seen seen;
        explore(wrong[i][0], false, DH_LIMITS_DEFAULT, &seen);
        assert_string_equal(seen.error, wrong[i][1]);
        assert_int_equal(seen.errors, 1);
    }
}

static void limits_are_reported(void **state) {
    struct seen seen;
    struct dh_limits few = {.steps = 50, .stack = 100, .heap = 20};
    explore("var x; main { while (x == 0) skip; }", false, few, &seen);
    assert_int_equal(seen.out_of_steps, 1);
    assert_string_equal(seen.error, "0: out of steps");
    explore("main { loop { skip; } }", true, few, &seen);
    assert_int_equal(seen.out_of_steps, 1);
    explore("main { atomic { loop { skip; } } }", true, few, &seen);
    assert_int_equal(seen.out_of_steps, 1);
    explore("function f(n) { return f(n + 1); } main {\n f(0); }", false, few, &seen);
    assert_string_equal(seen.error, "1: the calls are too deep");
    assert_int_equal(seen.out_of_steps, 1);
    explore("main {\n loop { b = new [8]; } }", false, few, &seen);
    assert_string_equal(seen.error, "2: out of memory");
    explore("main {\n b = new [9223372036854775807]; }", false, few, &seen);
    assert_string_equal(seen.error, "2: out of memory");
    /* The others go on: nothing is cut short silently. */
    explore("var result; thread t { result = 1; } main { loop { skip; } }", true, few, &seen);
    assert_int_equal(seen.result, 1);
    assert_int_equal(seen.deadlocks, 0);
}

static void traces(void **state) {
    struct seen seen;
    explore("var x; atomic f; lock m;\n"
            "thread t(v) { x = v;\n"
            " acquire(m);\n"
            " f = 1; release(m); }\n"
            "main { spawn t(3);\n"
            " wait t; r = x;\n"
            " r = cas(f, 7, 8); r = cas(f, 1, 2); r = f; check write(x); }",
            false, DH_LIMITS_DEFAULT, &seen);
    assert_string_equal(seen.trace,
                        "0:fork(1)@5 1:write@2 1:acquire@3 1:store@4 1:release@4 1:exit@0 "
                        "0:join(1)@6 0:read@6 0:compare@7 0:rmw@7 0:load@7 0:check@7 0:exit@0 ");
    /* Threads that nobody spawns are there from the beginning. */
    explore("thread a { } thread b { }", false, DH_LIMITS_DEFAULT, &seen);
    assert_string_equal(seen.trace, "0:fork(1)@0 0:fork(2)@0 0:exit@0 1:exit@0 2:exit@0 ");
    explore("var a[5]; main { check read(a[1..5:2]); check write(a[3..3]); }", false,
            DH_LIMITS_DEFAULT, &seen);
    assert_string_equal(seen.trace, "0:check@1 0:check@1 0:exit@0 ");
}

static void deadlocks_and_failures(void **state) {
    struct seen seen;
    explore("lock m; main { acquire(m); acquire(m); }", true, DH_LIMITS_DEFAULT, &seen);
    assert_int_equal(seen.deadlocks, 1);
    explore("thread t { } main { spawn t; wait t; } thread u { wait v; } thread v { wait u; }",
            false, DH_LIMITS_DEFAULT, &seen);
    assert_int_equal(seen.deadlocks, 1);
    explore("atomic f; main { await(f == 1); }", true, DH_LIMITS_DEFAULT, &seen);
    assert_int_equal(seen.deadlocks, 1);
    /* A failed assertion stops its thread; the others go on. */
    explore("var result; thread t {\n assert(1 == 2); } main { result = 5; }", false,
            DH_LIMITS_DEFAULT, &seen);
    assert_int_equal(seen.failed, 1);
    assert_int_equal(seen.result, 5);
    assert_string_equal(seen.error, "2: the assertion fails");
}

/* Numbers that can be worked out by hand. */
static void counts(void **state) {
    static struct {
        char const *text;
        uint64_t plain, classes;
    } const known[] = {
        {"main { }", 1, 1},
        /* 6 choose 3 orders; nothing shared between the threads */
        {"var x, y; thread a { x = 1; x = 2; x = 3; } thread b { y = 1; y = 2; y = 3; }", 20, 1},
        /* all orders differ */
        {"var x; thread a { x = 1; x = 2; x = 3; } thread b { x = 4; x = 5; x = 6; }", 20, 20},
        /* reads do not conflict: where the write is among them, for each reader */
        {"var x; thread a { x = 1; } thread b { r = x; s = x; } thread c { r = x; }", 12, 6},
        /* who comes first */
        {"var x; lock m; thread t[2] { acquire(m); x++; release(m); }", 2, 2},
        {"var x; lock m; thread t[3] { acquire(m); x++; release(m); }", 6, 6},
        /* 9! / (3! 3! 3!) */
        {"var x, y, z; thread a { x = 1; x = 2; x = 3; } thread b { y = 1; y = 2; y = 3; } "
         "thread c { z = 1; z = 2; z = 3; }",
         1680, 1},
        /* an atomic block is one step */
        {"var x, y; thread t[2] { atomic { x++; y++; } }", 2, 2},
        {"atomic f; thread a { f = 1; } thread b { await(f == 1); f = 2; }", 1, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct seen seen;
        char const *program = known[i].text;
        struct dh_explore_stats plain = explore(program, false, DH_LIMITS_DEFAULT, &seen);
        struct dh_explore_stats reduced = explore(program, true, DH_LIMITS_DEFAULT, &seen);
        if (plain.runs != known[i].plain || reduced.runs != known[i].classes)
            fail_msg("%s: %llu runs, %llu classes", program, (unsigned long long)plain.runs,
                     (unsigned long long)reduced.runs);
        assert_true(reduced.steps <= plain.steps);
    }
}

static int stop_at_three(void *context, struct dh_run const *run) { return ++*(int *)context == 3; }

static void explorations_can_be_stopped(void **state) {
    struct ir_program *program = parse("var x; thread t[3] { x++; }");
    struct dh_explore_options options = {.limits = DH_LIMITS_DEFAULT, .most_runs = 5};
    struct dh_explore_stats stats = dh_explore(program, options, NULL, NULL);
    assert_int_equal(stats.runs, 5);
    assert_false(stats.complete);
    int visits = 0;
    stats = dh_explore(program, options, stop_at_three, &visits);
    assert_int_equal(stats.runs, 3);
    assert_false(stats.complete);
    dh_program_free(program);
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(errors_stop_a_thread),
        cmocka_unit_test(limits_are_reported),
        cmocka_unit_test(traces),
        cmocka_unit_test(deadlocks_and_failures),
        cmocka_unit_test(counts),
        cmocka_unit_test(explorations_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
