/* The source, function by function, with remarks below each line: where checks are made, what each
 * stands for, and why an access has none of its own. */
#include "driver/explain.h"

#include "util/diag.h"
#include "util/text.h"

#include <stdlib.h>
#include <string.h>

enum style { STYLE_PLAIN, STYLE_HEADING, STYLE_CHECK, STYLE_COVERED, STYLE_EXEMPT };

struct remark {
    struct explain_place place;
    enum style style;
    char const *text;
    size_t order; /* of its making, for those at one place */
};

struct printer {
    FILE *out;
    bool colour;
    struct explained const *all;
    struct explain_function const *function;
    struct remark *remarks;
    size_t count, room;
    struct source {
        char const *path; /* null: none read yet */
        char **lines;
        size_t count;
    } source;
};

/* ---- sources ---- */

/* The lines of a file; none if it cannot be read: the remarks are worth reading without. */
static struct source source_read(char const *path) {
    struct source s = {.path = path};
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    FILE *in = fopen(path, "r");
    if (!in) return s;
    while ((length = getline(&line, &room, in)) >= 0) {
        s.lines = realloc(s.lines, (s.count + 1) * sizeof *s.lines);
        if (!s.lines) dh_fail("out of memory");
        if (length > 0 && line[length - 1] == '\n') line[length - 1] = '\0';
        s.lines[s.count++] = dh_text_format("%s", line);
    }
    free(line);
    fclose(in);
    return s;
}

static struct source const *source_of(struct printer *p, char const *path) {
    if (!p->source.path || !dh_text_equal(p->source.path, path)) p->source = source_read(path);
    return &p->source;
}

static char const *source_line(struct printer *p, char const *path, uint64_t line) {
    struct source const *s = source_of(p, path);
    return line >= 1 && line <= s->count ? s->lines[line - 1] : "";
}

static int blanks_before(char const *line) { return (int)strspn(line, " \t"); }

/* ---- remarks ---- */

static bool same_file(struct explain_place const *a, struct explain_place const *b) {
    return a->file == b->file || (a->file && b->file && dh_text_equal(a->file, b->file));
}

static void remark(struct printer *p, struct explain_place place, enum style style, char *text) {
    if (p->count == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->remarks = realloc(p->remarks, p->room * sizeof *p->remarks);
        if (!p->remarks) dh_fail("out of memory");
    }
    p->remarks[p->count] = (struct remark){place, style, text, p->count};
    p->count++;
}

static char *what(char const *kind, uint64_t bytes) {
    if (dh_text_equal(kind, "fence")) return dh_text_format("fence");
    if (bytes == 0) return dh_text_format("%s", kind);
    return dh_text_format("%s of %llu byte%s", kind, (unsigned long long)bytes, &"s"[bytes == 1]);
}

/* "line 7", or with its file where that is another than the reader's. */
static char *line_name(struct explain_place const *from, struct explain_place const *to) {
    if (to->line == 0) return dh_text_format("a line that the compiler forgot");
    if (same_file(from, to)) return dh_text_format("line %llu", (unsigned long long)to->line);
    return dh_text_format("%s:%llu", to->file, (unsigned long long)to->line);
}

/* The lines of all accesses that the check stands for, beyond the one that it is at. */
static char *stands_for(struct explain_function const *f, uint64_t number) {
    struct explain_check const *c = &f->checks[number];
    char *lines = dh_text_format("%s", "");
    for (size_t i = 0; i < f->access_count; i++) {
        struct explain_access const *a = &f->accesses[i];
        if (a->check != number) continue;
        if (a->place.line == c->place.line && same_file(&a->place, &c->place)) continue;
        char *name = line_name(&c->place, &a->place);
        if (strstr(lines, name)) continue;
        lines = dh_text_format("%s%s%s", lines, *lines ? ", " : ": for ", name);
    }
    return lines;
}

static char *some_rounds(int64_t only) {
    char const *which = only < 0 ? "first" : "last";
    uint64_t count = only < 0 ? 0 - (uint64_t)only : (uint64_t)only;
    return count == 1 ? dh_text_format("%s", which)
                      : dh_text_format("%s %llu", which, (unsigned long long)count);
}

/* Where a check is that stands for rounds of a loop. */
static char const *beside(struct explain_check const *c) {
    return dh_text_equal(c->form, "after-loop") ? "behind" : "before";
}

static char *check_text(struct explain_function const *f, uint64_t number) {
    struct explain_check const *c = &f->checks[number];
    char *accessed = what(c->kind, c->bytes), *lines = stands_for(f, number);
    if (dh_text_equal(c->form, "here")) return dh_text_format("check: %s%s", accessed, lines);
    char *check = dh_text_format("check %s the loop: %s", beside(c), accessed);
    char *rounds = dh_text_format("");
    if (c->more > 0) rounds = dh_text_format(", and %llu more", (unsigned long long)c->more);
    if (c->stride == 0) return dh_text_format("%s, the same in all rounds%s", check, lines);
    if (c->only != 0)
        return dh_text_format("%s, in the %s round%s only%s", check, some_rounds(c->only),
                              c->only == 1 || c->only == -1 ? "" : "s", lines);
    return dh_text_format("%s, every %lld bytes in all rounds%s%s", check, (long long)c->stride,
                          rounds, lines);
}

/* Where the checks were made that an access of the function relies on, if in other functions. */
static char *by_calls(struct explain_function const *f, struct explain_access const *a) {
    if (a->call.line != 0)
        return dh_text_format(", by the call at %s", line_name(&a->place, &a->call));
    if (!dh_text_equal(a->reason, "callers")) return dh_text_format("");
    char *lines = dh_text_format("%s", "");
    for (size_t i = 0; i < f->call_count; i++)
        lines = dh_text_format("%s%s%s", lines, i == 0 ? ", at " : ", ",
                               line_name(&a->place, &f->calls[i]));
    return lines;
}

static void remark_access(struct printer *p, struct explain_access const *a) {
    struct explain_check const *c =
        a->check == EXPLAIN_NONE ? NULL : &p->function->checks[a->check];
    char *accessed = what(a->kind, a->bytes);
    bool elsewhere = c && (c->place.line != a->place.line || !same_file(&c->place, &a->place));
    char *at =
        elsewhere ? dh_text_format(", at %s", line_name(&a->place, &c->place)) : dh_text_format("");
    switch (a->fate) {
    case EXPLAIN_CHECKED:
        if (!dh_text_equal(c->form, "here"))
            remark(p, a->place, STYLE_COVERED,
                   dh_text_format("%s: checked %s the loop%s", accessed, beside(c), at));
        break;
    case EXPLAIN_COVERED:
        remark(p, a->place, STYLE_COVERED,
               dh_text_format("%s: %s: %s%s%s", accessed, a->reason, a->why, at,
                              by_calls(p->function, a)));
        break;
    default:
        remark(p, a->place, STYLE_EXEMPT,
               dh_text_format("%s: no check: %s: %s", accessed, a->reason, a->why));
        break;
    }
}

/* Those of the function itself come first, by line; then what was inlined from elsewhere. */
static bool is_inside(struct explain_function const *f, struct explain_place const *place) {
    return same_file(&f->place, place) && place->line >= f->place.line;
}

static struct explain_function const *sorted_function;
static int by_line(void const *left, void const *right) {
    struct remark const *a = left, *b = right;
    bool a_inside = is_inside(sorted_function, &a->place);
    bool b_inside = is_inside(sorted_function, &b->place);
    if (a_inside != b_inside) return a_inside ? -1 : 1;
    if (!same_file(&a->place, &b->place)) {
        if (!a->place.file || !b->place.file) return a->place.file ? -1 : 1;
        return strcmp(a->place.file, b->place.file);
    }
    if (a->place.line != b->place.line) return a->place.line < b->place.line ? -1 : 1;
    int order = strcmp(a->text, b->text);
    return order ? order : a->order < b->order ? -1 : 1;
}

/* ---- printing ---- */

static void put(struct printer *p, enum style style, char const *text) {
    static char const *const colours[] = {[STYLE_HEADING] = "\033[1m",
                                          [STYLE_CHECK] = "\033[32m",
                                          [STYLE_COVERED] = "\033[36m",
                                          [STYLE_EXEMPT] = "\033[2m"};
    bool coloured = p->colour && colours[style];
    fprintf(p->out, "%s%s%s", coloured ? colours[style] : "", text, coloured ? "\033[0m" : "");
}

static void print_source(struct printer *p, struct explain_place const *place) {
    fprintf(p->out, "%6llu | %s\n", (unsigned long long)place->line,
            place->file ? source_line(p, place->file, place->line) : "");
}

/* Prints the remarks on one line, equal ones once; returns how many there were. */
static size_t print_remarks(struct printer *p, size_t from) {
    struct remark const *first = &p->remarks[from];
    char const *line =
        first->place.file ? source_line(p, first->place.file, first->place.line) : "";
    int indent = blanks_before(line);
    size_t at = from;
    while (at < p->count && p->remarks[at].place.line == first->place.line
           && same_file(&p->remarks[at].place, &first->place)) {
        struct remark const *r = &p->remarks[at];
        size_t equal = 1;
        while (at + equal < p->count && dh_text_equal(p->remarks[at + equal].text, r->text)
               && p->remarks[at + equal].place.line == r->place.line)
            equal++;
        fprintf(p->out, "       | %.*s", indent, line);
        put(p, r->style, r->text);
        if (equal > 1) fprintf(p->out, " (%zu times)", equal);
        putc('\n', p->out);
        at += equal;
    }
    return at - from;
}

/* The line of the next function in the file. */
static uint64_t next_function(struct printer const *p) {
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < p->all->count; i++) {
        struct explain_place const *at = &p->all->functions[i].place;
        bool behind = same_file(at, &p->function->place) && at->line > p->function->place.line;
        if (behind && at->line < next) next = at->line;
    }
    return next;
}

/* The function's own lines, all of them: from its name to the brace that ends it. */
static size_t print_body(struct printer *p) {
    struct explain_function const *f = p->function;
    size_t next = 0, inside = 0;
    while (inside < p->count && is_inside(f, &p->remarks[inside].place))
        inside++;
    if (inside == 0) return 0;
    uint64_t last = p->remarks[inside - 1].place.line, end = next_function(p);
    for (struct explain_place at = f->place;; at.line++) {
        print_source(p, &at);
        if (next < inside && p->remarks[next].place.line == at.line) next += print_remarks(p, next);
        bool over = at.line > source_of(p, at.file)->count || at.line + 1 == end;
        if (at.line >= last && (over || *source_line(p, at.file, at.line) == '}')) return next;
    }
}

static void print_inlined(struct printer *p, size_t next) {
    while (next < p->count) {
        struct explain_place const *at = &p->remarks[next].place;
        bool new_file = next == 0 || !same_file(at, &p->remarks[next - 1].place);
        if (new_file || is_inside(p->function, &p->remarks[next - 1].place)) {
            char const *file = at->file ? at->file : "nowhere in the source";
            put(p, STYLE_HEADING, dh_text_format("  from %s:\n", file));
        }
        if (at->line != 0) print_source(p, at);
        next += print_remarks(p, next);
    }
}

static void print_counts(struct printer *p, char const *name, struct explain_function const *list,
                         size_t count) {
    size_t fates[EXPLAIN_FATES] = {0}, checks = 0, before = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < list[i].access_count; k++)
            fates[list[i].accesses[k].fate]++;
        for (size_t k = 0; k < list[i].check_count; k++)
            before += !dh_text_equal(list[i].checks[k].form, "here");
        checks += list[i].check_count;
    }
    fprintf(
        p->out,
        "%s: accesses %zu: with a check of their own %zu, covered by others' %zu, in need of none "
        "%zu; checks %zu: for a loop %zu\n",
        name, fates[0] + fates[1] + fates[2], fates[EXPLAIN_CHECKED], fates[EXPLAIN_COVERED],
        fates[EXPLAIN_EXEMPT], checks, before);
}

static void print_function(struct printer *p, struct explain_function const *f) {
    p->function = f;
    p->count = 0;
    for (size_t i = 0; i < f->check_count; i++)
        remark(p, f->checks[i].place, STYLE_CHECK, check_text(f, i));
    for (size_t i = 0; i < f->access_count; i++)
        remark_access(p, &f->accesses[i]);
    sorted_function = f;
    qsort(p->remarks, p->count, sizeof *p->remarks, by_line);
    char *line = f->place.line ? dh_text_format(":%llu", (unsigned long long)f->place.line) : "";
    put(p, STYLE_HEADING,
        dh_text_format("%s (%s%s)\n", f->name, f->place.file ? f->place.file : "?", line));
    print_inlined(p, print_body(p));
    print_counts(p, f->name, f, 1);
    putc('\n', p->out);
}

void dh_explain_text(struct explained const *e, bool colour, FILE *out) {
    struct printer p = {.out = out, .colour = colour, .all = e};
    for (size_t i = 0; i < e->count; i++)
        print_function(&p, &e->functions[i]);
    print_counts(&p, dh_text_format("%s, %s", e->file, e->detector), e->functions, e->count);
}
