/* The rules: which event is possible when, line by line in the text form; what a text may not look
 * like; what the STD form means. */
#include "trace_tools.h"

/* ---- Well-formed or not ---- */

struct rule {
    char const *text;    /* after the first line; the last event is refused, or none */
    char const *message; /* part of what is said about it; null: all is well */
};

static struct rule const threads[] = {
    {"1 read 8 8\n", "thread 1 never started"},
    {"0 fork 1\n1 exit\n1 read 8 8\n", "thread 1 has exited"},
    {"0 exit\n0 fence seq_cst\n", "thread 0 has exited"},
    {"0 fork 0\n", "which exists"},
    {"0 fork 1\n1 exit\n0 fork 1\n", "which exists"},
    {"0 fork 1025\n", "only 1 threads"},
    {"0 fork 4294967295\n", "only 1 threads"},
    {"0 fork 1024\n1024 read 1 1\n", NULL},
    {"0 fork 2\n2 fork 1\n1 exit\n2 join 1\n0 join 1\n", NULL},
    {"0 join 1\n", "never started"},
    {"0 fork 1\n0 join 1\n", "has not exited"},
    {"0 join 0\n", "has not exited"},
    {"0 fork 1\n0 acquire 5\n0 exit\n1 join 0\n", NULL},
};

static struct rule const locks[] = {
    {"0 acquire 5\n0 release 5\n0 acquire 5\n", NULL},
    {"0 acquire 5\n0 acquire 5\n", "which thread 0 holds"},
    {"0 fork 1\n1 acquire 5\n0 acquire 5\n", "which thread 1 holds"},
    {"0 release 5\n", "does not hold"},
    {"0 fork 1\n1 acquire 5\n0 release 5\n", "does not hold"},
    {"0 acquire 5\n0 release 6\n", "does not hold"},
    {"0 fork 1\n0 rdacquire 5\n1 rdacquire 5\n0 rdrelease 5\n1 rdrelease 5\n0 acquire 5\n", NULL},
    {"0 fork 1\n0 rdacquire 5\n1 rdacquire 5\n0 rdrelease 5\n0 acquire 5\n", "1 threads read"},
    {"0 rdacquire 5\n0 rdacquire 5\n", "already reads"},
    {"0 acquire 5\n0 rdacquire 5\n", "which thread 0 holds"},
    {"0 rdrelease 5\n", "does not read"},
    {"0 acquire 5\n0 rdrelease 5\n", "does not read"},
    {"0 rdacquire 5\n0 release 5\n", "does not hold"},
    {"0 wait 5\n0 signal 5\n0 signal 5\n0 wait 5\n", NULL},
};

static struct rule const barriers[] = {
    {"0 fork 1\n0 arrive 5\n1 arrive 5\n1 depart 5\n0 depart 5\n0 arrive 6\n", NULL},
    {"0 fork 1\n0 arrive 5\n0 depart 5\n1 arrive 5\n", "has departed"},
    {"0 arrive 5\n0 depart 5\n0 arrive 5\n", "has departed"},
    {"0 arrive 5\n0 arrive 5\n", "already is"},
    {"0 depart 5\n", "where the thread is not"},
    {"0 fork 1\n0 arrive 5\n1 depart 5\n", "where the thread is not"},
    {"0 arrive 5\n0 depart 5\n0 depart 5\n", "where the thread is not"},
};

static struct rule const memory[] = {
    {"0 read 0xffffffffffffffff 1\n", "beyond the last address"},
    {"0 read 0xfffffffffffffffe 1\n", NULL},
    {"0 write 0xfffffffffffffff8 8\n", "beyond the last address"},
    {"0 check write 2 0xffffffffffffffff\n", "beyond the last address"},
    {"0 write 8 0\n", "0 bytes"},
    {"0 alloc 8 0\n", "0 bytes"},
    {"0 race 8 0\n", "0 bytes"},
    {"0 read 8 0x100000000\n", NULL},
    {"0 read 8 0x100000001\n", "more than 4 GB"},
    {"0 check read 8 0x100000001\n", "more than 4 GB"},
    {"0 alloc 8 0x100000000000\n0 free 8 0x100000000000\n", NULL},
    {"0 alloc 0x10 16\n0 alloc 0x20 16\n0 alloc 0 16\n0 free 0x10 16\n0 alloc 0x18 8\n", NULL},
    {"0 alloc 0x10 16\n0 alloc 0x18 16\n0 free 0x18 8\n0 free 0x18 8\n", NULL},
};

static struct rule const atomics[] = {
    {"0 load 16 16 acquire\n0 store 16 1 release c++20\n0 rmw 2 2 acq_rel\n", NULL},
    {"0 compare 4 4 relaxed\n0 load 4 4 consume\n0 fence relaxed\n0 fence acq_rel\n", NULL},
    {"0 load 24 16 acquire\n", "not aligned"},
    {"0 store 2 4 relaxed\n", "not aligned"},
    {"0 rmw 3 3 relaxed\n", "1, 2, 4, 8 or 16"},
    {"0 rmw 32 32 relaxed\n", "1, 2, 4, 8 or 16"},
    {"0 rmw 32 0 relaxed\n", "0 bytes"},
    {"0 load 4 4 release\n", "load cannot have the order release"},
    {"0 load 4 4 acq_rel\n", "cannot have"},
    {"0 compare 4 4 acq_rel\n", "compare cannot have"},
    {"0 compare 4 4 release\n", "cannot have"},
    {"0 store 4 4 acquire\n", "store cannot have"},
    {"0 store 4 4 consume c++20\n", "cannot have"},
    {"0 store 4 4 acq_rel\n", "cannot have"},
};

static struct rule const texts[] = {
    {"\n# all\n \t\n0 read 8 8# near\n0\tread\t0x8  8 @0x7 # far\r\n", NULL},
    {"site 3 a # b\nsite 4\n0 read 8 8 @3\n0 check atomic_write 1 1\n0 race 1 1\n", NULL},
    {"site 3 a\nsite 3 a\n", "explained twice"},
    {"site 0 a\n", "number that there is not"},
    {"site x a\n", "'x' is no site"},
    {"site 1 a\tb\n", "control characters"},
    {"0 read 8\n", "ends before the size"},
    {"0 read\n", "ends before the address"},
    {"0\n", "ends before the operation"},
    {"0 # read\n", "ends before the operation"},
    {"x read 8 8\n", "'x' is no thread"},
    {"-1 read 8 8\n", "'-1' is no thread"},
    {"4294967296 read 8 8\n", "is no thread"},
    {"0 fork 4294967296\n", "is no thread"},
    {"0 Read 8 8\n", "'Read' is no operation"},
    {"0 read 8 18446744073709551616\n", "is no size"},
    {"0 read 0x10000000000000000 8\n", "is no address"},
    {"0 read 0x 8\n", "is no address"},
    {"0 read 8 8 8\n", "'8' does not belong here"},
    {"0 read 8 8 @\n", "'@' is no site"},
    {"0 read 8 8 @1 @2\n", "'@2' does not belong here"},
    {"0 read 8 8 acquire\n", "does not belong here"},
    {"0 exit 1\n", "does not belong here"},
    {"0 load 8 8\n", "ends before the memory order"},
    {"0 load 8 8 weak\n", "is no memory order"},
    {"0 check 8 8\n", "is no kind"},
    {"0 acquire\n", "ends before the object"},
    {"0 \x1b[31mred 8 8\n", "'' is no operation"},
    {"0 read 8 8", "cut short"},
};

static void try_rule(struct rule const *rule) {
    char text[1024];
    int size = snprintf(text, sizeof text, "deadheat trace 1\n%s", rule->text);
    struct events read;
    struct dh_trace_error error;
    int result = read_events(text, (size_t)size, &read, &error);
    if (!rule->message && result != 0) fail_msg("%s: %s", rule->text, error.message);
    if (rule->message) {
        if (result != -1) fail_msg("%s: accepted", rule->text);
        if (!strstr(error.message, rule->message)) fail_msg("%s: %s", rule->text, error.message);
        /* It is the last line, and its place is where that begins. */
        char *last = text + size - 1;
        while (last > text && last[-1] != '\n')
            last--;
        assert_int_equal(error.offset, last - text);
        uint64_t line = 1;
        for (char *c = text; c < last; c++)
            line += *c == '\n';
        assert_int_equal(error.line, line);
    }
    free(read.list);
}

#define TRY(rules)                                                \
    static void try_##rules(void **state) {                       \
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) \
            try_rule(&rules[i]);                                  \
    }
TRY(threads)
TRY(locks)
TRY(barriers)
TRY(memory)
TRY(atomics)
TRY(texts)

/* Binary traces are held to the same rules, and can break more of them. */
static void events_that_no_text_can_say(void **state) {
    struct dh_wellformed w;
    dh_wellformed_begin(&w);
    struct dh_trace_event bad[] = {
        {.op = DH_OP_COUNT},
        {.op = DH_OP_READ, .address = 8, .size = 8, .order = 1},
        {.op = DH_OP_READ, .address = 8, .size = 8, .kind = 1},
        {.op = DH_OP_ACQUIRE, .address = 8, .size = 8},
        {.op = DH_OP_CHECK, .address = 8, .size = 8, .kind = DH_KINDS},
        {.op = DH_OP_FENCE, .order = 6},
        {.op = DH_OP_FENCE, .order = 0x20},
        {.op = DH_OP_FENCE, .address = 1},
        {.op = DH_OP_EXIT, .address = 1},
        {.op = DH_OP_FORK, .address = UINT64_C(1) << 32},
        {.op = DH_OP_JOIN, .address = UINT64_C(1) << 32},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_non_null(dh_wellformed_step(&w, &bad[i]));
    dh_wellformed_end(&w);
}

/* ---- The STD form ---- */

static void check_std(char const *text, char const *expected) {
    struct events read;
    struct dh_trace_error error;
    int result = read_events(text, strlen(text), &read, &error);
    if (result) fail_msg("%s: %s", text, error.message);
    struct bytes bytes = write_events(&read, DH_TRACE_TEXT);
    assert_string_equal(bytes.data + strlen("deadheat trace 1\n"), expected);
    free(bytes.data);
    free(read.list);
}

static void std_form(void **state) {
    check_std("T0|r(V123)|345\nT1|w(V234.23[0])|456\nT0|fork(T2)|123\nT2|acq(L34)|120\n"
              "T2|rel(L34)|130\nT0|join(T2)|134\n",
              "0 fork 1\n1 read 0x10000 8 @1\n0 fork 2\n2 write 0x10008 8 @2\n1 fork 3 @3\n"
              "3 acquire 0x1 @4\n3 release 0x1 @5\n3 exit\n1 join 3 @6\n");
    /* Locks are taken again by their holder; what orders nothing is left out. */
    check_std(
        "\r\nA|begin|1\r\nA|acq(l)|1\r\nA|req(l)|1\nA|acq(l)|1\nA|rel(l)|1\nA|rel(l)\nA|end(x)|1",
        "0 fork 1\n1 acquire 0x1 @1\n1 release 0x1\n");
    /* One name can be a thread, a lock and a variable. Several join; one is joined that nobody
     * knew. */
    check_std("a|acq(a)|7\na|r(a)|7\na|fork(b)|7\na|join(b)|7\na|join(b)|7\na|join(c)|7\n",
              "0 fork 1\n1 acquire 0x1 @1\n1 read 0x10000 8 @1\n1 fork 2 @1\n2 exit\n1 join 2 @1\n"
              "1 join 2 @1\n0 fork 3\n3 exit\n1 join 3 @1\n");
}

static void std_errors(void **state) {
    struct {
        char const *text, *message;
        uint64_t line;
    } bad[] = {
        {"a|r(x)|1\n\na|x(x)|1\n", "'x' is no operation", 3},
        {"a|r(x)|1\nhello\n", "'hello' is not THREAD", 2},
        {"a|r(x)|1\na|r(x|1\n", "is not THREAD", 2},
        {"a|r()|1\n", "no operand", 1},
        {"a|rel(l)|1\n", "does not hold", 1},
        {"a|acq(l)|1\nb|acq(l)|2\n", "which thread 1 holds", 2},
        {"a|acq(l)|1\na|rel(l)|1\na|rel(l)|1\n", "does not hold", 3},
        {"a|r(x)|1\nb|fork(a)|1\n", "which exists", 2},
        {"a|join(b)|1\nb|r(x)|1\n", "has exited", 2},
        {"a|r(x)|\t\n", "control characters", 1},
        {"hello\n", "this is no trace", 0},
        {"|r(x)|1\n", "this is no trace", 0},
        {"deadheat trace 2\n", "version '2'", 1},
        {"deadheat trace 1", "cut short", 1},
        {"deadheat", "cut short", 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct events read;
        struct dh_trace_error error;
        assert_int_equal(read_events(bad[i].text, strlen(bad[i].text), &read, &error), -1);
        if (!strstr(error.message, bad[i].message)) fail_msg("%s: %s", bad[i].text, error.message);
        assert_int_equal(error.line, bad[i].line);
        free(read.list);
    }
}

static void long_lines(void **state) {
    static char text[200000];
    for (size_t length = 4090; length < sizeof text;
         length = length < 4100 ? length + 1 : 3 * length) {
        memset(text, ' ', sizeof text);
        memcpy(text, "deadheat trace 1\n", 17);
        text[17 + length] = '\n';
        struct events read;
        struct dh_trace_error error;
        int result = read_events(text, 17 + length + 1, &read, &error);
        assert_int_equal(result, length <= 4096 ? 0 : -1);
        if (result < 0) assert_int_equal(error.offset, 17);
    }
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(try_threads),
        cmocka_unit_test(try_locks),
        cmocka_unit_test(try_barriers),
        cmocka_unit_test(try_memory),
        cmocka_unit_test(try_atomics),
        cmocka_unit_test(try_texts),
        cmocka_unit_test(events_that_no_text_can_say),
        cmocka_unit_test(std_form),
        cmocka_unit_test(std_errors),
        cmocka_unit_test(long_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
