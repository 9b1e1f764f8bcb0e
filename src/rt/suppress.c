#include "rt/suppress.h"
#include "rt/errors.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

/* ---- patterns ---- */

/* Does a prefix of `text` match pattern[0..length), or all of it if `to_end`? Greedy with one way
 * back, to the last star: linear in practice, quadratic at worst. */
static bool match_here(char const *pattern, size_t length, char const *text, bool to_end) {
    size_t star = length, p = 0;
    char const *retry = text;
    for (;;) {
        if (p < length && pattern[p] == '*') {
            star = p++;
            retry = text;
        } else if (p == length && (!to_end || *text == 0)) {
            return true;
        } else if (p < length && *text && pattern[p] == *text) {
            p++, text++;
        } else if (star < length && *retry) {
            p = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
}

bool dh_suppress_match(char const *pattern, char const *text) {
    size_t length = dh_length(pattern);
    bool from_start = length > 0 && pattern[0] == '^';
    if (from_start) pattern++, length--;
    bool to_end = length > 0 && pattern[length - 1] == '$';
    if (to_end) length--;
    for (;; text++) {
        if (match_here(pattern, length, text, to_end)) return true;
        if (from_start || *text == 0) return false;
    }
}

static bool matches(char const *pattern, char const *text) {
    return text && dh_suppress_match(pattern, text);
}

/* ---- races ---- */

static bool frame_matches(char const *pattern, struct dh_frame const *frame) {
    return matches(pattern, frame->function) || matches(pattern, frame->file)
           || matches(pattern, frame->module);
}

static bool suppresses(struct dh_suppression const *s, struct dh_race const *race) {
    for (int side = 0; side < 2; side++) {
        struct dh_stack const *stack = &race->sides[side].stack;
        size_t count = s->kind == DH_SUPPRESS_RACE || stack->count == 0 ? stack->count : 1;
        for (size_t i = 0; i < count; i++)
            if (frame_matches(s->pattern, &stack->frames[i])) return true;
        if (s->kind == DH_SUPPRESS_RACE && matches(s->pattern, race->sides[side].field))
            return true;
    }
    return s->kind == DH_SUPPRESS_RACE && matches(s->pattern, race->object.name);
}

static bool about_races(struct dh_suppression const *s) {
    return s->kind == DH_SUPPRESS_RACE || s->kind == DH_SUPPRESS_TOP;
}

struct dh_suppression *dh_suppress_find(struct dh_suppression *list, struct dh_race const *race) {
    for (; list; list = list->next)
        if (about_races(list) && suppresses(list, race)) return list;
    return 0;
}

/* ---- the file ---- */

static struct {
    char const *name;
    enum dh_suppression_kind kind;
} const kinds[] = {
    {"race", DH_SUPPRESS_RACE},
    {"race_top", DH_SUPPRESS_TOP},
    {"called_from_lib", DH_SUPPRESS_LIBRARY},
    {"thread", DH_SUPPRESS_NOTHING},
    {"mutex", DH_SUPPRESS_NOTHING},
    {"signal", DH_SUPPRESS_NOTHING},
    {"deadlock", DH_SUPPRESS_NOTHING},
};

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static char const *parse_line(struct dh_suppression *s) {
    size_t length = 0;
    while (s->text[length] && s->text[length] != ':')
        length++;
    if (s->text[length] != ':') return "not of the form kind:pattern";
    s->pattern = s->text + length + 1;
    if (*s->pattern == 0) return "the pattern is empty";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (dh_length(kinds[i].name) != length || dh_compare(kinds[i].name, s->text, length) != 0)
            continue;
        s->kind = kinds[i].kind;
        return 0;
    }
    return "unknown kind; race, race_top, called_from_lib, thread, mutex, signal and deadlock are "
           "known";
}

uint32_t dh_suppress_parse(char *text, struct dh_arena *arena, struct dh_suppression **list,
                           char const **wrong) {
    struct dh_suppression **last = list;
    *list = 0;
    for (uint32_t line = 1; *text; line++) {
        while (blank(*text))
            text++;
        char *end = text;
        while (*end && *end != '\n')
            end++;
        char *next = *end ? end + 1 : end;
        while (end > text && blank(end[-1]))
            end--;
        *end = 0;
        if (*text && *text != '#') {
            struct dh_suppression *s = dh_arena_alloc(arena, sizeof *s);
            s->text = text;
            s->line = line;
            *wrong = parse_line(s);
            if (*wrong) {
                *list = 0;
                return line;
            }
            *last = s;
            last = &s->next;
        }
        text = next;
    }
    return 0;
}

/* The file's text with a zero behind it. 0 or an errno. */
static int read_file(char const *path, struct dh_arena *arena, char **text) {
    long fd = dh_syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_RDONLY | O_CLOEXEC), 0l);
    if (fd < 0) return (int)-fd;
    size_t room = 16 << 10, used = 0;
    long n;
    *text = dh_arena_alloc(arena, room);
    while ((n = dh_syscall(SYS_read, fd, *text + used, room - used - 1)) != 0) {
        if (n == -EINTR) continue;
        if (n < 0) break;
        used += (size_t)n;
        if (room - used > 1) continue;
        char *larger = dh_arena_alloc(arena, 2 * room);
        *text = dh_copy(larger, *text, used);
        room *= 2;
    }
    dh_syscall(SYS_close, fd);
    return (int)-n;
}

/* `text` is cut up. */
static struct dh_suppression *parse(char const *from, char *text, struct dh_arena *arena) {
    struct dh_suppression *list;
    char const *wrong;
    uint32_t line = dh_suppress_parse(text, arena, &list, &wrong);
    if (line)
        dh_message("%s:%u: %s: the file is not used, nothing is suppressed", from, line, wrong);
    for (struct dh_suppression *s = list; s; s = s->next)
        s->from = from;
    return list;
}

struct dh_suppression *dh_suppress_load(char const *path, struct dh_arena *arena) {
    char *text;
    int error = read_file(path, arena, &text);
    if (error) {
        dh_message("suppressions=%s cannot be read (%s): nothing is suppressed", path,
                   dh_error_text(error));
        return 0;
    }
    return parse(path, text, arena);
}

struct dh_suppression *dh_suppress_text(char const *from, char const *text,
                                        struct dh_arena *arena) {
    return parse(from, dh_arena_text(arena, text, dh_length(text)), arena);
}
