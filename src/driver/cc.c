/* deadheat cc, deadheat c++: clang, with our plugin inside and our runtime in what it links.
 *
 * The command line passes through as it came. Before it go the options that compile with checks and
 * link the runtime, so that the user's, coming later, win. They are marked as "no warning if
 * unused", so that one list serves compiling, assembling, preprocessing and linking. Then this
 * process becomes clang: its exit status, signals and terminal are clang's own.
 */
#include "driver/arguments.h"
#include "driver/command.h"
#include "driver/compile.h"
#include "driver/parts.h"
#include "driver/verb.h"
#include "util/diag.h"
#include "util/strings.h"
#include "util/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Each detector is a way to place checks and a way to keep what they record. */
static struct detector {
    char const *name;
    char const *purpose;
} const detectors[] = {
    {"fasttrack", "a check at every access"},
    {"redcard", "no check that another one makes redundant"},
    {"slimstate", "a check at every access, those of neighbours made as one"},
    {"slimcard", "no redundant check, those of neighbours made as one"},
    {"bigfoot", "no redundant check; checks leave counted loops (the default)"},
};

enum { DETECTORS = sizeof detectors / sizeof *detectors };

/* Options of clang's driver. Sibling calls stay optimised: without, a deep tail recursion would
 * overflow the stack of a program that is correct. */
static char const *const driver_options[] = {
    "-g",                           /* reports name lines, variables and fields */
    "-fno-omit-frame-pointer",      /* stacks are walked by frame pointers, */
    "-mno-omit-leaf-frame-pointer", /* from the leaf on */
    "-fno-finite-loops",            /* no loop vanishes because it "must" end */
    "-fprofile-update=atomic",      /* counters of coverage and profiles do not race */
    "-D__DEADHEAT__=1",             /* for the program's own #ifdef */
};

/* Options of clang's compiler proper (-Xclang): the driver, which would link ThreadSanitizer, and
 * the assembler and linker must not see them.
 *
 * -fsanitize=thread marks functions from the start of the pipeline, so that no access is invented
 * by speculation; makes no_sanitize("thread") visible; and answers __has_feature(thread_sanitizer).
 */
static char const *const compiler_options[] = {
    "-fsanitize=thread",
};

/* The linker's optimiser does these, once checks are placed. */
static char const *const put_off_options[] = {
    "-fno-vectorize",
    "-fno-slp-vectorize",
};

static void push_with(struct dh_strings *into, char const *carrier, char const *option) {
    dh_strings_push(into, carrier);
    dh_strings_push(into, option);
}

static void push_compiler(struct dh_strings *into, char const *option) {
    push_with(into, "-Xclang", option);
}

/* -Xlinker, because a path may hold a comma, and what it carries is no input in the sense of -x. */
static void push_linker(struct dh_strings *into, char const *option) {
    push_with(into, "-Xlinker", option);
}

/* Checks are placed when the program is linked. What is explained is a file by itself. */
static bool puts_off(struct dh_command const *command) {
    return command->whole_program && !command->notes;
}

/* Options that the plugin defines. They exist once it is loaded, and -fpass-plugin loads it too
 * late. */
static void push_plugin_options(struct dh_strings *into, struct dh_command const *command,
                                char const *plugin) {
    struct dh_strings options = {0};
    if (command->detector)
        dh_strings_push(&options, dh_text_format("-deadheat-detector=%s", command->detector));
    if (command->cxx20) dh_strings_push(&options, "-deadheat-cxx20");
    if (command->audit) dh_strings_push(&options, "-deadheat-audit");
    if (puts_off(command)) dh_strings_push(&options, "-deadheat-put-off");
    if (command->notes)
        dh_strings_push(&options, dh_text_format("-deadheat-explain=%s", command->notes));
    if (options.count == 0) return;
    push_compiler(into, "-load");
    push_compiler(into, plugin);
    for (size_t i = 0; i < options.count; i++) {
        push_compiler(into, "-mllvm");
        push_compiler(into, options.items[i]);
    }
}

static void push_compile_options(struct dh_strings *into, struct dh_command const *command) {
    for (size_t i = 0; i < sizeof driver_options / sizeof *driver_options; i++)
        dh_strings_push(into, driver_options[i]);
    /* After the user's and the system's directories: <prefix>/include may be one of those, and
     * their order matters to #include_next. */
    push_with(into, "-idirafter", dh_part(DH_PART_INCLUDE));
    if (command->unchecked) return;
    for (size_t i = 0; i < sizeof compiler_options / sizeof *compiler_options; i++)
        push_compiler(into, compiler_options[i]);
    /* clang's driver passes these on only with sanitizers that it knows of. */
    for (size_t i = 0; i < command->ignore_lists.count; i++)
        push_compiler(into,
                      dh_text_format("-fsanitize-ignorelist=%s", command->ignore_lists.items[i]));

    char const *plugin = dh_part(DH_PART_PLUGIN);
    push_plugin_options(into, command, plugin);
    push_compiler(into, dh_text_format("-fpass-plugin=%s", plugin));
    if (!puts_off(command)) return;
    for (size_t i = 0; i < sizeof put_off_options / sizeof *put_off_options; i++)
        dh_strings_push(into, put_off_options[i]);
}

/* The runtime comes before the user's objects and libraries, so that a static library's malloc,
 * say, is not taken in place of ours. Shared libraries leave the runtime's symbols open: the
 * executable has them. */
static void push_link_options(struct dh_strings *into, struct dh_command const *command) {
    if (!command->links) return;
    if (command->lto && !command->linker_chosen) dh_strings_push(into, "-fuse-ld=lld");
    if (command->whole_program)
        push_linker(into, dh_text_format("--load-pass-plugin=%s", dh_part(DH_PART_PLUGIN)));
    if (command->output == DH_OUTPUT_RELOCATABLE) return;

    if (command->shared_runtime) {
        char const *library = dh_part(DH_PART_SHARED_RUNTIME);
        push_linker(into, "--push-state");
        push_linker(into, "--no-as-needed");
        push_linker(into, library);
        push_linker(into, "--pop-state");
        push_linker(into, "-rpath");
        push_linker(into, dh_part(DH_PART_LIBRARIES));
    } else if (command->output == DH_OUTPUT_EXECUTABLE) {
        push_linker(into, "--whole-archive");
        push_linker(into, dh_part(DH_PART_RUNTIME));
        push_linker(into, "--no-whole-archive");
        push_linker(into, dh_text_format("--dynamic-list=%s", dh_part(DH_PART_RUNTIME_SYMBOLS)));
    }
}

/* A shared library that may have no undefined symbol cannot leave the runtime's open. The
 * option is there to check the user's own symbols, which the plain build does; here it is undone.
 */
static void push_final_link_options(struct dh_strings *into, struct dh_command const *command) {
    bool opens = command->links && command->output == DH_OUTPUT_SHARED && !command->shared_runtime;
    if (!opens || !command->defines_demanded) return;
    push_linker(into, "-z");
    push_linker(into, "undefs");
}

static void refuse_misspelt(struct dh_command const *command) {
    if (!command->misspelt) return;
    dh_fail("unknown option '%s'; did you mean '%s'? ('deadheat cc --help' lists deadheat's own)",
            command->misspelt, command->meant);
}

static void refuse_detector(char const *name) {
    if (!name) return;
    for (size_t i = 0; i < DETECTORS; i++)
        if (dh_text_equal(name, detectors[i].name)) return;
    char const *nearest = dh_text_nearest(name, &detectors[0].name, DETECTORS, sizeof *detectors);
    if (nearest) dh_fail("unknown detector '%s'; did you mean '--detector=%s'?", name, nearest);
    dh_fail("unknown detector '%s'; 'deadheat cc --help' lists them", name);
}

static void refuse_sanitizer(char const *name) {
    if (!name) return;
    if (dh_text_equal(name, "thread"))
        dh_fail("'-fsanitize=thread' is ThreadSanitizer, whose work deadheat does: leave it out");
    dh_fail("'-fsanitize=%s' cannot be combined with deadheat: each needs the program's memory or "
            "threads for itself; build twice (-fsanitize=undefined can be combined)",
            name);
}

static void refuse_target(char const *target) {
    if (target)
        dh_fail("target '%s' is not supported: deadheat is for x86-64 Linux with glibc", target);
}

static void refuse_static(struct dh_command const *command) {
    bool executable = command->links && command->output == DH_OUTPUT_EXECUTABLE;
    if (!executable || !command->static_option) return;
    dh_fail("'%s' is not supported: the runtime intercepts calls to the C library, which must be "
            "linked dynamically for that; leave '%s' out",
            command->static_option, command->static_option);
}

static void refuse(struct dh_command const *command) {
    refuse_misspelt(command);
    refuse_detector(command->detector);
    refuse_sanitizer(command->sanitizer);
    refuse_target(command->target);
    refuse_static(command);
}

static int become(struct dh_strings const *argv) {
    char const *clang = argv->items[0];
    execvp(clang, (char *const *)argv->items);
    char const *advice = errno == E2BIG ? "use a response file: @FILE"
                                        : "install clang-19, or set DEADHEAT_CLANG to where it is";
    dh_fail("cannot run %s: %s (%s)", clang, strerror(errno), advice);
}

int dh_compile(char const *mode, char **argv, char const *notes) {
    struct dh_strings out = {0};
    dh_strings_push(&out, dh_clang());

    /* clang's inner tools are asked for by the first argument: nothing may go before it. */
    if (argv[0] && dh_text_after(argv[0], "-cc1")) {
        for (; *argv; argv++)
            dh_strings_push(&out, *argv);
        return become(&out);
    }

    struct dh_arguments arguments = dh_arguments_open(argv);
    struct dh_command command = dh_command_read(&arguments);
    command.notes = notes;
    dh_strings_push(&out, mode);
    if (!command.query) {
        refuse(&command);
        dh_strings_push(&out, "--start-no-unused-arguments");
        push_compile_options(&out, &command);
        push_link_options(&out, &command);
        dh_strings_push(&out, "--end-no-unused-arguments");
    }
    dh_arguments_close(&arguments, 0, command.options_end, &out);
    push_final_link_options(&out, &command);
    dh_arguments_close(&arguments, command.options_end, arguments.count, &out);
    return become(&out);
}

int dh_cc_run(struct dh_verb const *verb, char **argv) {
    (void)verb;
    return dh_compile("--driver-mode=gcc", argv, NULL);
}

int dh_cxx_run(struct dh_verb const *verb, char **argv) {
    (void)verb;
    return dh_compile("--driver-mode=g++", argv, NULL);
}

void dh_cc_help(struct dh_verb const *verb) {
    printf("Runs clang, with race checks in what it compiles and the runtime in what it links.\n"
           "All of clang's arguments work, and have the last word. Deadheat's own:\n"
           "\n"
           "  --detector=NAME       how checks are placed and what they record is kept:\n");
    for (size_t i = 0; i < DETECTORS; i++)
        printf("      %-18s%s\n", detectors[i].name, detectors[i].purpose);
    printf("  -shared-libdeadheat   the runtime as a shared library: for a plugin that is loaded\n"
           "                        by a program built without deadheat\n"
           "  --audit               have every access and every check recorded, with\n"
           "                        DEADHEAT_OPTIONS=record=FILE, for 'deadheat replay --audit'\n"
           "  --help                this text (`deadheat %s -help` is clang's)\n"
           "\n"
           "  CC=\"deadheat cc\" CXX=\"deadheat c++\" ./configure\n"
           "  cmake -DCMAKE_C_COMPILER=deadheat-cc -DCMAKE_CXX_COMPILER=deadheat-c++\n"
           "\n"
           "DEADHEAT_CLANG in the environment names another clang 19 to run. It is now %s\n"
           "DEADHEAT_OPTIONS is read by the program when it runs, as name=value:name=value:\n",
           verb->name, dh_clang());
#define DH_OPTION(name, kind, initial, help) printf("  %-30s%s\n", #name, help);
#include "rt/options.def"
#undef DH_OPTION
    puts("man deadheat has the rest.");
}
