#include "driver/arguments.h"

#include "util/diag.h"
#include "util/strings.h"
#include "util/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The response files being read, innermost first. */
struct reading {
    char const *name;
    struct reading const *outer;
};

/* What the arguments of one place on the command line have in common. */
struct source {
    char const *file;
    bool opened;
};

static void push(struct dh_arguments *arguments, char const *text, struct source source) {
    if (arguments->count == arguments->capacity) {
        size_t capacity = arguments->capacity ? 2 * arguments->capacity : 64;
        void *items = reallocarray(arguments->items, capacity, sizeof *arguments->items);
        if (!items) dh_fail("out of memory");
        arguments->items = items;
        arguments->capacity = capacity;
    }
    arguments->items[arguments->count++] =
        (struct dh_argument){.text = text, .file = source.file, .opened = source.opened};
}

/* The rest of a file, null-terminated; null if it cannot be read. */
static char *contents(FILE *file) {
    size_t length = 0, capacity = 4096;
    char *text = malloc(capacity);
    while (text) {
        length += fread(text + length, 1, capacity - 1 - length, file);
        if (length < capacity - 1) break;
        capacity *= 2;
        text = realloc(text, capacity);
    }
    if (!text) dh_fail("out of memory");
    text[length] = '\0';
    return ferror(file) ? NULL : text;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Takes the next argument off the front of *text, unquoting it in place; null at the end. As in
 * LLVM's reader, a backslash escapes the next character, in quotes of both kinds too, and an empty
 * argument is none. */
static char *next_argument(char **text) {
    char *from = *text;
    for (;;) {
        while (is_space(*from))
            from++;
        if (!*from) return NULL;

        char *argument = from, *to = from;
        char quote = '\0';
        while (*from && (quote || !is_space(*from))) {
            char c = *from++;
            if (c == '\\' && *from)
                *to++ = *from++;
            else if (quote ? c == quote : c == '\'' || c == '"')
                quote = quote ? '\0' : c;
            else
                *to++ = c;
        }
        if (*from) from++; /* past the space, whose place the terminator may take */
        *to = '\0';
        *text = from;
        if (to > argument) return argument;
    }
}

static void open_argument(struct dh_arguments *arguments, char const *text, struct source source,
                          struct reading const *outer);

/* Reads the response file `name` into `arguments`; false if there is no such file to be read, which
 * leaves the argument to clang. */
static bool open_file(struct dh_arguments *arguments, char const *name, struct source source,
                      struct reading const *outer) {
    for (struct reading const *r = outer; r; r = r->outer)
        if (dh_text_equal(r->name, name)) dh_fail("response file '%s' includes itself", name);

    FILE *file = fopen(name, "re");
    if (!file) return false;
    struct stat status;
    bool readable = fstat(fileno(file), &status) == 0 && !S_ISDIR(status.st_mode);
    char *text = readable ? contents(file) : NULL;
    fclose(file);
    if (!text) return false;

    if (!S_ISREG(status.st_mode)) source.opened = true;
    char const *byte_order_mark = dh_text_after(text, "\xef\xbb\xbf");
    if (byte_order_mark) text += byte_order_mark - text;
    struct reading reading = {name, outer};
    for (char *argument; (argument = next_argument(&text));)
        open_argument(arguments, argument, source, &reading);
    return true;
}

static void open_argument(struct dh_arguments *arguments, char const *text, struct source source,
                          struct reading const *outer) {
    if (text[0] == '@' && open_file(arguments, text + 1, source, outer)) return;
    push(arguments, text, source);
}

struct dh_arguments dh_arguments_open(char *const *argv) {
    struct dh_arguments arguments = {0};
    for (; *argv; argv++) {
        char const *file = argv[0][0] == '@' ? *argv : NULL;
        open_argument(&arguments, *argv, (struct source){.file = file}, NULL);
    }
    return arguments;
}

/* One past the last argument of the file that items[i] came from. */
static size_t file_end(struct dh_arguments const *arguments, size_t i) {
    char const *file = arguments->items[i].file;
    while (i < arguments->count && arguments->items[i].file == file)
        i++;
    return i;
}

static bool file_stands(struct dh_arguments const *arguments, size_t i) {
    char const *file = arguments->items[i].file;
    while (i > 0 && arguments->items[i - 1].file == file)
        i--;
    for (size_t end = file_end(arguments, i); i < end; i++)
        if (arguments->items[i].removed || arguments->items[i].opened) return false;
    return true;
}

void dh_arguments_close(struct dh_arguments const *arguments, size_t begin, size_t end,
                        struct dh_strings *into) {
    for (size_t i = begin; i < end; i++) {
        struct dh_argument const *argument = &arguments->items[i];
        if (argument->file && file_stands(arguments, i)) {
            dh_strings_push(into, argument->file);
            i = file_end(arguments, i) - 1;
        } else if (!argument->removed) {
            dh_strings_push(into, argument->text);
        }
    }
}
