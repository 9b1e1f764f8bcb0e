/* The forms of a report: text, JSON, fingerprint; and which races a suppression hides. */
#include "report_tools.h"
#include "report/fingerprint.h"
#include "report/json.h"
#include "report/text.h"
#include "rt/suppress.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- tools ---- */

static char output[1 << 16];
static size_t output_used;

static void collect(void *to, char const *text, size_t length) {
    assert_ptr_equal(to, output);
    assert_true(output_used + length < sizeof output);
    memcpy(output + output_used, text, length);
    output[output_used += length] = 0;
}

static char const *text_of(struct dh_race const *race, enum dh_text_style style) {
    output_used = 0;
    dh_race_text(race, style, collect, output);
    return output;
}

static char const *json_of(struct dh_race const *race) {
    output_used = 0;
    dh_race_json(race, collect, output);
    return output;
}

/* Standard error goes to a file between these two. */
static int saved_stderr = -1, captured;
static void capture(void) {
    saved_stderr = dup(2);
    captured = memfd_create("stderr", MFD_CLOEXEC);
    dup2(captured, 2);
}
static char const *captured_text(void) {
    dup2(saved_stderr, 2);
    close(saved_stderr);
    static char text[1 << 16];
    ssize_t n = pread(captured, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    close(captured);
    return text;
}

/* ---- a race for the formatters ---- */

static struct dh_frame const frames_write[] = {
    {.pc = 0x401234,
     .function = "bump",
     .file = "/src/a.c",
     .line = 10,
     .column = 5,
     .start_line = 8,
     .module = "/bin/prog",
     .module_offset = 0x1234,
     .inlined = true,
     .instrumented = true},
    {.pc = 0x401234,
     .function = "run",
     .file = "/src/a.c",
     .line = 20,
     .column = 3,
     .start_line = 18,
     .module = "/bin/prog",
     .module_offset = 0x1234,
     .instrumented = true},
    {.pc = 0x7f0001, .module = "/lib/libforeign.so", .module_offset = 0x111},
    {.pc = 0x401300,
     .function = "main",
     .file = "/src/a.c",
     .line = 30,
     .column = 1,
     .start_line = 25,
     .module = "/bin/prog",
     .module_offset = 0x1300,
     .instrumented = true},
};
static struct dh_frame const frames_read[] = {
    {.pc = 0x401500,
     .function = "look",
     .file = "/src/b.c",
     .line = 7,
     .column = 9,
     .start_line = 5,
     .module = "/bin/prog",
     .module_offset = 0x1500,
     .instrumented = true},
};
static struct dh_frame const frames_create[] = {
    {.pc = 0x401600,
     .function = "main",
     .file = "/src/a.c",
     .line = 40,
     .column = 2,
     .start_line = 25,
     .module = "/bin/prog",
     .module_offset = 0x1600,
     .instrumented = true},
};
static struct dh_held_lock const locks_write[] = {
    {.address = 0x5000,
     .number = 1,
     .mode = DH_LOCK_READ,
     .variable = "table_lock",
     .acquired = {frames_create, 1, false}},
};

static struct dh_race sample(void) {
    return (struct dh_race){
        .number = 1,
        .pid = 123,
        .address = 0x4018,
        .bytes = 4,
        .sides = {{.flags = DH_ACCESS_WRITE,
                   .address = 0x4018,
                   .size = 4,
                   .thread = {.known = true,
                              .number = 2,
                              .os_id = 125,
                              .name = "worker",
                              .running = true,
                              .created = {frames_create, 1, false}},
                   .stack = {frames_write, 4, false},
                   .locks = locks_write,
                   .lock_count = 1,
                   .locks_known = true},
                  {.flags = 0,
                   .address = 0x4018,
                   .size = 4,
                   .thread = {.known = true, .number = 0, .os_id = 123, .running = true},
                   .stack = {frames_read, 1, false},
                   .field = "struct table.used",
                   .locks_known = true}},
        .object = {.memory = DH_MEMORY_GLOBAL,
                   .address = 0x4010,
                   .size = 16,
                   .name = "table",
                   .file = "/src/a.c",
                   .line = 3,
                   .module = "/bin/prog",
                   .module_offset = 0x4018},
        .fingerprint = 0xabcdef,
    };
}

static char const golden[] =
    "==================\n"
    "WARNING: Deadheat: data race (pid=123)\n"
    "  Write of size 4 at 0x4018 by thread T2 'worker' (holding lock M1 (read)):\n"
    "    #0 bump /src/a.c:10:5 (prog+0x1234) [inlined]\n"
    "    #1 run /src/a.c:20:3 (prog+0x1234)\n"
    "    #2 (libforeign.so+0x111)\n"
    "    #3 main /src/a.c:30:1 (prog+0x1300)\n"
    "\n"
    "  Previous read of size 4 at 0x4018 (struct table.used) by main thread:\n"
    "    #0 look /src/b.c:7:9 (prog+0x1500)\n"
    "\n"
    "  Location is global 'table' of size 16 at 0x4010, offset 8, declared at /src/a.c:3 "
    "(prog+0x4018).\n"
    "\n"
    "  The two sides share no lock.\n"
    "\n"
    "  Lock M1 'table_lock' at 0x5000 taken by thread T2 'worker' at:\n"
    "    #0 main /src/a.c:40:2 (prog+0x1600)\n"
    "\n"
    "  Thread T2 'worker' (tid=125, running) created by main thread at:\n"
    "    #0 main /src/a.c:40:2 (prog+0x1600)\n"
    "\n"
    "  The stacks pass through modules not built with deadheat: libforeign.so. Their own "
    "accesses are not seen, and what orders them inside may not be.\n"
    "\n"
    "  Fingerprint: 0000000000abcdef\n"
    "\n"
    "SUMMARY: Deadheat: data race /src/a.c:10:5 in bump\n"
    "==================\n";

static void text_is_golden(void **unused) {
    struct dh_race race = sample();
    assert_string_equal(text_of(&race, DH_TEXT_PLAIN), golden);
    assert_contains(text_of(&race, DH_TEXT_COLOR), "\033[1;31mWARNING");
}

static void text_says_what_is_missing(void **unused) {
    struct dh_race race = sample();
    race.sides[1].stack = (struct dh_stack){0};
    race.sides[1].size = 0;
    race.sides[1].address = 0;
    race.sides[1].locks_known = false;
    race.sides[1].flags = DH_ACCESS_WRITE | DH_ACCESS_ATOMIC;
    race.sides[0].stack.truncated = true;
    char const *text = text_of(&race, DH_TEXT_PLAIN);
    assert_contains(text, "  Previous atomic write at 0x4018 (struct table.used) by main thread:\n"
                          "    [stack no longer on record]\n");
    assert_contains(text, "    [more frames, not on record]\n");
    assert_contains(text, "The locks held by the previous access are no longer on record.");
}

static void text_says_which_bytes(void **unused) {
    struct dh_race race = sample();
    race.address = 0x401a;
    race.bytes = 2;
    race.sides[1].address = 0x401a;
    race.sides[1].size = 2;
    assert_contains(
        text_of(&race, DH_TEXT_PLAIN),
        "The race is on 2 bytes at 0x401a: bytes 2 to 3 of the write, all of the previous read.");
    race.bytes = 1;
    assert_contains(
        text_of(&race, DH_TEXT_PLAIN),
        "The race is on 1 byte at 0x401a: byte 2 of the write, byte 0 of the previous read.");
}

static void text_of_each_memory(void **unused) {
    struct dh_race race = sample();
    race.sides[0].flags = DH_ACCESS_WRITE | DH_ACCESS_FREE;
    race.object =
        (struct dh_object){.memory = DH_MEMORY_HEAP,
                           .address = 0x4000,
                           .size = 64,
                           .freed = true,
                           .thread = {.known = true, .number = 3, .os_id = 9, .creator = 2},
                           .allocated = {frames_read, 1, false}};
    char const *text = text_of(&race, DH_TEXT_PLAIN);
    assert_contains(text, "  Free of size 4 at");
    assert_contains(text,
                    "  Location is freed heap block of size 64 at 0x4000, offset 24, allocated by "
                    "thread T3 at:\n    #0 look /src/b.c:7:9 (prog+0x1500)\n");
    assert_contains(text, "  Thread T3 (tid=9, finished) created by thread T2 at:\n");
    race.object = (struct dh_object){.memory = DH_MEMORY_STACK, .thread = {.known = true}};
    assert_contains(text_of(&race, DH_TEXT_PLAIN), "  Location is stack of main thread.\n");
    race.object.name = "x";
    race.object.function = "f";
    race.object.address = 0x4018;
    race.object.size = 4;
    assert_contains(text_of(&race, DH_TEXT_PLAIN),
                    "  Location is local variable 'x' of size 4 at 0x4018, "
                    "in function f, on the stack of main thread.\n");
    race.object =
        (struct dh_object){.memory = DH_MEMORY_TLS, .thread = {.known = true, .number = 3}};
    assert_contains(text_of(&race, DH_TEXT_PLAIN),
                    "  Location is thread-local storage of thread T3.\n");
    race.object = (struct dh_object){
        .memory = DH_MEMORY_MAPPED, .address = 0x4000, .size = 4096, .module = "/dev/shm/x"};
    assert_contains(
        text_of(&race, DH_TEXT_PLAIN),
        "  Location is mapped memory of size 4096 at 0x4000, offset 24, from /dev/shm/x.\n");
}

static void text_of_common_locks(void **unused) {
    struct dh_race race = sample();
    race.sides[1].locks = locks_write;
    race.sides[1].lock_count = 1;
    assert_contains(text_of(&race, DH_TEXT_PLAIN),
                    "  Both sides hold M1 (read, read), but only for "
                    "reading: readers do not exclude each other.\n");
    race.sides[0].lock_count = race.sides[1].lock_count = 0;
    assert_contains(text_of(&race, DH_TEXT_PLAIN), "  Neither side holds a lock.\n");
}

static void text_without_symbols(void **unused) {
    struct dh_race race = sample();
    struct dh_frame bare = {.pc = 0x401234, .module = "/bin/prog", .module_offset = 0x1234};
    race.sides[0].stack = (struct dh_stack){&bare, 1, false};
    char const *text = text_of(&race, DH_TEXT_PLAIN);
    assert_contains(text, "    #0 (prog+0x1234)\n");
    assert_contains(text, "SUMMARY: Deadheat: data race (prog+0x1234)\n");
    bare.module = 0;
    assert_contains(text_of(&race, DH_TEXT_PLAIN), "    #0 (0x401234)\n");
}

static void text_cannot_steer_the_terminal(void **unused) {
    struct dh_race race = sample();
    race.sides[0].thread.name = "a\033[2Jb\n";
    assert_contains(text_of(&race, DH_TEXT_PLAIN), "by thread T2 'a?[2Jb?'");
}

/* ---- JSON ---- */

static void assert_one_json_line(char const *text) {
    char const *end = json_value(text);
    assert_non_null(end);
    assert_string_equal(end, "\n");
}

static void json_is_complete(void **unused) {
    struct dh_race race = sample();
    char const *text = json_of(&race);
    assert_one_json_line(text);
    assert_contains(
        text, "{\"schema\":\"deadheat-race/1\",\"number\":1,\"pid\":123,"
              "\"fingerprint\":\"0000000000abcdef\",\"address\":\"0x4018\",\"bytes\":4,"
              "\"sides\":[{\"access\":\"write\",\"atomic\":false,\"free\":false,"
              "\"allocation\":false,\"address\":\"0x4018\",\"size\":4,\"field\":null,"
              "\"thread\":{\"number\":2,\"os_id\":125,\"name\":\"worker\",\"running\":true,"
              "\"creator\":0,\"created\":{\"truncated\":false,\"frames\":[{\"function\":\"main\"");
    assert_contains(text, "{\"function\":null,\"file\":null,\"line\":null,\"column\":null,"
                          "\"start_line\":null,\"module\":\"/lib/libforeign.so\","
                          "\"module_offset\":\"0x111\",\"pc\":\"0x7f0001\",\"inlined\":false,"
                          "\"instrumented\":false,\"unloaded\":false}");
    assert_contains(text, "\"foreign\":{\"frame\":"); 
    assert_contains(text, "\"locks\":[{\"number\":1,\"address\":\"0x5000\",\"mode\":\"read\","
                          "\"variable\":\"table_lock\"");
    assert_contains(text, "\"location\":{\"memory\":\"global\",\"address\":\"0x4010\",\"size\":16,"
                          "\"name\":\"table\",\"field\":null,\"file\":\"/src/a.c\",\"line\":3,");
    struct dh_race empty = {0};
    assert_one_json_line(json_of(&empty));
}

static void json_escapes(void **unused) {
    struct dh_race race = sample();
    race.object.name = "q\"b\\n\nd\x7f \xc3\xa9 \xff \xed\xa0\x80 \xf0\x9f\x98\x80 \xe2\x82";
    char const *text = json_of(&race);
    assert_one_json_line(text);
    assert_contains(text,
                    "\"name\":\"q\\\"b\\\\n\\u000ad\\u007f \xc3\xa9 \\ufffd \\ufffd\\ufffd\\ufffd "
                    "\xf0\x9f\x98\x80 \\ufffd\\ufffd\"");
}

/* ---- fingerprints ---- */

static void fingerprint_ignores_order_and_addresses(void **unused) {
    struct dh_race race = sample(), other = sample();
    uint64_t first = dh_race_fingerprint(&race);
    assert_true(first != 0);
    other.sides[0] = race.sides[1];
    other.sides[1] = race.sides[0];
    assert_true(dh_race_fingerprint(&other) == first);
    struct dh_frame moved[4];
    memcpy(moved, frames_write, sizeof moved);
    for (int i = 0; i < 4; i++) {
        moved[i].pc += 0x1000;
        moved[i].module_offset += 0x1000;
        moved[i].line += 50; /* code was added above the function */
        moved[i].start_line += 50;
        moved[i].file = "/elsewhere/a.c";
    }
    other.sides[1].stack.frames = moved;
    other.sides[1].stack.count = 2;
    other.address = other.sides[0].address = other.sides[1].address = 0x9000;
    other.object.address = 0x8ff8;
    other.pid = other.number = 77;
    other.sides[0].thread.number = 9;
    assert_true(dh_race_fingerprint(&other) == first);
}

static void fingerprint_sees_what_matters(void **unused) {
    struct dh_race race = sample();
    uint64_t all[8], count = 0;
    all[count++] = dh_race_fingerprint(&race);
    race.object.name = "other";
    all[count++] = dh_race_fingerprint(&race);
    race = sample();
    race.sides[1].flags = DH_ACCESS_ATOMIC;
    all[count++] = dh_race_fingerprint(&race);
    race = sample();
    race.sides[1].field = "struct table.free";
    all[count++] = dh_race_fingerprint(&race);
    race = sample();
    struct dh_frame frame = frames_read[0];
    race.sides[1].stack.frames = &frame;
    frame.line++;
    all[count++] = dh_race_fingerprint(&race);
    frame = (struct dh_frame){.pc = 1, .module = "/bin/prog", .module_offset = 0x1500};
    uint64_t bare = all[count++] = dh_race_fingerprint(&race);
    frame.module_offset++;
    all[count++] = dh_race_fingerprint(&race);
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t j = 0; j < i; j++)
            assert_true(all[i] != all[j]);
    frame = (struct dh_frame){.pc = 2, .module = "/moved/prog", .module_offset = 0x1500};
    assert_true(dh_race_fingerprint(&race) == bare);
}

/* ---- suppressions ---- */

static void patterns_match(void **unused) {
    static struct {
        char const *pattern, *text;
        bool match;
    } const cases[] = {
        {"foo", "foo", true},
        {"foo", "xfooy", true},
        {"foo", "fo", false},
        {"^foo", "foobar", true},
        {"^foo", "xfoo", false},
        {"foo$", "xfoo", true},
        {"foo$", "foox", false},
        {"^foo$", "foo", true},
        {"^foo$", "fooo", false},
        {"f*o", "xf123oy", true},
        {"f*o", "xf123", false},
        {"*", "", true},
        {"^*bar", "foobar", true},
        {"^a*b*c$", "aXbYbZc", true},
        {"^a*b*c$", "aXbYbZ", false},
        {"a*b*b$", "ab", false},
        {"^std::*<*>$", "std::v<int>", true},
        {"", "x", true},
        {"a**b", "ab", true},
        {"^foo*$", "foo", true},
        {"o$", "foofo", true},
        {"^fo*o$", "foofo", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (dh_suppress_match(cases[i].pattern, cases[i].text) != cases[i].match)
            fail_msg("%s on %s", cases[i].pattern, cases[i].text);
}

static bool suppressed_by(char const *file) {
    struct dh_arena arena = {0};
    char text[512];
    strcpy(text, file);
    struct dh_suppression *list;
    char const *wrong;
    assert_int_equal(dh_suppress_parse(text, &arena, &list, &wrong), 0);
    struct dh_race race = sample();
    bool found = dh_suppress_find(list, &race) != 0;
    dh_arena_free(&arena);
    return found;
}

static void suppressions_apply(void **unused) {
    assert_true(suppressed_by("race:bump"));
    assert_true(suppressed_by("# comment\n\n  race:^look$  \r\n"));
    assert_true(suppressed_by("race:src/b.c"));
    assert_true(suppressed_by("race:libforeign.so"));
    assert_true(suppressed_by("race:^table$"));
    assert_true(suppressed_by("race:^main$"));
    assert_false(suppressed_by("race_top:^main$"));
    assert_true(suppressed_by("race_top:^look$"));
    assert_false(suppressed_by("called_from_lib:prog")); /* that is about calls */
    assert_false(suppressed_by("called_from_lib:libforeign.so"));
    assert_false(suppressed_by("thread:bump\nmutex:bump\nsignal:bump\ndeadlock:bump"));
    assert_false(suppressed_by("race:nobody\n#race:bump\n"));
    assert_false(suppressed_by(""));
}

static void suppressions_that_do_not_parse(void **unused) {
    struct dh_arena arena = {0};
    struct dh_suppression *list;
    char const *wrong;
    char unknown[] = "race:x\n# c\nrase:y\n", no_colon[] = "bump", empty[] = "\nrace:  \n";
    assert_int_equal(dh_suppress_parse(unknown, &arena, &list, &wrong), 3);
    assert_null(list);
    assert_int_equal(dh_suppress_parse(no_colon, &arena, &list, &wrong), 1);
    assert_int_equal(dh_suppress_parse(empty, &arena, &list, &wrong), 2);
    capture();
    assert_null(dh_suppress_load("/nonexistent/file", &arena));
    assert_string_equal(captured_text(),
                        "deadheat: suppressions=/nonexistent/file cannot be read (no such "
                        "file or directory): nothing is suppressed\n");
    dh_arena_free(&arena);
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(text_is_golden),
        cmocka_unit_test(text_says_what_is_missing),
        cmocka_unit_test(text_says_which_bytes),
        cmocka_unit_test(text_of_each_memory),
        cmocka_unit_test(text_of_common_locks),
        cmocka_unit_test(text_without_symbols),
        cmocka_unit_test(text_cannot_steer_the_terminal),
        cmocka_unit_test(json_is_complete),
        cmocka_unit_test(json_escapes),
        cmocka_unit_test(fingerprint_ignores_order_and_addresses),
        cmocka_unit_test(fingerprint_sees_what_matters),
        cmocka_unit_test(patterns_match),
        cmocka_unit_test(suppressions_apply),
        cmocka_unit_test(suppressions_that_do_not_parse),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
