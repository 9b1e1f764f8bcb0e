/* The runtime's way to a report: modules, symbols, variables, and src/rt/report.c itself. The rest
 * of the runtime is played by the stubs below; the library that it looks at is
 * fixtures/report_fixture.c. */
#include "report_tools.h"
#include "rt/called_from.h"
#include "rt/describe.h"
#include "rt/heap.h"
#include "rt/libraries.h"
#include "rt/options.h"
#include "rt/report.h"
#include "rt/symbols.h"
#include "rt/variables.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the rest of the runtime ---- */

struct dh_thread {
    struct dh_raw_thread raw;
};
static struct dh_thread threads[3] = {
    {{.number = 0, .os_id = 100, .running = true}},
    {{.number = 1, .os_id = 101, .name = "worker", .running = true, .created = 3}},
    {{.number = 2, .os_id = 102, .creator = 1}},
};
void dh_thread_describe(struct dh_thread const *thread, struct dh_raw_thread *to) {
    *to = thread->raw;
}
struct dh_thread *dh_thread_by_number(uint32_t number) {
    return number < 3 ? &threads[number] : 0;
}

static struct dh_thread *stack_owner;
struct dh_thread *dh_thread_of_stack(uintptr_t address) {
    return stack_owner;
}

static struct dh_block block;
bool dh_heap_find(uintptr_t address, struct dh_block *to) {
    *to = block;
    return block.address && address - block.address < block.size;
}

static uintptr_t stack_pcs[8][DH_STACK_MAX];
static uint32_t stack_counts[8];
uintptr_t const *dh_stack_pcs(dh_stack_id id, uint32_t *count) {
    *count = stack_counts[id];
    return stack_pcs[id];
}

void dh_report_prepare(void);
void dh_report_forked(void);

/* ---- modules ---- */

/* What the fixture's functions call: one entry per call. */
static struct { uintptr_t pc, caller, frame, subject; } observed[4];
static int observations;
__attribute__((noinline)) static void observe(void *subject) {
    uintptr_t frame = *(uintptr_t *)__builtin_frame_address(0);
    observed[observations].pc = (uintptr_t)__builtin_return_address(0);
    observed[observations].caller = ((uintptr_t *)frame)[1];
    observed[observations].frame = frame;
    observed[observations++].subject = (uintptr_t)subject;
}

typedef void observer(void *subject);
struct fixture {
    void *library;
    void (*inlined)(observer *, void *);
    int (*locals)(observer *), (*scopes)(observer *), (*callers_local)(observer *);
    void *(*address)(int);
};

static struct fixture fixture(char const *path) {
    struct fixture f = {.library = dlopen(path, RTLD_NOW)};
    if (!f.library) fail_msg("%s", dlerror());
    f.inlined = (void (*)(observer *, void *))dlsym(f.library, "fixture_inlined");
    f.locals = (int (*)(observer *))dlsym(f.library, "fixture_locals");
    f.scopes = (int (*)(observer *))dlsym(f.library, "fixture_scopes");
    f.callers_local = (int (*)(observer *))dlsym(f.library, "fixture_callers_local");
    f.address = (void *(*)(int))dlsym(f.library, "fixture_address");
    observations = 0;
    return f;
}

static int own_variable = 5;

static void modules_are_found(void **unused) {
    struct fixture f = fixture(FIXTURE_O2);
    f.inlined(observe, 0);
    struct dh_arena arena = {0};
    struct dh_modules modules;
    dh_modules_read(&modules, &arena);
    struct dh_module const *mine = dh_module_of(&modules, (uintptr_t)&own_variable);
    assert_non_null(mine);
    assert_ptr_equal(mine, dh_module_of(&modules, (uintptr_t)&modules_are_found));
    assert_contains(mine->path, "report_rt_test");
    assert_true(mine->instrumented); /* the runtime is in it */
    struct dh_module const *libc =
        dh_module_of(&modules, (uintptr_t)dlsym(RTLD_DEFAULT, "gnu_get_libc_version"));
    assert_non_null(libc);
    assert_contains(libc->path, "libc.so");
    assert_false(libc->instrumented);
    struct dh_module const *library = dh_module_of(&modules, observed[0].pc);
    assert_string_equal(library->path, FIXTURE_O2);
    assert_true(library->instrumented);
    assert_true(library->bias + 0x1000 <= observed[0].pc
                && library->bias < (uintptr_t)f.address(0));
    void *heap = malloc(10);
    assert_null(dh_module_of(&modules, (uintptr_t)heap));
    assert_non_null(dh_mapping_of(&modules, (uintptr_t)&modules));
    assert_null(dh_mapping_of(&modules, 16));
    free(heap);
    /* A file mapped to be read is no module. */
    int fd = open(FIXTURE_O2, O_RDONLY);
    void *map = mmap(0, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    dh_modules_read(&modules, &arena);
    assert_null(dh_module_of(&modules, (uintptr_t)map));
    munmap(map, 4096);
    dh_arena_free(&arena);
    dlclose(f.library);
}

static void calls_are_recognised(void **unused) {
    struct fixture f = fixture(FIXTURE_O2);
    f.inlined(observe, 0);
    struct dh_arena arena = {0};
    struct dh_modules modules;
    dh_modules_read(&modules, &arena);
    assert_true(dh_follows_call(&modules, observed[0].pc));
    assert_true(dh_follows_call(&modules, (uintptr_t)__builtin_return_address(0)));
    assert_false(dh_follows_call(&modules, (uintptr_t)&calls_are_recognised + 1));
    assert_false(dh_follows_call(&modules, (uintptr_t)&own_variable));
    assert_false(dh_follows_call(&modules, 8));
    dh_arena_free(&arena);
    dlclose(f.library);
}

static void unmapped_memory_is_no_fault(void **unused) {
    char to[8];
    assert_true(dh_memory_read(to, (uintptr_t)&own_variable, sizeof own_variable));
    assert_false(dh_memory_read(to, 64, 8));
}

static void fields_are_looked_up(void **unused) {
    struct fixture f = fixture(FIXTURE_O2);
    struct dh_arena arena = {0};
    struct dh_modules modules;
    dh_modules_read(&modules, &arena);
    struct dh_module const *library = dh_module_of(&modules, (uintptr_t)f.address(0));
    char const *name = dh_module_field(library, &arena, FIXTURE_SOURCE, 101, 5);
    assert_non_null(name);
    assert_string_equal(name, "struct node.next");
    assert_null(dh_module_field(library, &arena, FIXTURE_SOURCE, 101, 6));
    assert_null(dh_module_field(library, &arena, FIXTURE_SOURCE, 10, 15));
    assert_null(dh_module_field(library, &arena, "/x/other.c", 101, 5));
    assert_null(dh_module_field(library, &arena, 0, 101, 5));
    dh_arena_free(&arena);
    dlclose(f.library);
}

/* ---- symbols ---- */

static void symbols_of(char const *path) {
    struct fixture f = fixture(path);
    f.inlined(observe, 0);
    struct dh_arena arena = {0};
    struct dh_modules modules;
    dh_modules_read(&modules, &arena);
    struct dh_module const *library = dh_module_of(&modules, observed[0].pc);
    struct dh_symbol_frames code = dh_symbols_code(library, observed[0].pc - 1, &arena);
    assert_int_equal(code.count, 2);
    assert_string_equal(code.frames[0].function, "leaf");
    assert_string_equal(code.frames[0].file, FIXTURE_SOURCE);
    assert_int_equal(code.frames[0].line, 101);
    assert_int_equal(code.frames[0].column, 5);
    assert_int_equal(code.frames[0].start_line, 100);
    assert_true(code.frames[0].inlined);
    assert_string_equal(code.frames[1].function, "fixture_inlined");
    assert_int_equal(code.frames[1].line, 112);
    assert_int_equal(code.frames[1].start_line, 110);
    assert_false(code.frames[1].inlined);
    assert_true(code.entry == (uintptr_t)f.inlined);

    struct dh_symbol_variable variable;
    assert_true(dh_symbols_variable(library, (uintptr_t)f.address(0), &arena, &variable));
    assert_string_equal(variable.name, "fixture_counter");
    assert_string_equal(variable.file, FIXTURE_SOURCE);
    assert_int_equal(variable.line, 90);
    assert_int_equal(variable.size, 4);
    assert_true(dh_symbols_variable(library, (uintptr_t)f.address(1), &arena, &variable));
    assert_string_equal(variable.name, "fixture_nodes");
    assert_int_equal(variable.size, 48);
    assert_int_equal((uintptr_t)f.address(1) - variable.address, 24 + 8 + 4);
    assert_true(dh_symbols_variable(library, (uintptr_t)f.address(2), &arena, &variable));
    assert_string_equal(variable.name, "fixture_hidden");
    assert_false(dh_symbols_variable(library, library->bias + 8, &arena, &variable));

    /* No module and no file are no trouble. */
    assert_int_equal(dh_symbols_code(library, library->bias + 1, &arena).count, 0);
    struct dh_module gone = *library;
    gone.file = "/nonexistent/lib.so";
    assert_int_equal(dh_symbols_code(&gone, observed[0].pc - 1, &arena).count, 0);
    dh_arena_free(&arena);
    dlclose(f.library);
}

static void symbols_at_O0(void **unused) { symbols_of(FIXTURE_O0); }
static void symbols_at_O2(void **unused) { symbols_of(FIXTURE_O2); }

static size_t ask_once(void) {
    struct dh_arena arena = {0};
    struct dh_modules modules;
    dh_modules_read(&modules, &arena);
    uintptr_t here = (uintptr_t)&ask_once + 1;
    size_t count = dh_symbols_code(dh_module_of(&modules, here), here, &arena).count;
    dh_arena_free(&arena);
    return count;
}

static int open_files(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static int children_signalled;
static void on_child(int signal) { children_signalled++; }

static void assert_unnoticed(void) {
    int next = dup(0);
    struct sigaction action = {.sa_handler = on_child}, old;
    sigaction(SIGCHLD, &action, &old);
    assert_int_equal(ask_once(), 1);
    errno = 0;
    assert_int_equal(waitpid(-1, 0, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    int after = dup(0);
    assert_int_equal(after, next + 1);
    dh_symbols_pause();
    dh_symbols_end();
    usleep(50000);
    assert_int_equal(waitpid(-1, 0, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(children_signalled, 0);
    sigaction(SIGCHLD, &old, 0);
    close(next);
    close(after);
}

static void symbolizer_is_unnoticed(void **unused) {
    dh_symbols_end();
    int files = open_files();
    assert_unnoticed();
    assert_int_equal(open_files(), files);
}

static void symbolizer_of_a_subreaper_is_unnoticed(void **unused) {
    dh_symbols_end();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    assert_unnoticed();
    assert_unnoticed();
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static int symbolizer_socket(void) {
    for (int fd = 512; fd < 1100; fd++)
        if (fcntl(fd, F_GETFD) >= 0) return fd;
    return -1;
}

static void symbolizer_survives_the_program(void **unused) {
    assert_int_equal(ask_once(), 1);
    int fd = symbolizer_socket();
    assert_true(fd > 0);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    close(fd); /* as daemons do; and something else takes the number */
    assert_int_equal(dup2(0, fd), fd);
    assert_int_equal(ask_once(), 1);
    assert_true(fcntl(fd, F_GETFD) >= 0);
    close(fd);
    /* It has died meanwhile, as far as we can tell. */
    shutdown(symbolizer_socket(), SHUT_RDWR);
    assert_int_equal(ask_once(), 1);
    /* A child of fork has its own, and does not disturb the parent's. */
    pid_t child = fork();
    if (child == 0) _exit(ask_once() == 1 && ask_once() == 1 ? 7 : 8);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_int_equal(ask_once(), 1);
    dh_symbols_end();
}

/* Runs in a child, because a symbolizer that failed is given up for good. */
static char const *in_child(void (*body)(void)) {
    static char text[1 << 16];
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    dh_symbols_end();
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], 2);
        close(pipes[0]);
        body();
        _exit(0);
    }
    close(pipes[1]);
    size_t used = 0;
    for (ssize_t n; (n = read(pipes[0], text + used, sizeof text - used - 1)) > 0;)
        used += (size_t)n;
    text[used] = 0;
    close(pipes[0]);
    int status;
    waitpid(child, &status, 0);
    used += (size_t)snprintf(text + used, sizeof text - used, "[status %d]", WEXITSTATUS(status));
    return text;
}

static void ask_with(char const *path) {
    dh_options.external_symbolizer_path = path;
    dh_symbols_patience = 300;
    for (int i = 0; i < 5; i++)
        if (ask_once() != 0) _exit(1);
}
static void with_missing(void) { ask_with("/nonexistent/llvm-symbolizer"); }
static char silent[] = "/tmp/report_test_XXXXXX";
static void with_silent(void) { ask_with(silent); }
static void with_cat(void) { ask_with("cat"); }
static void with_false(void) { ask_with("false"); }
static void with_data(void) { ask_with("/etc/passwd"); }

static void missing_symbolizer_is_said_once(void **unused) {
    assert_string_equal(
        in_child(with_missing),
        "deadheat: external_symbolizer_path=/nonexistent/llvm-symbolizer cannot be run (no "
        "such file or directory): reports show module+offset\n[status 0]");
    int fd = mkstemp(silent);
    dprintf(fd, "#!/bin/sh\nexec sleep 5\n");
    fchmod(fd, 0700);
    close(fd);
    assert_contains(in_child(with_silent),
                    " does not answer as llvm-symbolizer does (no answer in time): reports show "
                    "module+offset\n[status 0]");
    unlink(silent);
    assert_string_equal(
        in_child(with_cat),
        "deadheat: external_symbolizer_path=cat does not answer as llvm-symbolizer does "
        "(it ended): reports show module+offset\n[status 0]");
    char const *text = in_child(with_false);
    assert_contains(text, "external_symbolizer_path=false does not answer");
    assert_int_equal(count_of(text, "deadheat:"), 1);
    text = in_child(with_data);
    assert_contains(text, "/etc/passwd cannot be run (permission denied)");
    assert_int_equal(count_of(text, "deadheat:"), 1);
}

/* ---- variables ---- */

/* Of what was observed last; for a variable on the stack, from inside the observer. */
static struct dh_object object_of_last(bool on_stack) {
    static struct dh_arena arena;
    dh_arena_free(&arena);
    struct dh_modules modules;
    dh_modules_read(&modules, &arena);
    int last = observations - 1;
    stack_counts[1] = 2;
    stack_pcs[1][0] = observed[last].pc;
    stack_pcs[1][1] = observed[last].caller;
    static struct dh_raw_race race;
    race = (struct dh_raw_race){
        .address = observed[last].subject, .bytes = 4, .frame = observed[last].frame};
    race.sides[0].stack = 1;
    race.sides[0].thread = &threads[0];
    stack_owner = on_stack ? &threads[0] : 0;
    struct dh_object object = {0};
    struct dh_owner owner;
    dh_variable_find(&race, &modules, &arena, &object, &owner);
    stack_owner = 0;
    return object;
}

static char const *expected_name, *expected_function;
__attribute__((noinline)) static void observe_local(void *subject) {
    uintptr_t frame = *(uintptr_t *)__builtin_frame_address(0);
    observed[0].pc = (uintptr_t)__builtin_return_address(0);
    observed[0].caller = ((uintptr_t *)frame)[1];
    observed[0].frame = frame;
    observed[0].subject = (uintptr_t)subject;
    observations = 1;
    struct dh_object object = object_of_last(true);
    assert_int_equal(object.memory, DH_MEMORY_STACK);
    if (!expected_name) {
        assert_null(object.name);
        return;
    }
    assert_non_null(object.name);
    assert_non_null(strstr(expected_name, object.name));
    assert_string_equal(object.function, expected_function);
    assert_string_equal(object.file, FIXTURE_SOURCE);
    assert_true(object.address <= observed[0].subject);
    assert_true(observed[0].subject < object.address + object.size);
}

static void locals_of(char const *path, bool scopes_apart) {
    struct fixture f = fixture(path);
    expected_name = "array single";
    expected_function = "fixture_locals";
    f.locals(observe_local);
    expected_name = "handed_down";
    expected_function = "fixture_callers_local";
    f.callers_local(observe_local);
    /* At -O2 the two lie in the same place, and it could be either. */
    expected_name = scopes_apart ? "first second" : 0;
    expected_function = "fixture_scopes";
    f.scopes(observe_local);
    dlclose(f.library);
}

static void locals_at_O0(void **unused) { locals_of(FIXTURE_O0, true); }
static void locals_at_O2(void **unused) { locals_of(FIXTURE_O2, false); }

static void other_memory(void **unused) {
    struct fixture f = fixture(FIXTURE_O2);
    f.inlined(observe, f.address(1));
    struct dh_object object = object_of_last(false);
    assert_int_equal(object.memory, DH_MEMORY_GLOBAL);
    assert_string_equal(object.name, "fixture_nodes");
    block =
        (struct dh_block){.address = observed[0].subject - 4, .size = 32, .thread = 1, .stack = 2};
    object = object_of_last(false);
    assert_int_equal(object.memory, DH_MEMORY_HEAP);
    assert_true(object.address == block.address);
    block = (struct dh_block){0};
    threads[0].raw.tls_low = observed[0].subject;
    threads[0].raw.tls_high = observed[0].subject + 4;
    object = object_of_last(true);
    assert_int_equal(object.memory, DH_MEMORY_TLS);
    threads[0].raw.tls_low = threads[0].raw.tls_high = 0;
    void *map = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    observed[0].subject = (uintptr_t)map;
    object = object_of_last(false);
    assert_int_equal(object.memory, DH_MEMORY_MAPPED);
    assert_null(object.module);
    munmap(map, 4096);
    dlclose(f.library);
}

/* ---- reporting ---- */

static struct dh_raw_race raw;
static struct fixture library;

/* A race on a global of the fixture, between two threads. */
__attribute__((noinline)) static void make_raw(void) {
    library = fixture(FIXTURE_O2);
    library.inlined(observe, library.address(0));
    library.locals(observe);
    stack_counts[1] = 3;
    stack_pcs[1][0] = observed[0].pc;
    stack_pcs[1][1] = observed[0].caller;
    stack_pcs[1][2] = (uintptr_t)&make_raw; /* nobody returns there */
    stack_counts[2] = 1;
    stack_pcs[2][0] = observed[1].pc;
    stack_counts[3] = 1;
    stack_pcs[3][0] = observed[0].caller;
    raw = (struct dh_raw_race){.address = observed[0].subject, .bytes = 4};
    raw.sides[0] = (struct dh_raw_side){.flags = DH_ACCESS_WRITE,
                                        .address = raw.address,
                                        .size = 4,
                                        .thread = &threads[1],
                                        .stack = 1,
                                        .locks_known = true,
                                        .lock_count = 1,
                                        .locks = {{(uintptr_t)library.address(2), 2, 0}}};
    raw.sides[1] = (struct dh_raw_side){
        .thread = &threads[2], .stack = 2, .address = raw.address, .size = 4, .locks_known = true};
}

static void swap_sides(void) {
    struct dh_raw_side side = raw.sides[0];
    raw.sides[0] = raw.sides[1];
    raw.sides[1] = side;
}

static void report_twice_and_finish(void) {
    make_raw();
    dh_options.strip_path_prefix = FIXTURE_DIRECTORY "/";
    dh_options.color = "always";
    dh_report_race(&raw);
    dh_report_race(&raw);
    swap_sides();
    dh_report_race(&raw);
    raw.sides[1].stack = 3; /* another place */
    dh_report_race(&raw);
    raw.sides[1].flags |= DH_ACCESS_ATOMIC;
    dh_options.report_atomic_races = false;
    dh_report_race(&raw);
    _exit(dh_report_finish() == 2 && dh_report_count() == 2 ? 0 : 1);
}

static void races_are_reported_once(void **unused) {
    char const *text = in_child(report_twice_and_finish);
    assert_int_equal(count_of(text, "WARNING: Deadheat: data race"), 2);
    assert_contains(text, "  Write of size 4 at 0x");
    assert_contains(text, " (struct node.next) by thread T1 'worker' (holding lock M1 (write)):");
    assert_contains(text, "    #0 leaf report_fixture.c:101:5 (");
    assert_contains(text, "    #1 fixture_inlined report_fixture.c:112:5 (");
    assert_contains(text, "    #2 make_raw ");
    assert_contains(text, "    [more frames, not on record]\n");
    assert_lacks(text, "#3");
    assert_contains(text, "Previous read of size 4");
    assert_contains(text, "global 'fixture_counter' of size 4");
    assert_contains(text, "Lock M1 'fixture_hidden' at 0x");
    assert_contains(text, "Thread T1 'worker' (tid=101, running) created by main thread at:");
    assert_contains(text, "SUMMARY: Deadheat: data race report_fixture.c:101:5 in leaf\n");
    assert_contains(text, "deadheat: 2 races reported (4 occurrences)\n[status 0]");
}

static void report_from_threads_run(void *unused) { dh_report_race(&raw); }
static void *report_in_thread(void *unused) {
    for (int i = 0; i < 100; i++)
        report_from_threads_run(0);
    return 0;
}
static void on_alarm(int signal) { dh_report_race(&raw); }
static void report_from_threads(void) {
    make_raw();
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, 0);
    ualarm(500, 500);
    pthread_t ids[8];
    for (int i = 0; i < 8; i++)
        pthread_create(&ids[i], 0, report_in_thread, 0);
    for (int i = 0; i < 8; i++)
        pthread_join(ids[i], 0);
    ualarm(0, 0);
    dh_report_finish();
}

static void threads_and_handlers_report(void **unused) {
    char const *text = in_child(report_from_threads);
    assert_int_equal(count_of(text, "WARNING: Deadheat: data race"), 1);
    char const *said = strstr(text, "deadheat: 1 race reported (");
    assert_non_null(said);
    assert_true(atoi(strchr(said, '(') + 1) >= 800);
}

static void report_in_forked(void) {
    make_raw();
    dh_report_race(&raw);
    if (fork() == 0) {
        dh_report_forked();
        dh_report_race(&raw);
        dh_report_finish();
        _exit(0);
    }
    wait(0);
    dh_report_finish();
}

static void forked_children_report_anew(void **unused) {
    char const *text = in_child(report_in_forked);
    assert_int_equal(count_of(text, "WARNING: Deadheat: data race"), 2);
    assert_int_equal(count_of(text, "deadheat: 1 race reported (1 occurrence)\n"), 2);
    assert_int_equal(
        count_of(text, "SUMMARY: Deadheat: data race " FIXTURE_SOURCE ":101:5 in leaf"), 2);
}

static void report_suppressed(void) {
    char path[] = "/tmp/report_test_XXXXXX";
    int fd = mkstemp(path);
    dprintf(fd, "# known\nrace:^fixture_counter$\n");
    close(fd);
    make_raw();
    dh_options.suppressions = path;
    dh_options.verbosity = 1;
    dh_report_prepare();
    unlink(path);
    dh_report_race(&raw);
    dh_report_race(&raw);
    _exit((int)dh_report_finish());
}

static void suppressed_races_are_counted(void **unused) {
    char const *text = in_child(report_suppressed);
    assert_lacks(text, "WARNING");
    assert_contains(text,
                    "deadheat: 0 races reported (0 occurrences); 1 suppressed (2 occurrences)\n"
                    "deadheat: 2 suppressed by /tmp/report_test_");
    assert_contains(text, ":2: race:^fixture_counter$\n[status 0]");
}

static void report_bad_suppressions(void) {
    make_raw();
    dh_options.suppressions = FIXTURE_SOURCE;
    dh_options.symbolize = false;
    dh_report_race(&raw);
}

static void bad_suppressions_are_said(void **unused) {
    char const *text = in_child(report_bad_suppressions);
    assert_contains(
        text, "deadheat: " FIXTURE_SOURCE ":1: unknown kind; race, race_top, "
              "called_from_lib, thread, mutex, signal and deadlock are known: the file is not "
              "used, nothing is suppressed\n");
    assert_contains(text, "    #0 (");
    assert_int_equal(count_of(text, "WARNING"), 1);
}

static char log_directory[64];

static void report_to_log(void) {
    make_raw();
    assert_int_equal(chdir(log_directory), 0);
    dh_options.log_path = "log";
    dh_report_prepare();
    assert_int_equal(chdir("/"), 0);
    dh_report_race(&raw);
    raw.sides[1].flags = DH_ACCESS_ATOMIC;
    dh_report_race(&raw);
    char path[128], text[1 << 15];
    snprintf(path, sizeof path, "%s/log.%d", log_directory, getpid());
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    unlink(path);
    char *second = strchr(text, '\n');
    if (!second || !json_value(text) || json_value(text) != second) _exit(1);
    if (!json_value(second + 1) || strcmp(json_value(second + 1), "\n") != 0) _exit(2);
    if (!strstr(text, "\"name\":\"fixture_counter\"") || !strstr(text, "\"number\":2")) _exit(3);
}

static void report_to_bad_log(void) {
    make_raw();
    dh_options.log_path = "/nonexistent/log";
    dh_report_race(&raw);
    raw.sides[1].flags = DH_ACCESS_ATOMIC;
    dh_report_race(&raw);
}

static void logs_are_lines_of_json(void **unused) {
    strcpy(log_directory, "/tmp/report_test_XXXXXX");
    assert_non_null(mkdtemp(log_directory));
    assert_contains(in_child(report_to_log), "[status 0]");
    rmdir(log_directory);
    char const *text = in_child(report_to_bad_log);
    assert_int_equal(count_of(text, "WARNING"), 2);
    assert_int_equal(count_of(text, "deadheat: log_path: /nonexistent/log."), 1);
    assert_contains(text,
                    " cannot be written (no such file or directory): reports go to standard error");
}

static void report_and_halt(void) {
    make_raw();
    dh_options.halt_on_error = true;
    dh_options.exitcode = 66;
    dh_report_race(&raw);
}

static void halt_on_error_halts(void **unused) {
    char const *text = in_child(report_and_halt);
    assert_contains(text, "deadheat: stopped at the first race (halt_on_error=1)\n[status 66]");
}

static void finish_nothing(void) { dh_report_finish(); }

static void no_race_no_word(void **unused) {
    assert_string_equal(in_child(finish_nothing), "[status 0]");
}

int main(void) {
    struct CMUnitTest const tests[] = {
        cmocka_unit_test(modules_are_found),
        cmocka_unit_test(calls_are_recognised),
        cmocka_unit_test(unmapped_memory_is_no_fault),
        cmocka_unit_test(fields_are_looked_up),
        cmocka_unit_test(symbols_at_O0),
        cmocka_unit_test(symbols_at_O2),
        cmocka_unit_test(symbolizer_is_unnoticed),
        cmocka_unit_test(symbolizer_of_a_subreaper_is_unnoticed),
        cmocka_unit_test(symbolizer_survives_the_program),
        cmocka_unit_test(missing_symbolizer_is_said_once),
        cmocka_unit_test(locals_at_O0),
        cmocka_unit_test(locals_at_O2),
        cmocka_unit_test(other_memory),
        cmocka_unit_test(races_are_reported_once),
        cmocka_unit_test(threads_and_handlers_report),
        cmocka_unit_test(forked_children_report_anew),
        cmocka_unit_test(suppressed_races_are_counted),
        cmocka_unit_test(bad_suppressions_are_said),
        cmocka_unit_test(logs_are_lines_of_json),
        cmocka_unit_test(halt_on_error_halts),
        cmocka_unit_test(no_race_no_word),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
struct dh_unloaded const *dh_unloaded_find(dh_stack_id stack, uintptr_t pc) {
    (void)stack, (void)pc;
    return 0;
}
bool dh_unloaded_intact(struct dh_unloaded const *gone) { return gone != 0; }
void dh_called_from_init(struct dh_suppression *list) { (void)list; }
void dh_memory_fresh(void const *p, size_t size);
void dh_memory_fresh(void const *p, size_t size) { (void)p, (void)size; }
bool dh_tape_ours(void);
bool dh_tape_ours(void) { return false; }
void dh_tape_stop(void);
void dh_tape_stop(void) {}
void dh_tape_finish(void);
void dh_tape_finish(void) {}
