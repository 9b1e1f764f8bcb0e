/* Reading a clang command line.
 *
 * clang decides by its option table what each argument is, and then which phases run: the last one
 * is linking, unless an option stops it earlier or nothing is there to be linked. Two tables say
 * here what matters of that: separate.def, which options swallow the argument after them, and
 * `meanings`, which options change our mind. Everything else is clang's business and passes by
 * unread.
 */
#include "driver/command.h"

#include "driver/arguments.h"
#include "util/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum meaning {
    NOTHING,  /* to us */
    QUERY,    /* clang answers and does nothing else */
    STOP,     /* the phases end before the linker */
    SHARED,   /* what is linked is a shared library */
    PARTIAL,  /* what is linked is an object file */
    STATIC,   /* no dynamic C library */
    TARGET,   /* value: a target triple */
    FOREIGN,  /* an x86 that is not x86-64 */
    NATIVE,   /* takes FOREIGN back */
    LANGUAGE, /* value: language of the inputs that follow */
    STANDARD, /* value: version of the language */
    SANITIZE, /* value: list of sanitizers */
    DESANITIZE,
    IGNORE_LIST, /* value: file of what not to check */
    IGNORE_NOTHING,
    LTO,
    NO_LTO,
    LINKER,      /* which linker */
    LINKER_ARGS, /* value: arguments for the linker, split by commas */
    LINKER_ARG,  /* value: one argument for the linker */
    LINKER_Z,    /* value: keyword of the linker's -z */
    /* ours, which clang does not get to see: */
    DETECTOR, /* value: its name */
    SHARED_RUNTIME,
    AUDIT,
};

/* A name that ends in '=' or ',' has its value joined to it; one in separate.def has it in the next
 * argument or, if it is a single letter, joined to it. */
static struct {
    char const *name;
    enum meaning meaning;
} const meanings[] = {
    // clang-format off
    {"--autocomplete=", QUERY},
    {"--help", QUERY},
    {"--help-hidden", QUERY},
    {"--print-diagnostic-categories", QUERY},
    {"--print-file-name", QUERY},
    {"--print-prog-name", QUERY},
    {"--target-help", QUERY},
    {"--version", QUERY},
    {"-dumpmachine", QUERY},
    {"-dumpspecs", QUERY},
    {"-dumpversion", QUERY},
    {"-help", QUERY},
    {"-print-diagnostic-options", QUERY},
    {"-print-effective-triple", QUERY},
    {"-print-enabled-extensions", QUERY},
    {"-print-file-name=", QUERY},
    {"-print-libgcc-file-name", QUERY},
    {"-print-library-module-manifest-path", QUERY},
    {"-print-multi-directory", QUERY},
    {"-print-multi-flags-experimental", QUERY},
    {"-print-multi-lib", QUERY},
    {"-print-multi-os-directory", QUERY},
    {"-print-multiarch", QUERY},
    {"-print-prog-name=", QUERY},
    {"-print-resource-dir", QUERY},
    {"-print-rocm-search-dirs", QUERY},
    {"-print-runtime-dir", QUERY},
    {"-print-search-dirs", QUERY},
    {"-print-supported-cpus", QUERY},
    {"-print-supported-extensions", QUERY},
    {"-print-target-triple", QUERY},
    {"-print-targets", QUERY},

    {"-c", STOP}, {"--compile", STOP},
    {"-S", STOP}, {"--assemble", STOP},
    {"-E", STOP}, {"--preprocess", STOP},
    {"-M", STOP}, {"--dependencies", STOP},
    {"-MM", STOP}, {"--user-dependencies", STOP},
    {"-fsyntax-only", STOP},
    {"-emit-ast", STOP},
    {"-emit-interface-stubs", STOP},
    {"-extract-api", STOP},
    {"-fmodule-header", STOP},
    {"-fmodule-header=", STOP},
    {"-module-file-info", STOP},
    {"-rewrite-legacy-objc", STOP},
    {"-rewrite-objc", STOP},
    {"-verify-pch", STOP},
    {"--analyze", STOP},
    {"--emit-static-lib", STOP},
    {"--precompile", STOP},

    {"-shared", SHARED}, {"--shared", SHARED},
    {"-r", PARTIAL},
    {"-static", STATIC}, {"--static", STATIC}, {"-static-pie", STATIC},

    {"-target", TARGET}, {"--target=", TARGET},
    {"-m16", FOREIGN}, {"-m32", FOREIGN}, {"-mx32", FOREIGN}, {"-miamcu", FOREIGN},
    {"-m64", NATIVE},

    {"-x", LANGUAGE}, {"--language", LANGUAGE}, {"--language=", LANGUAGE},
    {"-std=", STANDARD}, {"--std", STANDARD}, {"--std=", STANDARD},
    {"-fsanitize=", SANITIZE},
    {"-fno-sanitize=", DESANITIZE},
    {"-fsanitize-ignorelist=", IGNORE_LIST}, {"-fsanitize-blacklist=", IGNORE_LIST},
    {"-fno-sanitize-ignorelist", IGNORE_NOTHING}, {"-fno-sanitize-blacklist", IGNORE_NOTHING},

    {"-flto", LTO}, {"-flto=", LTO}, {"-fno-lto", NO_LTO},
    {"-fuse-ld=", LINKER}, {"--ld-path=", LINKER},
    {"-Wl,", LINKER_ARGS},
    {"-Xlinker", LINKER_ARG}, {"--for-linker", LINKER_ARG}, {"--for-linker=", LINKER_ARG},
    {"-z", LINKER_Z},

    {"--detector=", DETECTOR},
    {"-shared-libdeadheat", SHARED_RUNTIME},
    {"--audit", AUDIT},
    // clang-format on
};

enum { MEANINGS = sizeof meanings / sizeof *meanings };

static struct separate {
    char const *name;
    size_t values;
} const separates[] = {
#define DH_SEPARATE(name, values) {name, values},
#include "driver/separate.def"
#undef DH_SEPARATE
};

/* Sanitizers with a runtime of their own that claims the address space, the allocator or the thread
 * functions. Those that only add checks and traps (undefined, integer, cfi, ...) are not among
 * them. */
static char const *const rivals[] = {
    "address",   "dataflow", "hwaddress",  "kernel-address", "kernel-hwaddress", "kernel-memory",
    "leak",      "memory",   "memtag",     "memtag-globals", "memtag-heap",      "memtag-stack",
    "numerical", "realtime", "safe-stack", "scudo",          "thread",           "type",
};

enum { RIVALS = sizeof rivals / sizeof *rivals };
_Static_assert(RIVALS <= 32, "struct reader keeps a bit for each");

/* The state of reading from left to right, beside what it finds. */
struct reader {
    struct dh_command found;
    bool stops;           /* before the linker */
    bool has_input;       /* something that becomes part of what is linked */
    char const *language; /* of -x; null: by the file's name */
    uint32_t rivals;      /* bit i: rivals[i] is switched on */
    char const *triple;   /* the foreign target in force, and the foreign width */
    char const *width;
    bool linker_keyword_next; /* the linker's last argument was -z */
    bool thin;                /* link-time optimisation is that of single modules */
    bool foreign_linker;      /* it is not lld */
};

/* An option of the command line in parts. */
struct option {
    char const *text;
    char const *value; /* "" if there is none */
    enum meaning meaning;
    size_t following; /* arguments after it that belong to it */
};

static int separate_compare(void const *key, void const *element) {
    return strcmp(key, ((struct separate const *)element)->name);
}

static size_t values_after(char const *text) {
    struct separate const *s = bsearch(text, separates, sizeof separates / sizeof *separates,
                                       sizeof *separates, separate_compare);
    if (s) return s->values;
    return dh_text_after(text, "-Xarch_") || dh_text_after(text, "-Xopenmp-target=");
}

static struct option option_read(struct dh_arguments const *arguments, size_t i) {
    char const *text = arguments->items[i].text;
    size_t left = arguments->count - i - 1, wanted = values_after(text);
    struct option option = {.text = text, .value = "", .following = wanted < left ? wanted : left};

    for (size_t m = 0; m < MEANINGS && option.meaning == NOTHING; m++) {
        char const *name = meanings[m].name;
        char const *rest = dh_text_after(text, name);
        if (!rest) continue;
        char last = name[strlen(name) - 1];
        bool joins = last == '=' || last == ',' || (strlen(name) == 2 && values_after(name));
        if (*rest && !joins) continue;
        option.meaning = meanings[m].meaning;
        if (*rest || !option.following)
            option.value = rest;
        else
            option.value = arguments->items[i + 1].text;
    }
    return option;
}

/* The runtime stands on glibc. */
static bool triple_served(char const *triple) {
    return dh_text_after(triple, "x86_64-") && strstr(triple, "linux") && !strstr(triple, "musl")
           && !strstr(triple, "android") && !strstr(triple, "x32");
}

/* C++98 to C++17, as clang spells them after "c++" or "gnu++". */
static bool cxx20_or_later(char const *standard) {
    static char const *const earlier[] = {"98", "03", "0x", "11", "1y", "14", "1z", "17"};
    char const *version = dh_text_after(standard, "c++");
    if (!version) version = dh_text_after(standard, "gnu++");
    if (!version) return false;
    for (size_t i = 0; i < sizeof earlier / sizeof *earlier; i++)
        if (dh_text_equal(version, earlier[i])) return false;
    return true;
}

/* The bits of the rivals in a comma-separated list. */
static uint32_t rivals_in(char const *list) {
    uint32_t bits = 0;
    while (*list) {
        size_t length = strcspn(list, ",");
        if (length == 3 && memcmp(list, "all", 3) == 0) bits = UINT32_MAX;
        for (size_t i = 0; i < RIVALS; i++)
            if (strlen(rivals[i]) == length && memcmp(list, rivals[i], length) == 0)
                bits |= UINT32_C(1) << i;
        list += length + (list[length] == ',');
    }
    return bits;
}

/* Is what we do among what a list of sanitizers names? */
static bool names_threads(char const *list) {
    uint32_t bits = rivals_in(list);
    for (size_t i = 0; i < RIVALS; i++)
        if (dh_text_equal(rivals[i], "thread")) return bits >> i & 1;
    return false;
}

/* One argument that the linker itself gets. */
static void linker_argument(struct reader *r, char const *text) {
    struct dh_command *found = &r->found;
    char const *keyword = r->linker_keyword_next ? text : dh_text_after(text, "-z");
    r->linker_keyword_next = false;
    if (keyword) {
        if (!*keyword) r->linker_keyword_next = true;
        if (dh_text_equal(keyword, "defs")) found->defines_demanded = true;
        if (dh_text_equal(keyword, "undefs")) found->defines_demanded = false;
        return;
    }
    if (*text == '-' && dh_text_ends(text, "-no-undefined")) found->defines_demanded = true;
    if (dh_text_equal(text, "-shared") || dh_text_equal(text, "-Bshareable"))
        found->output = DH_OUTPUT_SHARED;
    if (dh_text_equal(text, "-r") || dh_text_equal(text, "-i")
        || dh_text_equal(text, "--relocatable"))
        found->output = DH_OUTPUT_RELOCATABLE;
}

static void linker_arguments(struct reader *r, char const *list) {
    char *rest = dh_text_format("%s", list);
    for (char *text; (text = strsep(&rest, ","));)
        linker_argument(r, text);
}

/* Slips in our own options would get clang's advice, which does not know them. */
static void misspelling_apply(struct reader *r, char const *text) {
    static struct {
        char const *name, *usage;
    } const ours[] = {
        {"--detector", "--detector=NAME"},
        {"-shared-libdeadheat", "-shared-libdeadheat"},
        {"--audit", "--audit"},
    };
    char *name = dh_text_format("%.*s", (int)strcspn(text, "="), text);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (dh_text_distance(name, ours[i].name) > 2) continue;
        r->found.misspelt = text;
        r->found.meant = ours[i].usage;
    }
}

static void option_apply(struct reader *r, struct option const *option) {
    struct dh_command *found = &r->found;
    char const *value = option->value;
    switch (option->meaning) {
    case NOTHING: misspelling_apply(r, option->text); break;
    case QUERY: found->query = true; break;
    case STOP: r->stops = true; break;
    case SHARED: found->output = DH_OUTPUT_SHARED; break;
    case PARTIAL: found->output = DH_OUTPUT_RELOCATABLE; break;
    case STATIC: found->static_option = option->text; break;
    case TARGET: r->triple = triple_served(value) ? NULL : value; break;
    case FOREIGN: r->width = option->text; break;
    case NATIVE: r->width = NULL; break;
    case LANGUAGE: r->language = dh_text_equal(value, "none") ? NULL : value; break;
    case STANDARD: found->cxx20 = cxx20_or_later(value); break;
    case SANITIZE: r->rivals |= rivals_in(value); break;
    case DESANITIZE:
        r->rivals &= ~rivals_in(value);
        found->unchecked |= names_threads(value);
        break;
    case IGNORE_LIST: dh_strings_push(&found->ignore_lists, value); break;
    case IGNORE_NOTHING: found->ignore_lists.count = 0; break;
    case LTO:
        found->lto = true;
        r->thin = dh_text_equal(value, "thin");
        break;
    case NO_LTO: found->lto = false; break;
    case LINKER:
        found->linker_chosen = true;
        r->foreign_linker = !dh_text_ends(value, "lld");
        break;
    case LINKER_ARGS: linker_arguments(r, value); break;
    case LINKER_ARG: linker_argument(r, value); break;
    case LINKER_Z:
        linker_argument(r, "-z");
        linker_argument(r, value);
        break;
    case DETECTOR: found->detector = value; break;
    case SHARED_RUNTIME: found->shared_runtime = true; break;
    case AUDIT: found->audit = true; break;
    }
}

/* A header alone is compiled to a precompiled header, which is not linked. */
static bool is_header(struct reader const *r, char const *name) {
    if (r->language) return dh_text_ends(r->language, "-header");
    static char const *const suffixes[] = {".h", ".H", ".hh", ".hpp", ".hxx"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (dh_text_ends(name, suffixes[i])) return true;
    return false;
}

static void input_apply(struct reader *r, char const *name) {
    if (!is_header(r, name)) r->has_input = true;
}

struct dh_command dh_command_read(struct dh_arguments *arguments) {
    struct reader r = {.found.options_end = arguments->count};
    size_t i = 0;
    for (; i < arguments->count; i++) {
        struct dh_argument *argument = &arguments->items[i];
        char const *text = argument->text;
        if (dh_text_equal(text, "--")) {
            r.found.options_end = i;
            argument->opened = true;
            break;
        }
        if (text[0] != '-' || text[1] == '\0') {
            input_apply(&r, text);
            continue;
        }
        struct option option = option_read(arguments, i);
        option_apply(&r, &option);
        argument->removed = option.meaning >= DETECTOR;
        i += option.following;
    }
    for (i++; i < arguments->count; i++)
        input_apply(&r, arguments->items[i].text);

    r.found.links = r.has_input && !r.stops && !r.found.query;
    r.found.target = r.triple ? r.triple : r.width;
    r.found.whole_program = r.found.lto && !r.thin && !r.foreign_linker;
    for (size_t s = 0; s < RIVALS && !r.found.sanitizer; s++)
        if (r.rivals >> s & 1) r.found.sanitizer = rivals[s];
    return r.found;
}
