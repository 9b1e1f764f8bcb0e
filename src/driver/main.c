/* deadheat: finds the verb and lets it work. */
#include "config.h"
#include "driver/parts.h"
#include "driver/verb.h"
#include "plugin_id.h"
#include "util/diag.h"
#include "util/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct dh_verb const verbs[] = {
    {"cc", "ARGS...", "a C compiler: clang, with race checks placed in the program", dh_cc_run,
     dh_cc_help},
    {"c++", "ARGS...", "the same for C++", dh_cxx_run, dh_cc_help},
    {"replay", "[OPTION...] TRACE...", "judges a recorded execution", dh_replay_run,
     dh_replay_help},
    {"explain", "FILE[:FUNCTION]", "the source with its checks: where they are, and why there",
     dh_explain_run, dh_explain_help},
    {"pack", "FILE", NULL, dh_pack_run, dh_pack_help},
};

enum { VERBS = sizeof verbs / sizeof *verbs };

static struct dh_verb const *verb_named(char const *name) {
    for (size_t i = 0; i < VERBS; i++)
        if (dh_text_equal(name, verbs[i].name)) return &verbs[i];
    return NULL;
}

static void help(void) {
    puts("usage: deadheat VERB ARGUMENT...\n"
         "\n"
         "Finds data races in C and C++ programs.\n");
    for (size_t i = 0; i < VERBS; i++)
        if (verbs[i].purpose)
            printf("  deadheat %-8s %-21s%s\n", verbs[i].name, verbs[i].arguments,
                   verbs[i].purpose);
    puts("\n"
         "  deadheat VERB --help   more about a verb\n"
         "  deadheat --version\n"
         "  deadheat --help\n"
         "\n"
         "Build a program with `deadheat cc` in place of `cc`, then run it as usual: races are\n"
         "reported on standard error, and the exit status becomes 66. man deadheat has the rest.");
}

static void version(void) {
    printf("deadheat %s\nclang:  %s\nplugin: %s\n", DH_CONFIG_VERSION, dh_clang(), DH_PLUGIN_ID);
}

/* Output that nobody got is not success. */
static int finish(void) {
    if (fflush(stdout) != 0 || ferror(stdout)) dh_fail("cannot write: %s", strerror(errno));
    return DH_EXIT_OK;
}

static int verb_run(struct dh_verb const *verb, char **argv) {
    dh_diag_speaker(dh_text_format("deadheat %s", verb->name));
    if (argv[0] && dh_text_equal(argv[0], "--help")) {
        printf("usage: deadheat %s %s\n\n", verb->name, verb->arguments);
        verb->help(verb);
        return finish();
    }
    return verb->run(verb, argv);
}

__attribute__((noreturn)) static void unknown(char const *word) {
    static char const *const options[] = {"--help", "--version"};
    char const *nearest =
        *word == '-'
            ? dh_text_nearest(word, options, sizeof options / sizeof *options, sizeof *options)
            : dh_text_nearest(word, &verbs[0].name, VERBS, sizeof *verbs);
    char const *kind = *word == '-' ? "option" : "verb";
    if (nearest) dh_fail("unknown %s '%s'; did you mean '%s'?", kind, word, nearest);
    dh_fail("unknown %s '%s'; 'deadheat --help' lists what there is", kind, word);
}

int main(int argc, char **argv) {
    if (argc < 1) dh_fail("started without a name");

    /* For tools that want a compiler to be one word: deadheat-cc is `deadheat cc`. */
    char const *slash = strrchr(argv[0], '/');
    char const *alias = dh_text_after(slash ? slash + 1 : argv[0], "deadheat-");
    struct dh_verb const *verb = alias ? verb_named(alias) : NULL;
    if (verb) return verb_run(verb, argv + 1);

    if (argc < 2) dh_fail("no verb; 'deadheat --help' lists them");
    if (dh_text_equal(argv[1], "--help") || dh_text_equal(argv[1], "-h")) {
        help();
        return finish();
    }
    if (dh_text_equal(argv[1], "--version")) {
        version();
        return finish();
    }
    verb = verb_named(argv[1]);
    if (!verb) unknown(argv[1]);
    return verb_run(verb, argv + 2);
}
