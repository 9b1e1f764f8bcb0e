/* deadheat explain: the source of a file with the checks that `deadheat cc` places in it.
 *
 * The file is compiled as usual, to nowhere, by a `deadheat cc` of our own, and the plugin writes
 * down what became of each access.
 */
#include "driver/explain.h"

#include "driver/compile.h"
#include "driver/verb.h"
#include "util/diag.h"
#include "util/strings.h"
#include "util/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct options {
    char const *file, *function, *detector;
    bool json, colour;
    struct dh_strings flags; /* clang's */
};

static void option(struct options *o, char const *argument) {
    static char const *const names[] = {"--detector=", "--format=", "--color="};
    char const *value;
    if ((value = dh_text_after(argument, "--detector="))) {
        o->detector = value;
    } else if ((value = dh_text_after(argument, "--format="))) {
        o->json = dh_text_equal(value, "json");
        if (!o->json && !dh_text_equal(value, "text"))
            dh_fail("unknown format '%s'; there are text and json", value);
    } else if ((value = dh_text_after(argument, "--color="))) {
        o->colour = dh_text_equal(value, "always") || (dh_text_equal(value, "auto") && o->colour);
        if (!o->colour && !dh_text_equal(value, "never") && !dh_text_equal(value, "auto"))
            dh_fail("unknown colour '%s'; there are auto, always and never", value);
    } else {
        char const *nearest = dh_text_nearest(argument, names, 3, sizeof *names);
        if (nearest) dh_fail("unknown option '%s'; did you mean '%s'?", argument, nearest);
        dh_fail("unknown option '%s'; flags for clang go behind --", argument);
    }
}

/* FILE, or FILE:FUNCTION. A file whose own name ends like that is the file. */
static void split(struct options *o, char const *argument) {
    char *name = dh_text_format("%s", argument), *colon = strrchr(name, ':');
    if (o->file) dh_fail("one file at a time: '%s' is the second", argument);
    if (colon && access(name, F_OK) != 0) {
        *colon = '\0';
        o->function = colon + 1;
    }
    if (access(name, R_OK) != 0) dh_fail("%s: %s", name, strerror(errno));
    o->file = name;
}

static struct options options_read(char **argv) {
    struct options o = {.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR")};
    for (; *argv && !dh_text_equal(*argv, "--"); argv++) {
        if ((*argv)[0] == '-')
            option(&o, *argv);
        else
            split(&o, *argv);
    }
    if (!o.file) dh_fail("which file? deadheat explain FILE[:FUNCTION] [-- CLANG_FLAG...]");
    if (*argv)
        for (argv++; *argv; argv++)
            dh_strings_push(&o.flags, *argv);
    return o;
}

/* The user's flags come last but for the output: their -O and -std win. */
static void compile(struct options const *o, char const *notes) {
    struct dh_strings arguments = {0};
    dh_strings_push(&arguments, "-O2");
    dh_strings_push(&arguments, "-c");
    if (o->detector) dh_strings_push(&arguments, dh_text_format("--detector=%s", o->detector));
    for (size_t i = 0; i < o->flags.count; i++)
        dh_strings_push(&arguments, o->flags.items[i]);
    dh_strings_push(&arguments, "-o");
    dh_strings_push(&arguments, "/dev/null");
    dh_strings_push(&arguments, o->file);
    pid_t child = fork();
    if (child == 0) {
        bool cxx = dh_text_ends(o->file, ".cc") || dh_text_ends(o->file, ".cpp")
                   || dh_text_ends(o->file, ".cxx") || dh_text_ends(o->file, ".C");
        exit(dh_compile(cxx ? "--driver-mode=g++" : "--driver-mode=gcc", (char **)arguments.items,
                        notes));
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        dh_fail("cannot run the compiler: %s", strerror(errno));
    if (status != 0) {
        unlink(notes);
        bool said_why = WIFEXITED(status) && WEXITSTATUS(status) == DH_EXIT_TROUBLE;
        if (said_why) exit(DH_EXIT_TROUBLE);
        dh_fail("%s does not compile", o->file);
    }
}

/* Leaves only the function that was asked for. */
static void choose(struct explained *e, char const *name) {
    size_t kept = 0;
    for (size_t i = 0; i < e->count; i++)
        if (dh_text_equal(e->functions[i].name, name)) e->functions[kept++] = e->functions[i];
    if (kept == 0)
        dh_fail("%s has no code for a function '%s': it may have been inlined wherever it is used "
                "(leave ':%s' out, or try '-- -O1')",
                e->file, name, name);
    e->count = kept;
}

int dh_explain_run(struct dh_verb const *verb, char **argv) {
    (void)verb;
    struct options o = options_read(argv);
    char const *directory = getenv("TMPDIR");
    char *notes = dh_text_format("%s/deadheat-explain-XXXXXX", directory ? directory : "/tmp");
    int fd = mkstemp(notes);
    if (fd < 0) dh_fail("cannot write %s: %s", notes, strerror(errno));
    compile(&o, notes);
    FILE *in = fdopen(fd, "r");
    if (!in) dh_fail("cannot read %s: %s", notes, strerror(errno));
    unlink(notes);
    struct explained e = dh_explain_read(in);
    fclose(in);
    e.file = o.file;
    e.detector = o.detector ? o.detector : "bigfoot";
    if (o.function) choose(&e, o.function);
    if (o.json)
        dh_explain_json(&e, stdout);
    else
        dh_explain_text(&e, o.colour, stdout);
    if (fflush(stdout) != 0 || ferror(stdout)) dh_fail("cannot write: %s", strerror(errno));
    return DH_EXIT_OK;
}

void dh_explain_help(struct dh_verb const *verb) {
    (void)verb;
    puts("Shows the source of a file, function by function, with the checks that 'deadheat cc'\n"
         "places in it: where each is made and what it stands for, and why an access has none of\n"
         "its own. The file is compiled with -O2; other flags go behind --.\n"
         "\n"
         "  --detector=NAME       whose placement; 'deadheat cc --help' lists them\n"
         "  --format=text|json    the form (text)\n"
         "  --color=auto|always|never\n"
         "\n"
         "  deadheat explain sor.c:relax\n"
         "  deadheat explain --format=json net.c -- -Iinclude -DDEBUG");
}
